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
  whenDisabled: 'Nothing more is exchanged with the other system.',
  consequence:
    'Nothing more is exchanged with the other system, and its credentials are deleted. This cannot be undone.',
}
