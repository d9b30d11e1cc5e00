// Package detail: what a package gives, who has it, and its form.
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as devices from '#contract/devices.ts'
import type { Output } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import * as batches from '#contract/voucher-batches.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { stringifySearch } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { PropertyInterfacesList } from '#web/resources/property-interfaces/list.tsx'
import { packageKind } from './kind.ts'
import { Panel } from '#web/ui/page.tsx'
import { PackageForm } from './form.tsx'
import { renewals, summaryOf, timeOf, volumeOf } from './summary.ts'

type Package = Output<typeof packages.get>

export function PackageDetail({ id }: { id: number }) {
  const record = useRecord(packages, id)
  return (
    <DetailTabs
      of="Package"
      name={record?.name}
      status={record?.status}
      back={{ title: 'Packages', href: to.packages() }}
      actions={<RecordActions kind={packageKind} record={record} back={to.packages()} />}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={packages} id={id}>
              {(pack) => <PackageOverview pack={pack} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <PackageForm id={id} /> },
        interfaces: { title: 'Interfaces', body: () => <PropertyInterfacesList package_id={id} /> },
      }}
    />
  )
}

const none = 'No limit'

function PackageOverview({ pack }: { pack: Package }) {
  const filters = { package_id: pack.id }
  const only = stringifySearch({ 'filter.package_id': pack.id })
  return (
    <Overview
      log={{ of: activity.list, object_type: 'packages', object_id: pack.id }}
      todo={[
        !pack.active && {
          title: 'This package is disabled',
          text: 'It is not offered, and its vouchers are refused.',
        },
      ]}
      counts={[
        { title: 'Accounts', of: accounts.list, filters, href: to.accounts() + only },
        { title: 'Devices', of: devices.list, filters, href: to.devices() + only },
        { title: 'Voucher batches', of: batches.list, filters, href: to.vouchers() + only },
      ]}
    >
      <Panel title="What a guest gets">
        <p>{summaryOf(pack)}</p>
      </Panel>
      <Panel title="Package">
        <FieldFacts
          fields={packages.fields}
          of={pack}
          sections={['package', 'allowance', 'speed', 'time', 'guests']}
          own={{
            name: null,
            volume_gb: [pack.volume_gb > 0 && volumeOf(pack.volume_gb), none],
            recurs: [renewals[pack.recurs]],
            speed_mbps: [pack.speed_mbps > 0 && `${pack.speed_mbps} Mbit/s`, none],
            max_users: [pack.max_users > 0 && String(pack.max_users), none],
            session_time_hrs: [pack.session_time_hrs > 0 && timeOf(pack.session_time_hrs), none],
            idle_timeout_hrs: [pack.idle_timeout_hrs > 0 && timeOf(pack.idle_timeout_hrs), none],
            refused_in_dispute: [
              pack.refused_in_dispute ? 'Cannot have it' : 'Get it, too',
              undefined,
              'Guests whose bill is in dispute',
            ],
          }}
          last={[['created_at']]}
        />
      </Panel>
    </Overview>
  )
}
