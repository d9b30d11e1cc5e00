// Usage: what was used and what is left of a package, on a slip, too; and the devices that use it, each of which can be removed to make
// room for another.
import { useState } from 'react'
import * as stays from '#contract/stays.ts'
import { forgetDevice, holderKinds, type HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { whenOffAt } from '#web/limits/when-off.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { fixedOf } from '#web/kit/display/numbers.ts'
import { printLoaded } from '#web/kit/made/print.ts'
import { SendByMail } from '#web/kit/made/send-by-mail.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { say } from '#web/words/desk.ts'
import styles from './guest-help.module.css'

const bytes_per_gb = 1e9

/** `1 h 20 min` */
export function timeLeft(seconds: number): string {
  const all = Math.floor(seconds / 60)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  if (hours === 0) return say('used.minutes', { minutes })
  return minutes === 0 ? say('used.hours', { hours }) : say('used.hours-minutes', { hours, minutes })
}
export const dataLeft = (bytes: number): string =>
  bytes >= bytes_per_gb / 10 ? `${fixedOf(bytes / bytes_per_gb, 1)} GB` : `${Math.round(bytes / 1e6)} MB`

export const Left = ({ left }: { left: NonNullable<HelpSubject['left']> }) => (
  <Facts
    facts={[
      [say('used.until'), timeOf(left.ends_at), say('used.no-end')],
      [say('used.time'), left.seconds === null ? '' : timeLeft(left.seconds), say('used.no-limit')],
      [say('used.data'), left.bytes === null ? '' : dataLeft(left.bytes), say('used.no-limit')],
      [
        say('used.devices'),
        left.devices_max === 0
          ? say('used.devices-no-limit', { count: left.devices })
          : say('used.devices-of', { count: left.devices, max: left.devices_max }),
      ],
    ]}
  />
)

export const UsedFacts = ({ used }: { used: HelpSubject['used'] }) =>
  used === null ? (
    <p className={styles.none}>{say('used.nothing')}</p>
  ) : (
    <Facts
      facts={[
        [say('used.online'), timeLeft(used.seconds)],
        [say('used.down'), dataLeft(used.bytes_down)],
        [say('used.up'), dataLeft(used.bytes_up)],
        [say('used.devices'), String(used.devices)],
      ]}
    />
  )

interface UsageSlipProps {
  stay_id: number
  /** Of the panel that it is in. */
  title: string
  address: string | undefined
}

/** What was used and what is left, for the guest to take along. */
export function UsageSlip({ stay_id, title, address }: UsageSlipProps) {
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
      notify.success(say('used.sent-to', { address: sent_to ?? '' }))
    } catch (error) {
      notify.failure(error)
    }
    setBusy(false)
  }
  return (
    <div className={styles.hands}>
      <Button icon="print" onClick={() => void printLoaded(load).catch(notify.failure)}>
        {say('used.print')}
      </Button>
      <SendByMail
        address={address}
        label={say('act.of', { act: say('form.email'), sentence: title })}
        send={(email) => call(stays.slip, { id: stay_id, by: 'email', email })}
      />
      <Button busy={busy} label={say('act.of', { act: say('used.text'), sentence: title })} onClick={() => void text()}>
        {say('used.text')}
      </Button>
    </div>
  )
}

export function DevicesHeld({ subject, reload }: { subject: HelpSubject; reload: () => Promise<unknown> }) {
  const mayForget = useMayCall(forgetDevice)
  // A stay is not a holder itself, and a device only holds its own place.
  const kind = holderKinds.find((one) => one === subject.kind && one !== 'device')
  const forget = async (mac_address: string, online: boolean) => {
    if (kind === undefined) return
    const yes = await confirm({
      title: say('used.ask-free', { mac: mac_address }),
      description: say(online ? 'used.free-online' : 'used.free-offline'),
      besides: online ? whenOffAt(subject.property) : undefined,
      accept: say('used.free-accept'),
    })
    if (!yes) return
    await call(forgetDevice, { kind, id: subject.id, mac_address })
    notify.success(say('used.freed'))
    await reload()
  }
  return (
    <ul className={styles.devices}>
      {subject.devices.map(({ mac_address, randomised, session_id, seen_at }) => (
        <li key={mac_address}>
          <span>
            <b translate="no">{mac_address}</b>
            <small>
              {session_id === null ? say('used.seen', { ago: ageOf(seen_at) }) : say('online-now')}
              {randomised && ` · ${say('used.random')}`}
            </small>
          </span>
          {session_id !== null && (
            <Badge tone="good" dot>
              {say('online')}
            </Badge>
          )}
          {mayForget && kind !== undefined && (
            <IconButton
              icon="disconnect"
              label={say('used.free', { mac: mac_address })}
              onClick={() => void forget(mac_address, session_id !== null).catch(notify.failure)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
