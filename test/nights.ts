// Nights: gives a test past nights without waiting for them, by backdating what exists.
import { keepNights } from '#server/billing/keep-nights.ts'
import type { TestFoyer } from '#test/foyer.ts'
import { connect } from '#server/db/logins.ts'

const day_ms = 24 * 3600 * 1000

/** The date some days after `2026-01-31`. */
export const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)

export async function inDatabase<R extends object>(foyer: TestFoyer, text: string, values: unknown[] = []) {
  const admin = await connect(foyer.database.adminUrl)
  try {
    return (await admin.query<R>(text, values)).rows
  } finally {
    await admin.end()
  }
}

/** Writes every night that is over. */
export const writeNights = (foyer: TestFoyer) => keepNights(foyer.services.tenancy)

/** Lets the property have a ledger since a date, and backdates everything in it, including the log of its changes. */
export async function sinceDay(foyer: TestFoyer, property_id: number, day: string): Promise<void> {
  const before = `$2::timestamp - interval '10 days'`
  for (const table of ['rooms', 'room_guests', 'accounts', 'property_holidays'])
    await inDatabase(foyer, `update ${table} set created_at = ${before} where property_id = $1`, [property_id, day])
  await inDatabase(foyer, `update activity set created_at = ${before} where created_at < now() and $1 > 0`, [
    property_id,
    day,
  ])
  await inDatabase(
    foyer,
    `update night_ledgers set begins_on = $2::date, kept_from = $2::date, kept_until = $2::date - 1 where property_id = $1`,
    [property_id, day],
  )
}

/** The present date at a property. */
export async function todayAt(foyer: TestFoyer, property_id: number): Promise<string> {
  const [now] = await inDatabase<{ today: string }>(
    foyer,
    `select local_day(now(), time_zone)::text as today from properties where id = $1`,
    [property_id],
  )
  return now?.today ?? ''
}
