// The seal: what goes in comes out again, and nothing else does.
import { expect, test } from 'vitest'
import { openSeal } from '#server/access/seal.ts'

const seal = openSeal('the secret key of this test, long enough')

test('a text comes out as it went in, and is closed differently each time', () => {
  for (const text of ['', 'welcome', 'Grüße, 雅典, 🗝️']) {
    const [once, again] = [seal.close(text), seal.close(text)]
    expect(seal.open(once)).toBe(text)
    expect(once.equals(again)).toBe(false)
    expect(once.includes(Buffer.from('welcome'))).toBe(false)
  }
})

test('one changed bit anywhere is refused', () => {
  const sealed = seal.close('welcome')
  for (let index = 0; index < sealed.length; index++) {
    const damaged = Buffer.from(sealed)
    damaged[index] = (damaged[index] ?? 0) ^ 1
    expect(() => seal.open(damaged)).toThrow()
  }
  expect(() => seal.open(sealed.subarray(0, 20))).toThrow('no sealed value')
})

test('another secret key is told from damage', () => {
  expect(() => openSeal('another secret key, long enough too').open(seal.close('welcome'))).toThrow('SECRET_KEY')
})
