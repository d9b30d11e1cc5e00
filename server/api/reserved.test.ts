// Reserved fields: what a caller may not write never reaches a handler, whatever happens between reading and writing.
import { expect, test } from 'vitest'
import { reservedForCustomer } from '#contract/errors.ts'
import * as properties from '#contract/properties.ts'
import type { Caller } from '#server/access/principal.ts'
import { rightsOf } from '#server/access/policies.ts'
import { withoutReserved } from '#server/api/reserved.ts'

/** The parts of a caller that are needed: the level they act at, and their rights. */
const editorOf = (owner_type: 'Customer' | 'Group') =>
  ({ owner: { owner_type }, can: rightsOf(owner_type, 'editor') }) as Caller
const stored = () => Promise.resolve({ id: 4, name: 'Quay House', rate_per_unit: 3, total_units: 20 })
/** As the schema has read it: money is a text. */
const input = { id: 4, name: 'The Lantern', rate_per_unit: '3', total_units: 20 }

test('an unchanged reserved field is left out: somebody else may change it meanwhile', async () => {
  const written = await withoutReserved(editorOf('Group'), properties.update, input, stored)
  expect(written).toEqual({ id: 4, name: 'The Lantern' })
})

test('a changed reserved field is refused on its field', async () => {
  const asked = { ...input, rate_per_unit: '1' }
  await expect(withoutReserved(editorOf('Group'), properties.update, asked, stored)).rejects.toMatchObject({
    errors: { rate_per_unit: [reservedForCustomer] },
  })
})

test('the record is not read for callers who may write every field, or who give no reserved one', async () => {
  const never = () => Promise.reject(new Error('looked'))
  expect(await withoutReserved(editorOf('Customer'), properties.update, input, never)).toBe(input)
  const plain = { id: 4, name: 'The Lantern' }
  expect(await withoutReserved(editorOf('Group'), properties.update, plain, never)).toBe(plain)
})
