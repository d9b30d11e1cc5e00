// Codes: evenly distributed, unique, and always as many as were requested.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code_alphabet } from '#contract/vouchers.ts'
import { connect } from '#server/db/logins.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { drawCodes, writeCodes } from '#server/vouchers/codes.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'

let foyer: TestFoyer
let tenancy: Tenancy
beforeAll(async () => {
  foyer = await openFoyer()
  tenancy = openTenancy(foyer.database, { codes: foyer.services.codes })
})
afterAll(async () => {
  await tenancy.close()
  await foyer.close()
})

test('a hundred thousand codes are all different, of the 31 symbols, each as often as any other', () => {
  const codes = drawCodes(100_000)
  expect(new Set(codes).size).toBe(100_000)
  expect(codes.every((code) => /^[2-9A-HJKMNP-Z]{12}$/.test(code))).toBe(true)
  const seen = new Map<string, number>()
  for (const symbol of codes.join('')) seen.set(symbol, (seen.get(symbol) ?? 0) + 1)
  expect(seen.size).toBe(code_alphabet.length)
  // 38,710 are expected of each, give or take 194; with `byte % 31` some would be 12 % above the others.
  for (const count of seen.values()) expect(Math.abs(count - 1_200_000 / 31)).toBeLessThan(6 * 194)
})

test('a code that another customer has is skipped, and the batch still gets all its codes', async () => {
  const [editor, neighbour] = [await foyer.customer(), await foyer.customer()]
  const [mine, theirs] = [
    await foyer.voucherBatch(editor, { quantity: 3 }),
    await foyer.voucherBatch(neighbour, { quantity: 3 }),
  ]
  const admin = await connect(foyer.database.adminUrl)
  const taken = await codesOf(admin, theirs.id)

  const draws: number[] = []
  const unlucky = (quantity: number) => {
    draws.push(quantity)
    return draws.length === 1 ? [...drawCodes(quantity - taken.length), ...taken] : drawCodes(quantity)
  }
  await tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'write', (scope) =>
    writeCodes(scope, mine.id, 20, unlucky),
  )

  expect(draws).toEqual([20, 3])
  expect(new Set(await codesOf(admin, mine.id)).size).toBe(3 + 20)
  expect(await codesOf(admin, theirs.id)).toEqual(taken)
  await admin.end()
})
