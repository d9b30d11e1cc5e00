// Gateway kind: what can be done with one gateway, in its row and on its page.
import type { RowOf } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'

export type Gateway = RowOf<typeof gateways.list>

export const gatewayKind: RecordKind<Gateway> = {
  of: gateways,
  noun: 'gateways',
  nameOf: (gateway) => gateway.name,
  href: (gateway) => to.gateway(gateway.id),
  edit: (gateway) => to.gateway(gateway.id, 'details'),
  live_ms: 30_000,
  whenDisabled: 'Nobody new gets online through a disabled gateway.',
  consequence: (rows) =>
    `Nobody gets online through ${rows.length === 1 ? 'it' : 'them'} any more. This cannot be undone.`,
}
