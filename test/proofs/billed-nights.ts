// Billed nights: past nights of a property in the ledger, and a contact in the books to whom they are billed, without waiting for either.
import type { Client } from 'pg'
import type { Xero } from '#test/providers/xero.ts'

/** What a property is billed by. */
export const terms = { total_units: 10, rate_per_unit: 28, minimum_billable_percentage: 100, currency: 'GBP' }

/** Of all connections to it. */
export async function aContact(admin: Client, xero: Xero): Promise<void> {
  const ContactID = crypto.randomUUID()
  xero.organisations[0]?.contacts.push({ ContactID, Name: 'Payer', ContactStatus: 'ACTIVE', at: new Date() })
  await admin.query(
    `insert into accounting_contacts (customer_id, accounting_integration_id, external_id, name, status)
     select customer_id, id, $1, 'Payer', 'active' from accounting_integrations
     on conflict (customer_id, accounting_integration_id, external_id) do nothing`,
    [ContactID],
  )
}

/** Three nights; returns the period that a run over them has. */
export async function writeNights(admin: Client, property_id: number) {
  const [period_start, period_end] = ['2026-02-01', '2026-02-03']
  await admin.query(
    `insert into night_ledgers (customer_id, property_id, begins_on, kept_from, kept_until)
     select customer_id, id, $2, $2, $3 from properties where id = $1
     on conflict (customer_id, property_id) do update
       set begins_on = excluded.begins_on, kept_from = excluded.kept_from, kept_until = excluded.kept_until`,
    [property_id, period_start, period_end],
  )
  await admin.query(
    `insert into occupancy_nights (customer_id, property_id, night, total_units, occupied_units, minimum_billable_percentage,
       holiday_billable_percentage, rate_per_unit, currency, time_zone, property_name, accounting_contact_id)
     select p.customer_id, p.id, d::date, p.total_units, 0, 100, 100, p.rate_per_unit, 'GBP', p.time_zone, p.name, c.id
     from properties p join accounting_contacts c on c.customer_id = p.customer_id, generate_series($2::date, $3::date, interval '1 day') d
     where p.id = $1 on conflict do nothing`,
    [property_id, period_start, period_end],
  )
  return { period_start, period_end }
}
