// Slip: what the guests of a stay have used of the Wi-Fi and what is left, to be printed, mailed or texted.
import { sql } from 'kysely'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Language } from '#contract/languages.ts'
import { toGuestsIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { oneRow } from '#server/entities/read.ts'
import { sayDays } from '#server/stays/stay-record.ts'
import { stays } from '#server/stays/stays.ts'
import { slipMoment } from '#server/vouchers/slip.ts'
import { languageOfStay } from './guest-language.ts'
import { subjectOf } from './subject.ts'
import { gigabytesIn, hoursIn, usedInStay } from './used.ts'

/** Of more, the slip would be a list. */
const guests_max = 8

interface Place {
  time_zone: string
  /** For numbers without a country code. */
  country: string | null
  email: string | null
  mobile_number: string | null
}

export interface SignInSlip {
  language: Language | undefined
  /** Above it. */
  title: string
  place: string
  property_id: number
  note: string
  lines: { label: string; value: string }[]
  country: string | null
  email: string | null
  mobile_number: string | null
}

/** @throws {Refused} 404 if there is no such stay in reach */
export async function staySlip(scope: Scope, stay_id: number, portal_url: string): Promise<SignInSlip> {
  const stay = await oneRow(scope, stays, stay_id)
  const [place] = await scope.run(sql<Place>`
    select coalesce(p.time_zone, c.time_zone) as time_zone,
      (select k.code from countries as k where k.id = coalesce(p.country_id, c.country_id)) as country,
      (select g.email from room_guests as g where g.customer_id = p.customer_id and g.stay_id = ${stay_id} and g.deleted_at is null
        and g.email is not null order by g.id limit 1) as email,
      (select g.mobile_number from room_guests as g where g.customer_id = p.customer_id and g.stay_id = ${stay_id}
        and g.deleted_at is null and g.mobile_number is not null order by g.id limit 1) as mobile_number
    from properties as p join customers as c on c.id = p.customer_id
    where p.id = ${stay.property_id} and ${scope.inReach('properties', 'p')}`)
  const used = await usedInStay(scope, stay_id)
  const subjects: HelpSubject[] = []
  for (const { id } of stay.guests.slice(0, guests_max))
    subjects.push(await subjectOf(scope, { kind: 'stay', id, property_id: stay.property_id }, { portal_url }))
  const language = await languageOfStay(scope, stay_id)
  const say = toGuestsIn(language)
  const time_zone = place?.time_zone ?? 'UTC'
  const lines = [
    { label: say('slip.room'), value: stay.room.name },
    { label: say('slip.stay'), value: sayDays(stay, language) },
    { label: say('slip.used'), value: used === null ? say('slip.nothing') : saidOf(used, language) },
    ...subjects.map(({ name, left }) => ({
      label: subjects.length > 1 ? say('slip.left-for', { name }) : say('slip.left'),
      value: left === null ? say('slip.everything') : leftIn(left, time_zone, language),
    })),
  ]
  return {
    language,
    title: say('slip.title', { place: stay.property.name }),
    place: stay.property.name,
    property_id: stay.property_id,
    note: stay.guests.map(({ name }) => name).join(', '),
    lines,
    country: place?.country ?? null,
    email: place?.email ?? null,
    mobile_number: place?.mobile_number ?? null,
  }
}

type Spoken = Language | undefined

function saidOf({ seconds, bytes_down, bytes_up, devices }: NonNullable<HelpSubject['used']>, language: Spoken) {
  const say = toGuestsIn(language)
  return [
    say('slip.online', { time: hoursIn(say, seconds) }),
    say('slip.down', { amount: gigabytesIn(bytes_down, language) }),
    say('slip.up', { amount: gigabytesIn(bytes_up, language) }),
    say('slip.devices', { count: devices }),
  ].join(', ')
}

type Left = NonNullable<HelpSubject['left']>
function leftIn({ seconds, bytes, ends_at }: Left, time_zone: string, language: Spoken) {
  const say = toGuestsIn(language)
  const limits = [
    seconds === null ? null : say('slip.online', { time: hoursIn(say, seconds) }),
    bytes === null ? null : gigabytesIn(bytes, language),
    ends_at === null ? null : say('slip.until', { time: slipMoment(ends_at, time_zone, language) }),
  ].filter((limit) => limit !== null)
  return limits.length === 0 ? say('slip.no-limit') : limits.join(', ')
}
