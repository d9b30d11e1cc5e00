// Try-out: shows what a link would do at a property, by records of an invented system. They are applied to the property's own rooms as
// those of a real system are, and rolled back before the transaction ends.
import { sql } from 'kysely'
import { addDays, type Day } from '#contract/days.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { FiasReader, recordIn } from './fias/translation.ts'
import { daysAsText } from '#server/stays/in-house.ts'
import { receiveUpdates } from './receive-updates.ts'
import { interfaceOf, type Interface } from './interfaces.ts'

export interface TrialStep {
  /** Records as the other side sends them. */
  records: string[]
  sentences: string[]
  /** The guests in house after this step. */
  house: { room: string; name: string; departs_on: string | null }[]
}

const rooms_max = 3

export async function tryOut(scope: Scope, queue: Queue, property_id: number): Promise<TrialStep[]> {
  await scope.run(sql`savepoint trial`)
  try {
    return await told(scope, queue, property_id)
  } finally {
    await scope.run(sql`rollback to savepoint trial`)
  }
}

async function told(scope: Scope, queue: Queue, property_id: number): Promise<TrialStep[]> {
  // Where too few rooms are free, the rooms of the records are created.
  await scope.change('properties', [property_id], { sync_rooms_and_devices: true })
  const id = await scope.insert('property_interfaces', {
    property_id,
    property_interface_type_id: 1,
    check_account_in_dispute: true,
    settings: JSON.stringify({ grace_minutes: 0 }),
  })
  const of = await interfaceOf(scope, id)
  if (!of) throw new Error('it was just made')
  const { today, free } = await placeOf(scope, property_id)
  const reader = new FiasReader()
  const steps: TrialStep[] = []
  for (const { records, sentence } of script(today, [...free, '801', '802', '803'])) {
    const updates = records.flatMap((text) => {
      const record = recordIn(text)
      return record ? reader.updates(record) : []
    })
    const result = updates.length > 0 ? await receiveUpdates(scope, queue, of, updates) : null
    const done = (result?.records ?? []).map((record) => record.personal ?? record.sentence)
    steps.push({ records, sentences: [sentence, ...done], house: await houseOf(scope, of) })
  }
  return steps
}

async function placeOf(scope: Scope, property_id: number): Promise<{ today: Day; free: string[] }> {
  const [place] = await scope.run(sql<{ today: string; free: string[] }>`
    select local_day(app_now(), t.time_zone)::text as today, array(
      select r.number from rooms as r where r.property_id = t.id and r.active and r.occupants = 0 and r.number !~ '\\|'
        and length(r.number) <= 8 and ${scope.inReach('rooms', 'r')} order by r.number, r.id limit ${rooms_max}) as free
    from properties as t where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  if (!place) throw new Error('the property is in reach')
  return place
}

interface Told {
  records: string[]
  sentence: string
}
function script(today: Day, [one = '', other = '', third = '']: string[]): Told[] {
  const day = (days: number) => addDays(today, days).slice(2).replaceAll('-', '')
  const hart = `RN${one}|G#9001|GNHart|GFAda|GA${day(0)}|GD${day(2)}|`
  const weber = `RN${other}|G#9002|GNWeber|GFBen|GA${day(0)}|GD${day(4)}|`
  return [
    { records: ['LS|', 'LA|'], sentence: 'The system begins the link, and it is up.' },
    {
      records: ['DS|', `GI|${hart}SF|`, `GI|${weber}SF|`, 'DE|'],
      sentence: 'It is asked for everybody once, and tells who is in house.',
    },
    {
      records: [`GI|RN${third}|G#9003|GNOde|GFCarla|GA${day(0)}|GD${day(1)}|GSN|`],
      sentence: 'The front desk checks a guest in.',
    },
    {
      records: [`GI|RN${third}|G#9004|GNOde|GFDan|GA${day(0)}|GD${day(1)}|GSY|`],
      sentence: 'Somebody shares the room.',
    },
    {
      records: [`GC|RN${other}|G#9002|GNWebber|GFBen|GD${day(5)}|`],
      sentence: 'A name is corrected, and a night added.',
    },
    { records: [`RE|RN${one}|CS3|DNY|`], sentence: 'A guest does not want to be disturbed.' },
    { records: [`GO|RN${other}|G#9002|GSN|`], sentence: 'A guest checks out.' },
    {
      records: [`GC|RN${other}|G#9001|GNHart|GFAda|GSN|RO${one}|GSN|`],
      sentence: 'A guest moves: devices and what was used go along.',
    },
  ]
}

async function houseOf(scope: Scope, { id }: Interface): Promise<TrialStep['house']> {
  const guests = await scope.run(sql<TrialStep['house'][number]>`
    select g.room_number as room, g.name, ${daysAsText('g')}
    from told_stays as t cross join lateral jsonb_array_elements(t.applied -> 'guests') as a
    join room_guests as g on g.customer_id = t.customer_id and g.id = (a ->> 'id')::integer and g.deleted_at is null
    where t.property_interface_id = ${id} and t.told is not null and ${scope.inReach('told_stays', 't')} order by g.room_number, g.id`)
  return guests.map(({ room, name, departs_on }) => ({ room, name, departs_on }))
}
