// Ways: which way in a form means.
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import type { Fields } from './way.ts'
import { typedIn, wayIn } from './ways.ts'

const { free, voucher } = authMethods
const asked = (fields: Fields, offered: number[] = [free, voucher]) => wayIn(offered, fields)?.method
const [free_, voucher_] = [String(free), String(voucher)]

test('what a guest chose counts, also where another field still holds what was tried before', () => {
  expect(asked({ method: free_, opened_with: voucher_, voucher_code: 'ABCD' })).toBe(free)
  expect(asked({ method: voucher_, opened_with: free_, voucher_code: '' })).toBe(voucher)
})

test('where nothing was chosen, the field that was filled in does', () => {
  expect(asked({ method: free_, opened_with: free_, voucher_code: 'ABCD' })).toBe(voucher)
  expect(asked({ voucher_code: 'ABCD' })).toBe(voucher)
  expect(asked({ method: free_, opened_with: free_, voucher_code: ' ' })).toBe(free)
})

test('what the portal does not offer is no way in', () => {
  expect(asked({ method: voucher_, voucher_code: 'ABCD' }, [free])).toBeUndefined()
  expect(asked({ method: '99' })).toBeUndefined()
})

test('a password is not shown again', () => {
  expect(typedIn({ voucher_code: 'ABCD', voucher_password: 'secret', password: 'secret' })).toEqual({
    voucher_code: 'ABCD',
  })
})
