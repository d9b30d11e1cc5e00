// Ledgers: properties with recorded nights, for journeys that bill them.
import { connect } from '#server/db/logins.ts'
import { ask } from '#test/journeys/people.ts'

interface Place {
  url: string
  dataDir: string
  database(): string
}

/** A property with all past nights recorded, except the first `unknown` nights of last month. */
export async function aLedger(foyer: Place, token: string, name: string, unknown: number, rate_per_unit = 31) {
  const values = { address: '1 High Street', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const terms = { total_units: 10, rate_per_unit, minimum_billable_percentage: 60, currency: 'GBP' }
  const { status, data } = await ask(foyer, '/properties-create', { name, ...values, ...terms }, token)
  if (status !== 201) throw new Error(`/properties-create answered ${status}`)
  const admin = await connect(foyer.database())
  try {
    const last = `date_trunc('month', now() - interval '1 month')::date`
    await admin.query(
      `insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
       select customer_id, id, ${last}, ${last}, current_date - 1 from properties where id = $1
       on conflict (customer_id, property_id) do update
         set begins_on = excluded.begins_on, kept_from = excluded.kept_from, kept_until = excluded.kept_until`,
      [data['id']],
    )
    await admin.query(
      `insert into occupancy_nights (customer_id, property_id, night, total_units, occupied_units, room_numbers,
         minimum_billable_percentage, holiday_billable_percentage, rate_per_unit, currency, time_zone, property_name)
       select p.customer_id, p.id, d::date, p.total_units, 0, '{}', p.minimum_billable_percentage, p.holiday_billable_percentage,
         p.rate_per_unit, 'GBP', p.time_zone, p.name
       from properties p, generate_series(${last} + $2::integer, current_date - 1, interval '1 day') d where p.id = $1
       on conflict do nothing`,
      [data['id'], unknown],
    )
  } finally {
    await admin.end()
  }
  return Number(data['id'])
}
