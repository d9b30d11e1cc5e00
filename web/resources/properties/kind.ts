// Property kind: what can be done with one property, in its row and on its page.
import * as collections from '#contract/collections.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as trials from '#contract/trials.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as properties from '#contract/properties.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { here, linkItem } from '#web/kit/navigation/go.ts'
import { to, withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export const propertyKind: RecordKind<RowOf<typeof properties.list>> = {
  of: properties,
  noun: 'properties',
  nameOf: (property) => property.name,
  live_ms: 30_000,
  href: (property) => to.property(property.id),
  edit: (property) => to.property(property.id, 'details'),
  own: (property) => [
    linkItem({ label: 'Rooms', icon: 'rooms', href: to.roomsOf(property.id) }),
    linkItem({ label: 'Accounts', icon: 'accounts', href: to.accountsOf(property.id) }),
    linkItem({ label: 'Vouchers', icon: 'vouchers', href: to.vouchersOf({ property_id: property.id }) }),
    ...(mayCall(collections.addProperties)
      ? [
          linkItem({
            label: 'Collections',
            icon: 'collections',
            href: withModal(here(), 'collection-properties', { property_id: property.id }),
          }),
        ]
      : []),
    ...(mayCall(trials.startTrial) && property.status === 'active'
      ? [
          linkItem({
            label: 'Try it as a guest',
            icon: 'look',
            href: withModal(here(), 'trial', { property_id: property.id }),
          }),
        ]
      : []),
    ...(mayCall(batches.create) && property.status === 'active'
      ? [linkItem({ label: 'New vouchers', icon: 'add', href: to.newVouchers({ property_id: property.id }) })]
      : []),
  ],
  besides: (rows) => whenOff(rows.map((property) => ({ property }))),
  consequence: (rows) =>
    rows.length === 1
      ? 'Its rooms, devices and accounts go with it. This cannot be undone.'
      : 'Their rooms, devices and accounts go with them. This cannot be undone.',
}
