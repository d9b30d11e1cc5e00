// The seal: a sealed text opens to the same text, and nothing else opens.
import { expect, test } from 'vitest'
import { beginningUnder, keyIdOf, openSeal } from '#server/secrets/seal.ts'
import type { SealedPlace } from '#server/secrets/sealed-columns.ts'
import type { Keys } from '#server/start/secret-key.ts'

const [first, second] = ['the secret key of this test, long enough', 'another secret key, long enough too']
const under = (...keys: Keys) => openSeal(() => keys)
const seal = under(first)
const place: SealedPlace = { column: 'account_passwords.sealed_password', customer_id: 3, row: 7 }

test('a text comes out as it went in, and is closed differently each time', () => {
  for (const text of ['', 'welcome', 'Grüße, 雅典, 🗝️']) {
    const [once, again] = [seal.close(text, place), seal.close(text, place)]
    expect(seal.open(once, place)).toBe(text)
    expect(once.equals(again)).toBe(false)
    expect(once.includes(Buffer.from('welcome'))).toBe(false)
  }
})

test('no two values are closed with the same nonce', () => {
  const nonces = Array.from({ length: 2000 }, () => seal.close('welcome', place).subarray(5, 17).toString('hex'))
  expect(new Set(nonces).size).toBe(nonces.length)
})

test('one changed bit anywhere is refused', () => {
  const sealed = seal.close('welcome', place)
  for (let index = 0; index < sealed.length; index++) {
    const damaged = Buffer.from(sealed)
    damaged[index] = (damaged[index] ?? 0) ^ 1
    expect(() => seal.open(damaged, place)).toThrow()
  }
  expect(() => seal.open(sealed.subarray(0, 20), place)).toThrow('no sealed value')
})

test.each<[string, Partial<SealedPlace>]>([
  ['another row', { row: 8 }],
  ['another customer', { customer_id: 4 }],
  ['no customer', { customer_id: null }],
  ['another column', { column: 'voucher_batch_passwords.sealed_password' }],
])('a value that was moved to %s does not open', (_where, moved) => {
  expect(() => seal.open(seal.close('welcome', place), { ...place, ...moved })).toThrow()
})

test('another secret key is distinguished from damage', () => {
  expect(() => under(second).open(seal.close('welcome', place), place)).toThrow('SECRET_KEY')
})

test('while there are two keys, both open, and the one that all nodes have agreed on seals', () => {
  const both = under(second, first)
  expect(both.open(seal.close('welcome', place), place)).toBe('welcome')
  expect(under(second).open(both.close('welcome', place), place)).toBe('welcome')
  const agreed = openSeal(
    () => [second, first],
    () => keyIdOf(first),
  )
  const sealed = agreed.close('welcome', place)
  expect(seal.open(sealed, place)).toBe('welcome')
  expect(sealed.subarray(0, 5)).toEqual(beginningUnder(keyIdOf(first)))
})

test('a value from before values were bound to places still opens, in any place', () => {
  const former = Buffer.from('01cf5bd0120402a57fdf61cd0b281c8bd4b3ddba3a2b7dae258cbd602295b43057c8b6d3291d5ca0', 'hex')
  expect(seal.open(former, place)).toBe('welcome')
})
