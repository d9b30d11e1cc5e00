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
const statement_codes_max = 500

/** Gives the batch exactly `quantity` codes that no voucher of the installation has or ever had. */
export async function writeCodes(scope: Scope, batch_id: number, quantity: number, draw = drawCodes) {
  await spendQuota(scope, 'codes', quantity)
  const drawSome = async (count: number) =>
    count === 0 ? [] : sealed(scope, draw(Math.min(count, statement_codes_max)))
  let codes = await drawSome(quantity)
  for (let missing = quantity; missing > 0;) {
    // The next ones are sealed while the database writes these.
    const [written, next] = await Promise.all([writeFree(scope, batch_id, codes), drawSome(missing - codes.length)])
    missing -= written
    codes = next.length > 0 ? next : await drawSome(missing)
  }
}

const sealed = (scope: Scope, codes: string[]) => codes.map((code) => ({ code, ...scope.codes.seal(code) }))

/** Answers how many: a code that is already taken, perhaps by another customer, is skipped. */
async function writeFree(scope: Scope, batch_id: number, codes: ReturnType<typeof sealed>): Promise<number> {
  const [written] = await scope.run(sql<{ count: number }>`
    with drawn as (
      select * from unnest(${codes.map(({ code }) => code)}::text[], ${codes.map(({ fingerprint }) => fingerprint)}::bytea[],
        ${codes.map(({ sealed_code }) => sealed_code)}::bytea[], ${codes.map(({ last_four }) => last_four)}::text[])
        as d(code, fingerprint, sealed_code, last_four)),
    free as (
      insert into voucher_codes (customer_id, voucher_id, fingerprint, sealed_code, last_four)
      select ${scope.customer_id}, nextval('vouchers_id_seq'), d.fingerprint, d.sealed_code, d.last_four from drawn as d
      -- Not an anti-join, for which all vouchers would be read.
      where (select v.id from vouchers as v where v.code = d.code) is null
      on conflict (fingerprint) do nothing returning voucher_id, fingerprint),
    written as (
      insert into vouchers (customer_id, id, voucher_batch_id, code) overriding system value
      select ${scope.customer_id}, f.voucher_id, ${batch_id}, case when ${scope.codes.arePlain} then d.code end
      from free as f join drawn as d using (fingerprint) returning 1)
    select count(*)::integer as count from written`)
  return written?.count ?? 0
}
