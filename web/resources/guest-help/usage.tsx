// Usage: what was used and what is left of a package, on a slip, too; and the devices that use it, each of which can be removed to make
// room for another.
import { useState } from 'react'
import * as stays from '#contract/stays.ts'
import { forgetDevice, holderKinds, type HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { printLoaded } from '#web/kit/made/print.ts'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import styles from './guest-help.module.css'

const bytes_per_gb = 1e9

/** `1 h 20 min` */
export function timeLeft(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
export const dataLeft = (bytes: number): string =>
  bytes >= bytes_per_gb / 10 ? `${(bytes / bytes_per_gb).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`

export const Left = ({ left }: { left: NonNullable<HelpSubject['left']> }) => (
  <Facts
    facts={[
      ['Until', timeOf(left.ends_at), 'No end'],
      ['Time', left.seconds === null ? '' : timeLeft(left.seconds), 'No limit'],
      ['Data', left.bytes === null ? '' : dataLeft(left.bytes), 'No limit'],
      ['Devices', left.devices_max === 0 ? `${left.devices}, no limit` : `${left.devices} of ${left.devices_max}`],
    ]}
  />
)

export const UsedFacts = ({ used }: { used: HelpSubject['used'] }) =>
  used === null ? (
    <p className={styles.none}>Nothing so far.</p>
  ) : (
    <Facts
      facts={[
        ['Online', timeLeft(used.seconds)],
        ['Down', dataLeft(used.bytes_down)],
        ['Up', dataLeft(used.bytes_up)],
        ['Devices', String(used.devices)],
      ]}
    />
  )

/** What was used and what is left, for the guest to take along. */
export function UsageSlip({ stay_id, address }: { stay_id: number; address: string | undefined }) {
  const [busy, setBusy] = useState(false)
  const maySend = useMayCall(stays.slip)
  if (!maySend) return null
  const load = async () => {
    const { title, note, lines } = await call(stays.slip, { id: stay_id, by: 'print' })
    return [{ title, note, lines: lines.map(({ label, value }) => [label, value] as const) }]
  }
  const text = async () => {
    setBusy(true)
    try {
      const { sent_to } = await call(stays.slip, { id: stay_id, by: 'sms' })
      notify.success(`Sent to ${sent_to ?? ''}`)
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <div className={styles.hands}>
      <Button icon="print" onClick={() => void printLoaded(load).catch(notify.failure)}>
        Print usage
      </Button>
      <SendByMail address={address} send={(email) => call(stays.slip, { id: stay_id, by: 'email', email })} />
      <Button busy={busy} onClick={() => void text()}>
        Text
      </Button>
    </div>
  )
}

export function DevicesHeld({ subject, reload }: { subject: HelpSubject; reload: () => void }) {
  const mayForget = useMayCall(forgetDevice)
  // A stay is not a holder itself, and a device only holds its own place.
  const kind = holderKinds.find((one) => one === subject.kind && one !== 'device')
  const forget = async (mac_address: string, online: boolean) => {
    if (kind === undefined) return
    const description = online
      ? 'It is disconnected, and signs in anew when it comes back.'
      : 'It signs in anew when it comes back.'
    if (!(await confirm({ title: `Free the place of ${mac_address}?`, description, accept: 'Free its place' }))) return
    await call(forgetDevice, { kind, id: subject.id, mac_address })
    notify.success('Another device can sign in now.')
    reload()
  }
  return (
    <ul className={styles.devices}>
      {subject.devices.map(({ mac_address, randomised, session_id, seen_at }) => (
        <li key={mac_address}>
          <span>
            <b translate="no">{mac_address}</b>
            <small>
              {session_id === null ? `Seen ${ageOf(seen_at)}` : 'Online now'}
              {randomised && ' · random address'}
            </small>
          </span>
          {session_id !== null && (
            <Badge tone="good" dot>
              Online
            </Badge>
          )}
          {mayForget && kind !== undefined && (
            <IconButton
              icon="disconnect"
              label={`Free the place of ${mac_address}`}
              onClick={() => void forget(mac_address, session_id !== null).catch(notify.failure)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
