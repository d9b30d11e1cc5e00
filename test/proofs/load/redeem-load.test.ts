// Redeem load: thousands of devices try the vouchers of one batch at the same time, on two nodes. Each voucher admits exactly one.

import { afterAll, beforeAll, expect, test } from 'vitest'
import * as batches from '#contract/voucher-batches.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openSeal } from '#server/secrets/seal.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { redeemCode } from '#server/vouchers/redeem.ts'
import { openFoyer, patient, type TestFoyer } from '#test/foyer.ts'
import { share } from '#test/proofs/proof.ts'
import { codesOf } from '#test/voucher-codes.ts'

const quantity = share(500)
const tries_of_voucher = 20
const clients = 20

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const mac = (number: number) =>
  `02:00:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`

test('of twenty attempts on each voucher exactly one succeeds', { timeout: 900_000 }, async ({ task }) => {
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const { id: package_id } = await foyer.package(editor, { max_users: 1, session_time_hrs: 24 })
  const batch = await foyer.voucherBatch(editor, { quantity, package_id, property_id })
  const admin = await connect(foyer.database.adminUrl)
  const codes = await codesOf(admin, batch.id)
  await admin.end()

  const nodes = [1, 2].map(() => openTenancy(foyer.database, { ...patient, codes: foyer.services.codes }))
  const seal = openSeal(foyer.database.secretKeys)
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const tries = Array.from({ length: quantity * tries_of_voucher }, (_, index) => ({
    // In the order of vouchers, so that all attempts on one happen at the same time.
    code: codes[Math.floor(index / tries_of_voucher)] ?? '',
    mac_address: mac(index),
    property_id,
  }))
  const all = tries.length
  const admitted: string[] = []
  const workOff = async (client: number) => {
    for (let next = tries.pop(); next; next = tries.pop()) {
      const values = next
      const outcome = await nodes[client % 2]?.enter(caller, 'write', (scope) =>
        redeemCode(scope, seal, { credentials: null, ...values }),
      )
      if (outcome?.admitted) admitted.push(values.code)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => workOff(client)))
  await Promise.all(nodes.map((node) => node.close()))

  expect(admitted.toSorted()).toEqual(codes.toSorted())
  expect((await foyer.get(batches.get, { id: batch.id }, editor)).data.redeemed).toBe(quantity)
  task.meta.figures = `${all} tries on ${quantity} vouchers, ${admitted.length} admitted`
})
