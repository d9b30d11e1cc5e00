// Codes: drawn so that nobody can guess the next one, and written so that a batch always has exactly as many as it says.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { code_alphabet, code_length } from '#contract/vouchers.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { spendQuota } from '#server/fairness/quotas.ts'

/** 248: higher bytes are discarded, because otherwise the first symbols would be a little more frequent than the last. */
const fair_below = 256 - (256 % code_alphabet.length)

let bytes = Buffer.alloc(0)
let next = 0
function symbol(): string {
  for (;;) {
    if (next === bytes.length) [bytes, next] = [randomBytes(16_384), 0]
    const byte = bytes[next++] ?? fair_below
    if (byte < fair_below) return code_alphabet.charAt(byte % code_alphabet.length)
  }
}

/** `quantity` codes, no two alike. */
export function drawCodes(quantity: number): string[] {
  const codes = new Set<string>()
  while (codes.size < quantity) {
    let code = ''
    while (code.length < code_length) code += symbol()
    codes.add(code)
  }
  return [...codes]
}

/** Codes per statement, so that the database and the server can do other work in between. */
const statement_codes_max = 10_000

/** Gives the batch exactly `quantity` codes that no voucher of the installation has or ever had. */
export async function writeCodes(scope: Scope, batch_id: number, quantity: number, draw = drawCodes) {
  await spendQuota(scope, 'codes', quantity)
  let missing = quantity
  while (missing > 0) {
    const codes = draw(Math.min(missing, statement_codes_max))
    // A code that is already taken, perhaps by another customer, is skipped, and another one is drawn.
    const [written] = await scope.run(sql<{ count: number }>`
      with written as (
        insert into vouchers (customer_id, voucher_batch_id, code)
        select ${scope.customer_id}, ${batch_id}, code from string_to_table(${codes.join(',')}, ',') as code
        on conflict (code) do nothing returning 1)
      select count(*)::integer as count from written`)
    missing -= written?.count ?? 0
  }
}
