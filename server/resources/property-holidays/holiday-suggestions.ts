// Holiday suggestions: holidays that a property's calendar could have, each compared with those that it has.
import { daysIn } from '#contract/days.ts'
import { sql } from 'kysely'
import * as contract from '#contract/holiday-suggestions.ts'
import { serve, staged } from '#server/api/serve.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { createRow } from '#server/entities/verbs.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { readTimes } from '#server/imports/holiday-calendar.ts'
import { knownDays } from '#server/billing/holidays/known-days.ts'
import { holidays, refuseBackwards } from './property-holidays.ts'
import type { Services } from '#server/services.ts'
import { now } from '#server/time/clock.ts'
import { localDay } from '#server/time/zones.ts'

/** The library's data are under CC BY 3.0, which requires attribution wherever they are shown. */
const source = 'date-holidays, under CC BY 3.0'

interface Place {
  country: string | null
  time_zone: string
}
interface Holiday {
  id: number
  name: string
  starts_on: string
  ends_on: string
}

async function placeOf(scope: Scope, property_id: number): Promise<Place> {
  const [place] = await scope.run(sql<Place>`
    select c.code as country, t.time_zone from properties as t left join countries as c on c.id = t.country_id
    where t.id = ${property_id} and ${scope.inReach('properties', 't')}`)
  if (!place) throw notFound()
  return place
}

const existingIn = (scope: Scope, property_id: number): Promise<Holiday[]> =>
  scope.run(sql<Holiday>`
    select t.id, t.name, t.starts_on::text, t.ends_on::text from property_holidays as t
    where t.property_id = ${property_id} and t.deleted_at is null order by t.id`)

const sameDays = (one: Omit<Holiday, 'id' | 'name'>, other: Omit<Holiday, 'id' | 'name'>) =>
  one.starts_on === other.starts_on && one.ends_on === other.ends_on
const sameNameThatYear = (one: Omit<Holiday, 'id'>, other: Omit<Holiday, 'id'>) =>
  one.name.toLowerCase() === other.name.toLowerCase() && one.starts_on.slice(0, 4) === other.starts_on.slice(0, 4)

/** Compares suggestions with existing holidays. An existing one on the days of any suggestion does not count as moved. */
function compared<T extends Omit<Holiday, 'id'>>(existing: readonly Holiday[], suggested: readonly T[]) {
  const isSuggested = (one: Holiday) => suggested.some((other) => sameDays(one, other))
  return suggested.map((suggestion) => {
    const nights = daysIn(suggestion.starts_on, suggestion.ends_on)
    const one = { ...suggestion, nights }
    const taken = existing.find((other) => sameDays(one, other))
    if (taken) return { ...one, state: 'taken' as const, holiday_id: taken.id }
    const moved = existing.find((other) => sameNameThatYear(one, other) && !isSuggested(other))
    return { ...one, state: moved ? ('moved' as const) : ('new' as const), holiday_id: moved?.id ?? null }
  })
}

interface Listed extends Holiday {
  country: string
  region: string | null
  year: number
}
/** Present and future holidays that were taken from public lists. */
const listedBy = (scope: Scope, property_id: number): Promise<Listed[]> =>
  scope.run(sql<Listed>`
    select t.id, t.name, t.starts_on::text, t.ends_on::text, t.listed_country as country, t.listed_region as region,
      extract(year from t.starts_on)::integer as year
    from property_holidays as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.property_id = ${property_id} and t.listed_country is not null and t.ends_on >= local_day(app_now(), p.time_zone)
      and t.deleted_at is null and ${scope.inReach('property_holidays', 't')}
    order by t.starts_on, t.id`)

/** Holidays that are missing from the present release of the list that they came from. */
async function missing(party: string, listed: readonly Listed[]) {
  const found: { holiday_id: number; name: string; starts_on: string; ends_on: string; moved_to: Moved | null }[] = []
  for (const group of Map.groupBy(listed, ({ country, region, year }) => `${country} ${region} ${year}`).values()) {
    const [wanted] = group
    if (!wanted) continue
    const { days } = await knownDays(party, wanted)
    for (const one of group) {
      if (days.some((other) => sameDays(one, other))) continue
      const { id: holiday_id, name, starts_on, ends_on } = one
      const moved = days.find((other) => sameNameThatYear(one, other) && !group.some((own) => sameDays(own, other)))
      const moved_to = moved ? { starts_on: moved.starts_on, ends_on: moved.ends_on } : null
      found.push({ holiday_id, name, starts_on, ends_on, moved_to })
    }
  }
  return found
}
type Moved = Pick<Holiday, 'starts_on' | 'ends_on'>

export default ({ tenancy }: Pick<Services, 'tenancy'>) =>
  serve(contract, {
    suggestHolidays: staged(
      async ({ caller, input: { property_id, year, region } }) => {
        const { country } = await tenancy.enter(caller, 'read', (scope) => placeOf(scope, property_id))
        if (country === null)
          throw invalid({ property_id: ['Enter the property’s country in its details, then try again.'] })
        const known = await knownDays(String(caller.customer_id), { country, region: region ?? null, year })
        if (region != null && !known.regions.some(({ code }) => code === region))
          throw invalid({ region: ['Please choose one of the regions.'] })
        return { ...known, country }
      },
      async ({ scope, input: { property_id }, prepared: { days, regions, country } }) => ({
        data: compared(
          await existingIn(scope, property_id),
          days.map((one) => ({ ...one, rule: null })),
        ),
        meta: { country, regions, source },
      }),
    ),
    readHolidays: async ({ scope, input: { property_id, text } }) => {
      const { time_zone } = await placeOf(scope, property_id)
      const { times, problems } = readTimes(text, localDay(now(), time_zone), time_zone)
      const own = times.map((time) => ({ ...time, kind: 'own' as const, substitute: false }))
      return { data: compared(await existingIn(scope, property_id), own), meta: { problems } }
    },
    takeHolidays: async ({ scope, input: { property_id, holidays: chosen, listed } }) => {
      for (const [index, one] of chosen.entries()) refuseBackwards(one, `holidays.${index}.`)
      const { country } = await placeOf(scope, property_id)
      const of = listed == null ? null : { listed_country: country, listed_region: country && (listed.region ?? null) }
      const existing = await existingIn(scope, property_id)
      const fresh = chosen.filter(
        (one, index) =>
          !existing.some((other) => sameDays(one, other)) &&
          chosen.findIndex((other) => sameDays(one, other)) === index,
      )
      for (const one of fresh) {
        const { id } = await createRow(scope, holidays, { property_id, ...one })
        if (of) await scope.change('property_holidays', [id], of)
      }
      return { added: fresh.length, already: chosen.length - fresh.length }
    },
    leftOut: staged(
      async ({ caller, input: { property_id } }) => {
        const listed = await tenancy.enter(caller, 'read', (scope) => listedBy(scope, property_id))
        return missing(String(caller.customer_id), listed)
      },
      ({ prepared }) => Promise.resolve({ data: prepared, meta: { source } }),
    ),
  })
