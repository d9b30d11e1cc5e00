// Contact name: the name of an accounting contact wherever it is shown: its name, else the first name, else whatever it has.
import { sql } from 'kysely'

/** Of the row `alias`. */
export const contactLabel = (alias: string) =>
  sql`coalesce(${sql.join(
    ['name', 'first_name', 'last_name', 'email_address', 'external_id'].map((column) => sql.ref(`${alias}.${column}`)),
  )})`

/** Of the contact that a row `t` points at, as `{id, name}`. */
export const contactName = sql`(select json_build_object('id', r.id, 'name', ${contactLabel('r')}) from accounting_contacts as r
  where r.customer_id = t.customer_id and r.id = t.accounting_contact_id)`
