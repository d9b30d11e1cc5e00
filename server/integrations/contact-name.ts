// Contact name: what an accounting contact is called, wherever a record names it: its name, else the first name, else what it has.
import { sql } from 'kysely'

/** Of a row that is called so. */
export const contactLabel = (alias: string) =>
  sql`coalesce(${sql.join(
    ['name', 'first_name', 'last_name', 'email_address', 'external_id'].map((column) => sql.ref(`${alias}.${column}`)),
  )})`

/** Of the contact that a row `t` points at, as `{id, name}`. */
export const contactName = sql`(select json_build_object('id', r.id, 'name', ${contactLabel('r')}) from accounting_contacts as r
  where r.customer_id = t.customer_id and r.id = t.accounting_contact_id)`
