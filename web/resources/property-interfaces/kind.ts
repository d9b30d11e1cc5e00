// Interface kind: what can be done with one property interface, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'

export type Interface = RowOf<typeof interfaces.list>

export const interfaceKind: RecordKind<Interface> = {
  of: interfaces,
  noun: 'property interfaces',
  nameOf: (one) => one.name,
  href: (one) => to.propertyInterface(one.id),
  edit: (one) => to.propertyInterface(one.id, 'details'),
  whenDisabled: 'Nothing is exchanged with the other system any more.',
  consequence:
    'Nothing is exchanged with the other system any more, and its credentials are forgotten. This cannot be undone.',
}
