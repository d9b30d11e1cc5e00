// Device overview: what a device is, where it stands, what it gets, and what keeps it off the network.
import * as activity from '#contract/activity.ts'
import * as devices from '#contract/devices.ts'
import type { Output } from '#contract/endpoint.ts'
import { Overview } from '#web/kit/detail/overview.tsx'
import { dateOf } from '#web/kit/display/dates.ts'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { randomisedText } from './form.tsx'

export function DeviceOverview({ device }: { device: Output<typeof devices.get> }) {
  const mayChange = useMayCall(devices.update)
  const details = (title: string) =>
    mayChange && <LinkButton href={to.device(device.id, 'details')}>{title}</LinkButton>
  return (
    <Overview
      log={{ of: activity.list, object_type: 'devices', object_id: device.id }}
      todo={[
        !device.active && { title: 'This device is disabled', text: 'It is not let in by its address.' },
        device.mac_category?.blocks && {
          title: 'This device is blocked',
          text: `Devices of the category “${device.mac_category.name}” are refused, however they sign in.`,
          action: details('Change'),
        },
        device.randomised && { title: 'A randomised address', text: randomisedText, action: details('Change') },
      ]}
    >
      <Panel title="Device">
        <Facts
          facts={[
            [
              'MAC address',
              <Copyable key="mac" what="MAC address">
                {device.mac_address}
              </Copyable>,
            ],
            ['Category', device.mac_category?.name, 'No category'],
            ['Reference', device.external_reference],
            ['Created', dateOf(device.created_at)],
          ]}
        />
      </Panel>
      <Panel title="Place and service">
        <Facts
          facts={[
            ['Property', <PropertyLink key="property" {...device.property} />],
            ['Room', device.room?.name, 'No room'],
            ['Package', device.package?.name, "The room's, or the property's"],
          ]}
        />
      </Panel>
    </Overview>
  )
}

const PropertyLink = ({ id, name }: { id: number; name: string }) =>
  hasScreen(appContext(), 'properties/update') ? <Link href={to.property(id)}>{name}</Link> : name
