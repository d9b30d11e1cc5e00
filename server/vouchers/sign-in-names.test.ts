// Sign-in names: a user name with a code is kept without it, and its gateway is told it again in the spelling in which it was reported.
import { expect, test } from 'vitest'
import type { Scope } from '#server/access/tenancy.ts'
import { keptUserName, reportedUserName } from './sign-in-names.ts'

const scopeOf = (code: string) => ({ codes: { arePlain: false, open: () => code } }) as unknown as Scope
const stored = { code: null, fingerprint: null, sealed_code: Buffer.from('sealed') }

test.each([
  ['ABCD-EFGH-JKMN', '••••-••••-JKMN'],
  ['abcd-efgh-jkmn', '····-····-jkmn'],
  ['Abcd efgh jkmn', '•··· ···· jkmn'],
  ['ABCDEFGHJKMN', '••••••••JKMN'],
  // Nothing of the last four says how the others were written.
  ['nqxu-w52y-9688', '····-·••·-9688'],
  ['NQXU-W52Y-9688', '••••-••••-9688'],
])('%s is kept as %s', (reported, kept) => {
  const scope = scopeOf(reported.replaceAll(/[- ]/g, '').toUpperCase())
  expect(keptUserName(scope, reported, null)).toBe(kept)
  expect(reportedUserName(scope, { ...stored, username: kept })).toBe(reported)
})

test('without its voucher it cannot be said, and a name without a code is as it was', () => {
  const scope = scopeOf('ABCDEFGHJKMN')
  expect(reportedUserName(scope, { ...stored, sealed_code: null, username: '••••-••••-JKMN' })).toBe(null)
  expect(reportedUserName(scope, { ...stored, username: 'ada' })).toBe('ada')
  expect(keptUserName(scope, '5ae7d4af455e', '5a:e7:d4:af:45:5e')).toBe('5ae7d4af455e')
})
