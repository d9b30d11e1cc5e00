// Device kind: what can be done with one device, in its row and on its page.
import * as devices from '#contract/devices.ts'
import type { RowOf } from '#contract/endpoint.ts'
import * as help from '#contract/guest-help.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { whenOff } from '#web/limits/when-off.tsx'
import { to } from '#web/paths.ts'

export type Device = RowOf<typeof devices.list>

export const deviceKind: RecordKind<Device> = {
  of: devices,
  asks: [help.get],
  noun: 'devices',
  nameOf: (device) => device.name,
  href: (device) => to.device(device.id),
  edit: (device) => to.device(device.id, 'details'),
  whenDisabled: 'Disabled devices can no longer get online by their address.',
  besides: whenOff,
  consequence: (rows) =>
    rows.length === 1
      ? 'It will see the portal like any other device. This cannot be undone.'
      : 'They will see the portal like any other device. This cannot be undone.',
}
