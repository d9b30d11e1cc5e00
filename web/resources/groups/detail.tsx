// Group detail: one group, its parts in tabs.
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { useMayCall } from '#web/session/may.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { groupKind } from './kind.ts'
import { SessionsList } from '#web/resources/sessions/list.tsx'
import { PropertyInterfacesList } from '#web/resources/property-interfaces/list.tsx'
import { PropertiesList } from '#web/resources/properties/list.tsx'
import { ApiKeysList } from '#web/resources/api-keys/list.tsx'
import { AccountsList } from '#web/resources/accounts/list.tsx'
import { DevicesList } from '#web/resources/devices/list.tsx'
import { UsersList } from '#web/resources/users/list.tsx'
import { VoucherBatchesList } from '#web/resources/voucher-batches/list.tsx'
import { GroupForm } from './form.tsx'
import { GroupOverview } from './overview.tsx'

export function GroupDetail({ id }: { id: number }) {
  const group = useRecord(groups, id)
  const mayMakeProperties = useMayCall(properties.create)
  return (
    <DetailTabs
      of="Group"
      name={group?.name}
      status={group?.status}
      back={{ title: 'Groups', href: to.groups() }}
      actions={(tab) => (
        <>
          {mayMakeProperties && tab !== 'properties' && group && (
            <LinkButton icon="add" href={to.newProperty(id)}>
              New property
            </LinkButton>
          )}
          <RecordActions kind={groupKind} record={group} back={to.groups()} />
        </>
      )}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={groups} id={id}>
              {(record) => <GroupOverview group={record} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <GroupForm id={id} /> },
        properties: { title: 'Properties', body: () => <PropertiesList group_id={id} /> },
        vouchers: { title: 'Vouchers', body: () => <VoucherBatchesList group_id={id} /> },
        accounts: { title: 'Accounts', body: () => <AccountsList group_id={id} /> },
        sessions: { title: 'Sessions', body: () => <SessionsList group_id={id} /> },
        devices: { title: 'Devices', body: () => <DevicesList group_id={id} /> },
        interfaces: { title: 'Interfaces', body: () => <PropertyInterfacesList group_id={id} /> },
        api_keys: { title: 'API keys', body: () => <ApiKeysList group_id={id} /> },
        users: { title: 'Users', body: () => <UsersList group_id={id} /> },
      }}
    />
  )
}
