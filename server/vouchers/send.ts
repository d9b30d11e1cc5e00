// Send: the codes of a batch by mail, for whoever hands them out.
import { sql } from 'kysely'
import { mailed_max } from '#contract/voucher-batches.ts'
import { shown } from '#contract/vouchers.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { voucherCodes, type Mail } from '#server/deliveries/mail-templates.ts'
import { slipFacts } from '#server/vouchers/export.ts'
import { slipOf } from '#server/vouchers/slip.ts'

const tooMany = `More than ${mailed_max} codes are too many for a mail. Download them as a file instead.`
const noneLeft = 'All codes of this batch have been used.'

/** The mail, and how many codes stand in it: those that nobody has used yet. */
export async function mailOfBatch(scope: Scope, id: number, recipient_email: string): Promise<[Mail, number]> {
  const facts = await slipFacts(scope, id)
  const codes = await scope.run(sql<{ code: string }>`
    select t.code from vouchers as t
    where t.voucher_batch_id = ${id} and t.redeemed_at is null and ${scope.inReach('vouchers', 't')}
    order by t.id limit ${mailed_max + 1}`)
  if (codes.length === 0) throw invalid({ id: [noneLeft] })
  if (codes.length > mailed_max) throw invalid({ id: [tooMany] })
  const { place, package_name, time, data, speed, devices, validity, password, batch_number } = slipOf(facts)
  const terms = [package_name, time, data, speed, devices, ...validity].join(', ')
  const mail = voucherCodes(recipient_email, {
    place,
    batch_number,
    terms,
    password,
    codes: codes.map(({ code }) => shown(code)),
  })
  return [mail, codes.length]
}
