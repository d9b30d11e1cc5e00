// Remaining codes: the codes that can still be given out, the batches that have some, and the content of a mail with them.
import { sql } from 'kysely'
import { mailed_max } from '#contract/voucher-batches.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'
import { slipFacts } from '#server/vouchers/export.ts'
import { voucherSlip } from '#server/vouchers/slip.ts'
import { joinCode, storedCode } from '#server/secrets/stored-code.ts'

/** Of the code `v`. */
export const isUnused = sql<boolean>`v.redeemed_at is null and v.taken_back_at is null`

/** Of the batch `t`. */
export const hasCodesLeft = sql<boolean>`
  (t.active and t.redeemed < t.quantity and (t.expires_at is null or t.expires_at > app_now()) and exists (
    select from vouchers as v where v.customer_id = t.customer_id and v.voucher_batch_id = t.id and ${isUnused}))`

const tooMany = `More than ${mailed_max} codes cannot be mailed. Download them as a file instead.`
const noneLeft = 'No codes are left in this batch: each has been used or taken back.'

/** The content of a mail about the batch. Refused if no codes are left, or more than a mail may have. */
export async function codesLeft(scope: Scope, id: number) {
  const facts = await slipFacts(scope, id)
  const codes = await scope.run(sql<StoredCode & { id: number }>`
    select v.id, ${storedCode('v')} from vouchers as v ${joinCode('v')}
    where v.voucher_batch_id = ${id} and ${isUnused} and ${scope.inReach('vouchers', 'v')}
    order by v.id limit ${mailed_max + 1}`)
  if (codes.length === 0) throw invalid({ id: [noneLeft] })
  if (codes.length > mailed_max) throw invalid({ id: [tooMany] })
  const { place, package_name, time, data, speed, devices, validity, password, batch_number } = voucherSlip(facts)
  const terms = [package_name, time, data, speed, devices, ...validity].join(', ')
  return { place, batch_number, terms, password, shared: facts.shared, codes }
}
