// Given: what the desk has given for a stay, in a line, with the button of the dialog in which it gives something else; and what its
// system does not allow.
import * as stays from '#contract/stays.ts'
import type { Output } from '#contract/endpoint.ts'
import { useRecordState } from '#web/kit/form/use-resource.ts'
import { here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'
import { say } from '#web/words/desk.ts'
import styles from './stays.module.css'

export const stayContract = { list: stays.stayList, get: stays.getStay, update: stays.updateStay, fields: stays.fields }

export type Stay = Output<typeof stays.getStay>

/** The address of the dialog; the room's other guests may share the stay. */
export const toStay = (stay_id: number) => withModal(here(), 'stay', { stay_id })
export const mayGive = () => mayCall(stays.updateStay)

type Fact = string | false | null | undefined

const givenIn = ({ until_time, package: given, devices, guests }: Stay): Fact[] => [
  until_time && say('given.until', { time: until_time }),
  given?.name,
  devices !== null &&
    (devices > 1 && guests.length > 1
      ? say('given.devices-together', { count: devices })
      : say('devices', { count: devices })),
]
const noticedIn = ({ group_name, may_be_charged, in_dispute, barred, do_not_disturb }: Stay): Fact[] => [
  group_name && say('group.called', { name: group_name }),
  !may_be_charged && say('given.nothing-on-room'),
  in_dispute && say('given.in-dispute'),
  barred && say('given.barred'),
  do_not_disturb && say('given.do-not-disturb'),
]

/** Nothing where nothing was given, or while it loads. */
export const Given = ({ stay_id }: { stay_id: number }) => (
  <Facts stay_id={stay_id} of={(stay) => [...givenIn(stay), ...noticedIn(stay)]} />
)
/** Next to the menus, which say what was given. */
export const Noticed = ({ stay_id }: { stay_id: number }) => <Facts stay_id={stay_id} of={noticedIn} />

function Facts({ stay_id, of }: { stay_id: number; of: (stay: Stay) => Fact[] }) {
  const { record } = useRecordState(stayContract, stay_id)
  if (record === undefined) return null
  const facts = of(record).filter(Boolean)
  return (
    <>
      {facts.length > 0 && <p className={styles.given}>{facts.join(' · ')}</p>}
      {record.note !== null && <p className={styles.note}>{record.note}</p>}
    </>
  )
}

export const GiveButton = ({ stay_id }: { stay_id: number }) => (
  <LinkButton kind="quiet" href={toStay(stay_id)}>
    {say('given.more')}
  </LinkButton>
)
