// Voucher codes, as a test has them that looks into the database.
import { openSeal } from '#server/secrets/seal.ts'
import { openVoucherCodes, type StoredCode } from '#server/secrets/voucher-codes.ts'
import { secretKey } from '#test/database.ts'

interface Database {
  query(text: string, values: unknown[]): Promise<{ rows: object[] }>
}

/** Those of a batch, in the order in which they are printed. */
export async function codesOf(database: Database, batch_id: number, key = secretKey): Promise<string[]> {
  const { rows } = await database.query(
    `select v.customer_id, v.code, k.fingerprint, k.sealed_code from vouchers v
     left join voucher_codes k on k.customer_id = v.customer_id and k.voucher_id = v.id
     where v.voucher_batch_id = $1 order by v.id`,
    [batch_id],
  )
  const codes = openVoucherCodes(
    openSeal(() => [key]),
    () => {
      throw new Error('nothing is looked up here')
    },
    () => false,
  )
  return (rows as (StoredCode & { customer_id: number })[]).map((row) => codes(row.customer_id).open(row))
}

/** The row of `vouchers` that has the code, a parameter of the statement: by what of it can be read. */
export const withCode = (parameter = '$1') =>
  `id in (select voucher_id from voucher_codes where last_four = right(${parameter}, 4))`
