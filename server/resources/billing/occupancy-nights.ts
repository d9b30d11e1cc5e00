// Occupancy nights: the ledger of the rooms that each property let on each date, read and corrected.
import { addDays, daysIn } from '#contract/days.ts'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { z } from 'zod'
import { messages } from '#contract/messages.ts'
import * as contract from '#contract/occupancy-nights.ts'
import { serve } from '#server/api/serve.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { amountText, billOf } from '#server/billing/formula.ts'
import { dayName, plural } from '#server/billing/words.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { clash, invalid } from '#server/errors/refused.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { entity, type Logged } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'

/** A night as stored; its billable units are computed. */
const KeptNight = contract.OccupancyNight.omit({
  percentage: true,
  floor_units: true,
  billable_units: true,
  reason: true,
}).extend({
  minimum_billable_percentage: contract.NightTerms.shape.rate_per_unit,
  holiday_billable_percentage: contract.NightTerms.shape.rate_per_unit,
})
type KeptNight = z.output<typeof KeptNight>

const nights = entity({
  table: 'occupancy_nights',
  row: KeptNight,
  detail: KeptNight,
  label: 'property_name',
  computed: {
    property: sql`json_build_object('id', t.property_id, 'name', t.property_name)`,
    minimum_billable_percentage: sql`t.minimum_billable_percentage::text`,
    holiday_billable_percentage: sql`t.holiday_billable_percentage::text`,
    rate_per_unit: sql`t.rate_per_unit::text`,
    occupied_units_now: sql`cardinality(rooms_now(t.property_id, t.night, t.time_zone))`,
  },
  filters: {
    words: wordsOf(sql`t.property_name`),
    from: ({ value }) => sql`t.night >= ${value}::date`,
    to: ({ value }) => sql`t.night <= ${value}::date`,
  },
  belongs: { property_id: 'property_id' },
})
const logged: Logged = { ...nights, label: sql`t.property_name || ', ' || t.night` }

function answered(kept: KeptNight): z.output<typeof contract.OccupancyNight> {
  const { minimum_billable_percentage, holiday_billable_percentage, ...night } = kept
  const { total_units, occupied_units, is_holiday, currency, rate_per_unit } = night
  const bill = total_units === null || occupied_units === null ? null : billOf({ ...kept, total_units, occupied_units })
  return {
    ...night,
    rate_per_unit: amountText(rate_per_unit, currency),
    percentage: Number(is_holiday ? holiday_billable_percentage : minimum_billable_percentage),
    floor_units: bill?.floor_units ?? null,
    billable_units: bill?.billable_units ?? null,
    reason: bill?.reason ?? null,
  }
}

/** Locks the property's ledger, so that nothing is billed or corrected meanwhile, and refuses a night that is not in it. */
async function refuseNoNight(scope: Scope, property_id: number, night: string) {
  const [ledger] = await scope.run(sql<{ has: boolean; written: boolean; over: boolean }>`
    select ${night}::date >= t.begins_on and (p.deleted_at is null or ${night}::date < local_day(p.deleted_at, p.time_zone)) as has,
      ${night}::date <= t.kept_until as written, ${night}::date < local_day(app_now(), p.time_zone) as over
    from night_ledgers as t join properties as p on p.customer_id = t.customer_id and p.id = t.property_id
    where t.property_id = ${property_id} and ${scope.inReach('night_ledgers', 't')} for update of t`)
  if (!ledger?.has) throw invalid({ night: ['The property has no night of this date.'] })
  if (!ledger.over) throw invalid({ night: ['This night is not over yet.'] })
  if (!ledger.written)
    throw invalid({ night: ['This night is over, but Foyer has not recorded it yet. Try again in a few minutes.'] })
}

type Correction = Omit<z.output<typeof contract.correctNight.input>, 'last_night' | 'other_nights' | 'version'>
type Former = ColumnsOf<'occupancy_nights', 'version' | 'occupied_units' | 'noted_by'>

/** The newest version of a night; none if it was over before the ledger began. */
async function formerOf(scope: Scope, { property_id, night }: Pick<Correction, 'property_id' | 'night'>) {
  const [former] = await scope.run(sql<Former>`
    select t.version, t.occupied_units, t.noted_by from occupancy_nights as t
    where t.property_id = ${property_id} and t.night = ${night}::date and not t.superseded
      and ${scope.inReach('occupancy_nights', 't')}`)
  return former
}

