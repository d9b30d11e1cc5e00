// Property created: what to do next with a new property.
import * as accounts from '#contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import type { Output, RowOf } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import * as trials from '#contract/trials.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { call } from '#web/kit/call/call.ts'
import { useNames } from '#web/kit/call/names.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { WhatNext } from '#web/kit/made/what-next.tsx'
import { to, withModal } from '#web/paths.ts'

type Gateway = RowOf<typeof gateways.list>

/** A property is ready once its gateway has sent a request; until then, lists what is missing. */
function standingOf({ shown_portal, package_id }: Output<typeof properties.get>, connected: Gateway[]): string {
  const missing = [
    shown_portal === null && 'a portal, which is the page guests sign in on',
    package_id === null && 'a package, which is what they get',
    connected.length === 0 && 'a gateway, which asks who may go online',
    connected.length > 0 &&
      connected.every(({ last_seen_at }) => last_seen_at === null) &&
      'its gateway to ask for the first time, once it is set up',
  ].filter((part) => part !== false)
  if (missing.length === 0) return 'The property is ready: guests can get online.'
  const [last = '', ...before] = missing.toReversed()
  const all = before.length === 0 ? last : `${before.toReversed().join('; ')}; and ${last}`
  return `The property has been created. Before guests can get online it needs ${all}.`
}

export function PropertyCreated({ id }: { id: number }) {
  const property = useRecord(properties, id)
  const { data: connected } = useQuery({
    queryKey: ['gateways of property', id],
    queryFn: async ({ signal }) =>
      (await call(gateways.list, { params: { property_id: id }, per_page: 50 }, { signal })).data,
  })
  const types = useNames(reference.gatewayTypes)
  return (
    <WhatNext
      title={property?.name}
      list={{ title: 'Properties', href: to.properties(), all: 'All properties' }}
      another={{ href: to.newProperty(), call: properties.create }}
      said={property && connected !== undefined ? standingOf(property, connected) : undefined}
      begin={
        connected?.length === 0 && {
          title: 'Connect the gateway',
          text: 'The box that asks who may go online. Its page says what to paste into it.',
          call: gateways.create,
          ways: types.map((type) => ({ title: type.name, href: to.newGateway(id, undefined, type.id) })),
        }
      }
      next={[
        {
          icon: 'look',
          title: 'Try it as a guest',
          text: 'On your own portal, before there is a gateway.',
          href: withModal(to.property(id), 'trial', { property_id: id }),
          call: trials.startTrial,
        },
        {
          icon: 'rooms',
          title: 'Rooms',
          text: 'So that guests can sign in with room number and name.',
          href: to.newRooms(id),
          call: properties.create,
        },
        {
          icon: 'vouchers',
          title: 'Vouchers',
          text: 'Codes to hand out at the desk.',
          href: to.newVouchers({ property_id: id }),
          call: batches.create,
        },
        {
          icon: 'accounts',
          title: 'Accounts',
          text: 'Guests with a name and a password.',
          href: to.property(id, 'accounts'),
          call: accounts.create,
        },
        {
          icon: 'users',
          title: 'Team',
          text: 'Invite the people who work there. They see only this property.',
          href: withModal(to.property(id, 'users'), 'invite-user', { property_id: id }),
          call: users.invite,
        },
      ]}
      open={{ title: 'Open the property', href: to.property(id) }}
    />
  )
}
