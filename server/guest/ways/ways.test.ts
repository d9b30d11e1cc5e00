// Ways: which way in a form chooses.
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import type { Fields } from './way.ts'
import { wayIn } from './ways.ts'

const { free, voucher } = authMethods
const asked = (fields: Fields, offered: number[] = [free, voucher]) => wayIn(offered, fields)?.method
const [free_, voucher_] = [String(free), String(voucher)]

test('the chosen way counts, even if another field still has a former value', () => {
  expect(asked({ method: free_, opened_with: voucher_, voucher_code: 'ABCD' })).toBe(free)
  expect(asked({ method: voucher_, opened_with: free_, voucher_code: '' })).toBe(voucher)
  expect(asked({ method: free_, opened_with: '', voucher_code: 'ABCD' })).toBe(free)
})

test('without a choice the field that was filled in counts', () => {
  expect(asked({ method: free_, opened_with: free_, voucher_code: 'ABCD' })).toBe(voucher)
  expect(asked({ voucher_code: 'ABCD' })).toBe(voucher)
  expect(asked({ method: free_, opened_with: free_, voucher_code: ' ' })).toBe(free)
})

test('a way that the portal does not offer cannot be chosen', () => {
  expect(asked({ method: voucher_, voucher_code: 'ABCD' }, [free])).toBeUndefined()
  expect(asked({ method: '99' })).toBeUndefined()
})
