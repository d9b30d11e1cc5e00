// Footer kind: what can be done with the footer.
import type { Output } from '#contract/endpoint.ts'
import * as footers from '#contract/portal-footers.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'

export type Footer = Output<typeof footers.get>

export const footerKind: RecordKind<Footer> = {
  of: footers,
  noun: 'footers',
  nameOf: () => 'Portal footer',
  whenDisabled: 'It disappears from every portal.',
  consequence: 'It disappears from every portal at once, and its picture is deleted. This cannot be undone.',
}
