// Device screens: the page of a device, and the page for a new one.
import type { ComponentType } from 'react'
import * as devices from '#contract/devices.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import type { Place } from '#web/kit/form/place.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { SessionsList } from '#web/resources/sessions/list.tsx'
import { DeviceForm } from './form.tsx'
import { deviceKind } from './kind.ts'
import { DeviceOverview } from './overview.tsx'

type DeviceProps = Place & {
  id?: number
  /** Its state and what the desk can do for it: the same panel as in guest help. */
  person: ComponentType<PersonPageProps>
}

export const DeviceScreen = ({ id, person, ...preset }: DeviceProps) =>
  id === undefined ? <NewDevice preset={preset} /> : <DeviceDetail id={id} person={person} />

function NewDevice({ preset }: { preset: Place }) {
  const back = to.devicesOf(preset.property_id)
  return (
    <>
      <PageHeader title="New device" above={<Link href={back}>Devices</Link>} />
      <Permitted to={devices.create} back={back} icon="devices">
        <DeviceForm preset={preset} back={back} />
      </Permitted>
    </>
  )
}

function DeviceDetail({ id, person }: Required<Pick<DeviceProps, 'id' | 'person'>>) {
  const device = useRecord(devices, id)
  const back = to.devicesOf(device?.property_id)
  return (
    <DetailTabs
      of="Device"
      name={device?.name}
      status={device?.status}
      back={{ title: 'Devices', href: back }}
      actions={<RecordActions kind={deviceKind} record={device} back={back} />}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={devices} id={id}>
              {(record) => <DeviceOverview device={record} person={person} />}
            </WhenLoaded>
          ),
        },
        sessions: { title: 'Sessions', body: () => <SessionsList device_id={id} /> },
        details: { title: 'Details', body: () => <DeviceForm id={id} back={back} /> },
      }}
    />
  )
}
