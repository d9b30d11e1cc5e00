// Search parameters: they stay the plain strings that users and providers write.
import { describe, expect, test } from 'vitest'
import { idIn, parseSearch, sameDialog, sameScreen, stringifySearch } from './search-params.ts'

describe('plain strings', () => {
  test.each(['99', '4e5', '12345678901234567890', 'true', 'null', '"quoted"', '[1]', 'a b&c=d'])(
    '%s comes back unchanged',
    (value) => expect(parseSearch(stringifySearch({ state: value }))).toEqual({ state: value }),
  )
  test('a repeated name becomes a list, and empty values are left out', () => {
    expect(parseSearch('?f=a&f=b&q=x')).toEqual({ f: ['a', 'b'], q: 'x' })
    expect(stringifySearch({ f: ['a', 'b'], q: '', none: undefined, no: null })).toBe('?f=a&f=b')
    expect(stringifySearch({})).toBe('')
  })
})

test('an id is a positive integer that the database can hold', () => {
  expect([idIn('7'), idIn(['7', '8']), idIn('2147483647')]).toEqual([7, 7, 2147483647])
  for (const wrong of ['0', '-1', '1.5', '1e3', '2147483648', 'x', '', undefined, null, 7])
    expect(idIn(wrong)).toBe(undefined)
})

test('a dialog over a screen does not leave it; another record or tab does', () => {
  const at = (search: Record<string, string>) => ({ pathname: '/customer/groups/update', search })
  expect(sameScreen(at({ id: '4' }), at({ id: '4', modal: 'invite-user', group_id: '4' }))).toBe(true)
  expect(sameScreen(at({ id: '4', modal: 'invite-user', group_id: '4' }), at({ id: '4' }))).toBe(true)
  expect(sameScreen(at({ id: '4' }), at({ id: '5' }))).toBe(false)
  expect(sameScreen(at({ id: '4' }), at({ id: '4', tab: 'users' }))).toBe(false)
  expect(sameScreen(at({ id: '4' }), { pathname: '/customer/groups', search: {} })).toBe(false)
})

test('closing a dialog, or opening it for another record, leaves what is in it; a search below it does not', () => {
  const at = (search: Record<string, string>) => ({ pathname: '/property/dashboard', search })
  const keys = ['modal', 'stay_id']
  const open = { modal: 'stay', stay_id: '4' }
  expect(sameDialog(at(open), at({ ...open, q: 'quay' }), keys)).toBe(true)
  expect(sameDialog(at(open), at({}), keys)).toBe(false)
  expect(sameDialog(at(open), at({ ...open, stay_id: '5' }), keys)).toBe(false)
  expect(sameDialog(at(open), { pathname: '/property/rooms', search: open }, keys)).toBe(false)
})
