// Chosen passwords: common ones are refused, however long they are, and those that are little more than names.
import { expect, test } from 'vitest'
import { refuseGuessable } from '#server/access/chosen-passwords.ts'

const owner = {
  name: 'Ana Müller-Silva',
  email: 'a.muller@harbour-hotels.example',
  customer_name: 'Harbour Hotels',
  owner_name: 'Quay 7',
}
const refusalOf = (password: string) => {
  try {
    refuseGuessable(password, [owner])
    return undefined
  } catch (error) {
    return (error as { errors: { password: string[] } }).errors.password[0]
  }
}

test.each([
  '            ',
  'aaaaaaaaaaaaaa',
  '  zzzzzzzzzzzz  ',
  'PASSWORD1234',
  'qwertyuiop123',
  ' 1q2w3e4r5t6y ',
  'chickenwing101',
])('%j is too common', (password) => {
  expect(refusalOf(password)).toMatch(/^This password is too common/)
})

test.each([
  'harbour-hotels-2026',
  'H4rb0ur-H0t3l$!',
  'sletohruobrah',
  'Ana.Silva.2026!!',
  'anaANAanaANA1',
  'a.muller@harbour-hotels.example',
  'harbourzzzzzzzzzz',
  'Foyer-Foyer-Foyer',
  'W1f1@harbour99',
  'muller.harbour.1',
  'Müller-Quay-77',
])('%j is little more than names', (password) => {
  expect(refusalOf(password)).toMatch(/little more than names/)
})

test.each([
  'a long enough password',
  // A short name inside longer words.
  'panama banana',
  'harbour bluebird 42',
  'quiet harbour lantern',
  'banana bandana savanna',
  // No name is in it.
  '837465019283',
  // Words in other scripts count as words of one's own.
  'гавань harbour тишина',
])('%j is accepted', (password) => {
  expect(refusalOf(password)).toBeUndefined()
})
