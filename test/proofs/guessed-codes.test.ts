// Guessed codes: none of 100,000 guesses succeeds at a property with ten thousand valid codes, and as many as the limits allow in a
// year would hardly ever succeed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code_alphabet, code_length } from '#contract/vouchers.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { tries } from '#server/guest/sign-in.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { drawCodes } from '#server/vouchers/codes.ts'
import { redeemCode } from '#server/vouchers/redeem.ts'
import { aMacAddress, openFoyer, patient, type TestFoyer } from '#test/foyer.ts'
import { chance, share } from './proof.ts'
import { codesOf } from '#test/voucher-codes.ts'

const live = share(10_000)
const guesses = share(100_000)
const lanes = 3
const guesses_of_transaction = 100
const chance_in_a_year_max = 1e-4

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const random = chance()
const any = (count: number) => Math.floor(random() * count)
/** Nearly right: one symbol is different. */
function nearly(code: string): string {
  const at = any(code.length)
  const others = code_alphabet.replace(code.charAt(at), '')
  return code.slice(0, at) + others.charAt(any(others.length)) + code.slice(at + 1)
}

test('no guessed code is admitted, and a valid one among them is', { timeout: 3_600_000 }, async ({ task }) => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const batch = await foyer.voucherBatch(editor, { quantity: live, property_id })
  const admin = await connect(foyer.database.adminUrl)
  const codes = await codesOf(admin, batch.id)
  await admin.end()
  expect(codes).toHaveLength(live)

  // Half of them are nearly right, like guesses by somebody who has seen a slip; the limit of attempts is not applied here.
  const near_misses = Array.from({ length: guesses / 2 }, () => nearly(codes[any(live)] ?? ''))
  const guessed = [...drawCodes(guesses / 2), ...near_misses]
  const tenancy = openTenancy(foyer.database, { ...patient, codes: foyer.services.codes })
  const seal = openSeal(foyer.database.secretKeys)
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const redeemAll = (typed: string[]) =>
    tenancy.enter(caller, 'write', async (scope) => {
      const admitted: string[] = []
      for (const code of typed) {
        const one = { code, mac_address: aMacAddress(), credentials: null, property_id }
        if ((await redeemCode(scope, seal, one)).admitted) admitted.push(code)
      }
      return admitted
    })
  const admitted: string[] = []
  const lane = async () => {
    while (guessed.length > 0) admitted.push(...(await redeemAll(guessed.splice(0, guesses_of_transaction))))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  expect(admitted).toEqual([])
  const right = codes.slice(0, 1)
  expect(await redeemAll(right)).toEqual(right)
  await tenancy.close()

  const a_year_s = 365 * 24 * 3600
  const tries_of_year = (tries.of_address_max / tries.of_address_s) * a_year_s
  const chance_in_a_year = (tries_of_year * 10_000) / code_alphabet.length ** code_length
  expect(chance_in_a_year).toBeLessThan(chance_in_a_year_max)
  const allowed = `a year of ${tries.of_address_max} tries a minute from one address`
  task.meta.figures =
    `${guesses} guesses against ${live} live codes, half of them with one wrong symbol: 0 admitted; ` +
    `${allowed} hits one of 10,000 with a chance of ${chance_in_a_year.toExponential(1)}`
})
