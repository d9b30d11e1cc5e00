// Give: what the desk most often gives for one stay, each chosen from a menu in one press: another package, more devices, a later
// hour on the last day. Anything else is entered in the dialog.
import { useState } from 'react'
import * as packages from '#contract/packages.ts'
import * as stays from '#contract/stays.ts'
import type { Input, RowOf } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { useOffered } from '#web/kit/call/options.ts'
import { invalidateOthers, showChange } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { useRecordState } from '#web/kit/form/use-resource.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import { say } from '#web/words/desk.ts'
import { GiveButton, stayContract, toStay, type Stay } from './given.tsx'
import styles from './stays.module.css'

/** Of more, the dialog finds one by its name. */
const packages_shown = 12
const devices_shown = 10
const hours_shown = ['10:00', '12:00', '14:00', '16:00', '18:00', '20:00']

type Gift = Pick<Input<typeof stays.updateStay>, 'package_id' | 'devices' | 'until_time'>
type Pack = RowOf<typeof packages.nameList>

interface GiveMenusProps {
  stay_id: number
  /** Whose stay it is, for what is said afterwards. */
  name: string
  onChanged: () => unknown
}

export function GiveMenus({ stay_id, name, onChanged }: GiveMenusProps) {
  const { record } = useRecordState(stayContract, stay_id)
  const { rows: offered } = useOffered<Pack>(packages.names, {}, 'name')
  const [busy, setBusy] = useState<string>()
  if (record === undefined) return null
  const give = async (gift: Gift, was: Gift, said: string, isBack = false) => {
    const [field = ''] = Object.keys(gift)
    setBusy(field)
    try {
      const changed = await call(stays.updateStay, { id: stay_id, ...gift, was })
      showChange({ one: stays.getStay.path, list: stays.stayList.path }, stay_id, changed)
      const undo = { label: say('undo'), onPick: () => void give(was, gift, say('give.taken-back'), true) }
      notify.success(isBack ? said : say('give.said', { name, gift: said }), isBack ? undefined : undo)
    } catch (error) {
      notify.failure(error)
      invalidateOthers()
    } finally {
      setBusy(undefined)
      onChanged()
    }
  }
  const other = (label: string): MenuItem => ({ label, apart: true, onPick: () => go(toStay(stay_id)) })
  return (
    <div className={styles.gifts} role="group" aria-label={say('give.alone')}>
      <GiveMenu
        what={say('give.package')}
        now={record.package?.name ?? say('give.of-the-room')}
        busy={busy === 'package_id'}
        items={packageItems(record, offered, give, other(say('give.another-package')))}
      />
      <GiveMenu
        what={say('give.devices')}
        now={record.devices === null ? say('give.as-the-package') : String(record.devices)}
        busy={busy === 'devices'}
        items={deviceItems(record, give, other(say('give.another-number')))}
      />
      <GiveMenu
        what={say('give.until')}
        now={record.until_time ?? say('give.whole-day')}
        busy={busy === 'until_time'}
        items={hourItems(record, give, other(say('give.another-time')))}
      />
      <GiveButton stay_id={stay_id} />
    </div>
  )
}

type Give = (gift: Gift, was: Gift, said: string) => Promise<void>

function packageItems({ package_id }: Stay, offered: readonly Pack[], give: Give, other: MenuItem): MenuItem[] {
  const was = { package_id }
  const others = offered.filter(({ id, status }) => status === 'active' && id !== package_id)
  return [
    ...(package_id === null
      ? []
      : [
          {
            label: say('give.room-package'),
            onPick: () => give({ package_id: null }, was, say('give.room-package-said')),
          },
        ]),
    ...others
      .slice(0, packages_shown)
      .map(({ id, name }) => ({ label: name, onPick: () => give({ package_id: id }, was, name) })),
    ...(others.length > packages_shown ? [other] : []),
  ]
}

function deviceItems({ devices }: Stay, give: Give, other: MenuItem): MenuItem[] {
  const was = { devices }
  const numbers = Array.from({ length: devices_shown }, (_, index) => index + 1).filter((count) => count !== devices)
  return [
    ...(devices === null
      ? []
      : [
          {
            label: say('give.package-allows'),
            onPick: () => give({ devices: null }, was, say('give.package-allows-said')),
          },
        ]),
    ...numbers.map((count) => ({
      label: say('devices', { count }),
      onPick: () => give({ devices: count }, was, say('devices', { count })),
    })),
    other,
  ]
}

function hourItems({ until_time }: Stay, give: Give, other: MenuItem): MenuItem[] {
  const was = { until_time }
  return [
    ...(until_time === null
      ? []
      : [
          {
            label: say('give.until-day-over'),
            onPick: () => give({ until_time: null }, was, say('give.until-day-over-said')),
          },
        ]),
    ...hours_shown
      .filter((hour) => hour !== until_time)
      .map((hour) => ({
        label: hour,
        onPick: () => give({ until_time: hour }, was, say('give.until-said', { time: hour })),
      })),
    other,
  ]
}

interface GiveMenuProps {
  what: string
  now: string
  busy: boolean
  items: readonly MenuItem[]
}

const GiveMenu = ({ what, now, busy, items }: GiveMenuProps) => (
  <Menu
    label={say('give.now', { what, now })}
    className={styles.give}
    busy={busy}
    side="start"
    items={busy ? [] : items}
    button={
      <>
        <span className={styles.what}>{what}:</span> {now}
        <Icon name="down" size={16} />
      </>
    }
  />
)
