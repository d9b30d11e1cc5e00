// Passwords: those that everybody tries first are refused, however long they are.
import { expect, test } from 'vitest'
import { refuseCommon } from '#server/access/passwords.ts'

test.each(['            ', 'aaaaaaaaaaaaaa', '  zzzzzzzzzzzz  ', 'PASSWORD1234'])('%j is too common', (password) => {
  expect(() => refuseCommon(password)).toThrow('The given data was invalid.')
})

test('a sentence of one’s own is not', () => {
  expect(() => refuseCommon('a long enough password')).not.toThrow()
})
