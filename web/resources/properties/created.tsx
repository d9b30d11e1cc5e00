// Property created: what one does next with a new property.
import * as accounts from '#contract/accounts.ts'
import * as properties from '#contract/properties.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { WhatNext } from '#web/kit/made/what-next.tsx'
import { to, withModal } from '#web/paths.ts'

export function PropertyCreated({ id }: { id: number }) {
  const property = useRecord(properties, id)
  return (
    <WhatNext
      title={property?.name}
      list={{ title: 'Properties', href: to.properties(), all: 'All properties' }}
      another={{ href: to.newProperty(), call: properties.create }}
      said="The property is ready. Guests can get online as soon as its network points here."
      next={[
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
          text: 'Invite the people who work there. They see this property alone.',
          href: withModal(to.property(id, 'users'), 'invite-user', { property_id: id }),
          call: users.invite,
        },
      ]}
      open={{ title: 'Open the property', href: to.property(id) }}
    />
  )
}
