// Property detail: one property, its parts in tabs.
import * as properties from '#contract/properties.ts'
import * as batches from '#contract/voucher-batches.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { useMayCall } from '#web/session/may.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { propertyKind } from './kind.ts'
import { ApiKeysList } from '#web/resources/api-keys/list.tsx'
import { AccountsList } from '#web/resources/accounts/list.tsx'
import { DevicesList } from '#web/resources/devices/list.tsx'
import { GatewaysList } from '#web/resources/gateways/list.tsx'
import { SessionsList } from '#web/resources/sessions/list.tsx'
import { HolidaysList } from '#web/resources/property-holidays/list.tsx'
import { PropertyInterfacesList } from '#web/resources/property-interfaces/list.tsx'
import { RoomsList } from '#web/resources/rooms/list.tsx'
import { UsersList } from '#web/resources/users/list.tsx'
import { VoucherBatchesList } from '#web/resources/voucher-batches/list.tsx'
import { PropertyForm } from './form.tsx'
import { PropertyOverview } from './overview.tsx'

export function PropertyDetail({ id }: { id: number }) {
  const property = useRecord(properties, id)
  const mayMakeVouchers = useMayCall(batches.create)
  return (
    <DetailTabs
      of="Property"
      name={property?.name}
      status={property?.status}
      back={{ title: 'Properties', href: to.properties() }}
      actions={(tab) => (
        <>
          {mayMakeVouchers && tab !== 'vouchers' && property?.status === 'active' && (
            <LinkButton icon="vouchers" href={to.newVouchers({ property_id: id })}>
              New vouchers
            </LinkButton>
          )}
          <RecordActions kind={propertyKind} record={property} back={to.properties()} />
        </>
      )}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={properties} id={id}>
              {(record) => <PropertyOverview property={record} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <PropertyForm id={id} /> },
        vouchers: { title: 'Vouchers', body: () => <VoucherBatchesList property_id={id} /> },
        accounts: { title: 'Accounts', body: () => <AccountsList property_id={id} /> },
        devices: { title: 'Devices', body: () => <DevicesList property_id={id} /> },
        sessions: { title: 'Sessions', body: () => <SessionsList property_id={id} /> },
        rooms: { title: 'Rooms', body: () => <RoomsList property_id={id} /> },
        gateways: { title: 'Gateways', body: () => <GatewaysList property_id={id} /> },
        interfaces: { title: 'Interfaces', body: () => <PropertyInterfacesList property_id={id} /> },
        holidays: { title: 'Holidays', body: () => <HolidaysList property_id={id} /> },
        api_keys: { title: 'API keys', body: () => <ApiKeysList property_id={id} /> },
        users: { title: 'Users', body: () => <UsersList property_id={id} /> },
      }}
    />
  )
}
