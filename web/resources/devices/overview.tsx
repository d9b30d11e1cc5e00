// Device overview: the fields of a device, next to its state and what the desk can do for it.
import type { ComponentType } from 'react'
import * as activity from '#contract/activity.ts'
import * as devices from '#contract/devices.ts'
import type { Output } from '#contract/endpoint.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import type { PersonPageProps } from '#web/kit/detail/overview.tsx'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { randomisedText } from './form.tsx'

interface DeviceOverviewProps {
  device: Output<typeof devices.get>
  person: ComponentType<PersonPageProps>
}

export function DeviceOverview({ device, person: Person }: DeviceOverviewProps) {
  const mayChange = useMayCall(devices.update)
  const details = (title: string) =>
    mayChange && <LinkButton href={to.device(device.id, 'details')}>{title}</LinkButton>
  return (
    <Person
      who={{ kind: 'device', id: device.id }}
      log={{ of: activity.list, object_type: 'devices', object_id: device.id }}
      todo={[
        device.mac_category?.blocks && {
          title: 'This device is blocked',
          text: `Devices of the category “${device.mac_category.name}” are refused, however they sign in.`,
          action: details('Change'),
        },
        device.randomised && { title: 'A randomised address', text: randomisedText, action: details('Change') },
      ]}
    >
      <Panel title="Device">
        <FieldFacts
          fields={devices.fields}
          of={device}
          sections={['device', 'place', 'service']}
          own={{
            name: null,
            mac_address: [
              <Copyable key="mac" what="MAC address">
                {device.mac_address}
              </Copyable>,
            ],
            accounting_contact_id: null,
          }}
          last={[['created_at']]}
        />
      </Panel>
    </Person>
  )
}
