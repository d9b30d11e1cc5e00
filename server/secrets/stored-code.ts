// Stored code: the columns of a `StoredCode` in a statement, and the table that has them beside vouchers.
import { sql } from 'kysely'

/** Of a row of `vouchers`, with `joinCode`. */
export const storedCode = (row: string) => sql`${sql.ref(`${row}.code`)}, k.fingerprint, k.sealed_code`

/** To a row of `vouchers`, as `k`; it has none where a node of the release before, or a sample, has just made it. */
export const joinCode = (row: string) => sql`
  left join voucher_codes as k on k.customer_id = ${sql.ref(`${row}.customer_id`)} and k.voucher_id = ${sql.ref(`${row}.id`)}`