/** Its rooms are those of the former version, if the figure stays, else those that are known by now, if they are as many. */
async function addVersion(scope: Scope, input: Correction, occupied_units: number) {
  const { property_id, night, note, take_present_terms } = input
  const [added] = await scope.run(sql<{ id: number; total_units: number }>`
    insert into occupancy_nights (customer_id, property_id, night, version, total_units, occupied_units, room_numbers, is_holiday,
      holiday, minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, time_zone, property_name,
      group_id, accounting_contact_id, noted_by_user_id, noted_by, note)
    select ${scope.customer_id}, p.id, ${night}::date, coalesce(former.version, 0) + 1, coalesce(k.total_units, p.total_units),
      ${occupied_units}, case when former.occupied_units = ${occupied_units} then former.room_numbers
        when cardinality(n.rooms) = ${occupied_units} then n.rooms else '{}' end,
      case when k.version is null then h.name is not null else k.is_holiday end,
      case when k.version is null then h.name else k.holiday end,
      coalesce(k.minimum_billable_percentage, p.minimum_billable_percentage),
      coalesce(k.holiday_billable_percentage, p.holiday_billable_percentage), coalesce(k.rate_per_unit, p.rate_per_unit),
      coalesce(k.currency, property_currency(p)), coalesce(k.time_zone, p.time_zone), coalesce(k.property_name, p.name),
      case when k.version is null then p.group_id else k.group_id end,
      case when k.version is null then p.accounting_contact_id else k.accounting_contact_id end,
      ${userIdOf(scope)}::integer, ${scope.principal.name}, ${note}
    from (select ${property_id}::integer as id) as asked
    join night_ledgers as l on l.property_id = asked.id and ${scope.inReach('night_ledgers', 'l')}
    join properties as p on p.customer_id = l.customer_id and p.id = l.property_id
    left join lateral (select t.* from occupancy_nights as t
      where t.property_id = p.id and t.night = ${night}::date and not t.superseded and ${scope.inReach('occupancy_nights', 't')}
    ) as former on true
    left join lateral (select former.* where former.version is not null and not ${take_present_terms}) as k on true
    left join lateral (select t.name from property_holidays as t
      where t.property_id = p.id and ${night}::date between t.starts_on and t.ends_on and ${scope.inReach('property_holidays', 't')}
      order by t.starts_on, t.id limit 1) as h on true
    cross join lateral (select rooms_now(p.id, ${night}::date, coalesce(former.time_zone, p.time_zone)) as rooms) as n
    returning id, total_units`)
  if (!added) throw new Error('a correction was not written')
  return added
}

async function corrected(scope: Scope, input: Correction, version: number | null = null): Promise<KeptNight> {
  const former = await formerOf(scope, input)
  if (version !== null && version !== (former?.version ?? 0))
    throw clash(
      `${former?.noted_by ?? 'Foyer'} has corrected this night meanwhile, to ${plural(former?.occupied_units ?? 0, 'room')} let.`,
    )
  const occupied_units = input.occupied_units ?? former?.occupied_units ?? null
  if (occupied_units === null)
    throw invalid({
      occupied_units: [`The number of rooms let on ${dayName(input.night)} is missing: enter a figure.`],
    })
  const { id, total_units } = await addVersion(scope, input, occupied_units)
  // A figure that was recorded above the units stays as it is: the rooms were let.
  if (occupied_units > total_units && occupied_units !== former?.occupied_units)
    throw invalid({
      occupied_units: [`The property had ${plural(total_units, 'unit')} that night, so no more can have been let.`],
    })
  const row = await oneRow(scope, nights, id)
  const before = { occupied_units: former?.occupied_units ?? null, note: null }
  const after = { occupied_units: row.occupied_units, note: row.note }
  await logActivity(scope, { action: 'update', entity: logged, row, before, after })
  return row
}

/** From the first to the last, and the others with them. */
function nightsOf({ night, last_night, other_nights }: z.output<typeof contract.correctNight.input>) {
  const last = last_night ?? night
  if (last < night || last >= addDays(night, contract.nights_at_once))
    throw invalid({ last_night: [`Choose up to ${contract.nights_at_once} nights in a row.`] })
  const inRow = Array.from({ length: daysIn(night, last) }, (_, at) => addDays(night, at))
  const others = [...new Set(other_nights)].filter((other) => !inRow.includes(other))
  if (inRow.length + others.length > contract.nights_at_once)
    throw invalid({ other_nights: [`Choose up to ${contract.nights_at_once} nights.`] })
  return { inRow, last, others }
}

export default serve(contract, {
  nightList: async ({ scope, input }) => {
    const filters = { ...input.filters, superseded: input.filters.superseded ?? false }
    const asked = searched({ ...input, filters, sort: input.sort ?? '-night' })
    const { data, meta } = (await listRows(scope, nights, asked)).parsed()
    return { data: data.map(answered), meta }
  },
  correctNight: async ({ scope, input }) => {
    const { property_id, night, version, occupied_units, take_present_terms } = input
    if (occupied_units == null && !take_present_terms) throw invalid({ occupied_units: [messages.fields.required] })
    const { inRow, last, others } = nightsOf(input)
    for (const one of new Set([night, last, ...others])) await refuseNoNight(scope, property_id, one)
    for (const one of others) await corrected(scope, { ...input, night: one })
    let row = await corrected(scope, { ...input, night }, version)
    for (const next of inRow.slice(1)) row = await corrected(scope, { ...input, night: next })
    return answered(row)
  },
})
