// Folded: the forms in which typed texts are compared are the same in TypeScript and in SQL, and match what people mean.
import fc from 'fast-check'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFold, sameFold } from '#contract/folded.ts'
import { normalised } from '#contract/vouchers.ts'
import { connect } from '#server/db/logins.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let admin: Client
beforeAll(async () => {
  database = await freshDatabase()
  admin = await connect(database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

/** Blocks that have long been in Unicode, so that its versions agree on them. */
const blocks: readonly (readonly [first: number, last: number])[] = [
  [0x01, 0x24f],
  [0x2b0, 0x377],
  [0x384, 0x4ff],
  [0x591, 0x5f4],
  [0x600, 0x6ff],
  [0x905, 0x939],
  [0xe01, 0xe3a],
  [0x10a0, 0x10c5],
  [0x1100, 0x11ff],
  [0x1680, 0x169c],
  [0x1780, 0x17dd],
  [0x1800, 0x180e],
  [0x1e00, 0x1fff],
  [0x2000, 0x2064],
  [0x206a, 0x209c],
  [0x2100, 0x218b],
  [0x2460, 0x24ff],
  [0x2e00, 0x2e42],
  [0x3000, 0x30ff],
  [0x3131, 0x318e],
  [0x3300, 0x3400],
  [0xa720, 0xa78c],
  [0xac00, 0xac80],
  [0xf900, 0xfa2d],
  [0xfb00, 0xfb4f],
  [0xfdf2, 0xfe6f],
  [0xfeff, 0xffee],
  [0xfff0, 0xfffd],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0x1d400, 0x1d7ff],
  [0xe0000, 0xe0fff],
]
const symbol = fc
  .oneof(...blocks.map(([min, max]) => fc.integer({ min, max })))
  .map((point) => String.fromCodePoint(point))
const piece = fc.oneof(
  symbol,
  fc.constantFrom(
    'room',
    'Room ',
    'ROOM',
    '0',
    '00',
    'A-12',
    '–',
    '’',
    '´',
    'ς',
    'Σ',
    'İ',
    'ẞ',
    'ﬁ',
    '１２',
    '\u200b',
    ' ',
    '.',
  ),
)
const hostile = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

test('both forms are the same in the database', async () => {
  const texts = fc.sample(hostile, { numRuns: 6000, seed: 39 })
  const { rows } = await admin.query<{ typed: string; same: string; find: string }>(
    'select typed, same_fold(typed) as same, find_fold(typed) as find from unnest($1::text[]) as typed',
    [texts],
  )
  const differing = rows.filter(({ typed, same, find }) => same !== sameFold(typed) || find !== findFold(typed))
  expect(differing.slice(0, 3).map((row) => ({ ...row, here: [sameFold(row.typed), findFold(row.typed)] }))).toEqual([])
})

test('folding is idempotent and ignores invisible characters', () => {
  const texts = fc.sample(hostile, { numRuns: 2000, seed: 39 })
  expect(texts.filter((typed) => sameFold(sameFold(typed)) !== sameFold(typed))).toEqual([])
  expect(texts.filter((typed) => sameFold(`\u200b${typed}\ufeff`) !== sameFold(typed))).toEqual([])
})

test('the fold for equality drops nothing that is visible', () => {
  for (const typed of ["SEÁN O'BRIEN", 'Seán O’Brien ', 'sea\u0301n o`brien', 'ｓｅán o＇brien'])
    expect(sameFold(typed)).toBe("seán o'brien")
  expect(sameFold('A–12')).toBe('a-12')
  expect(new Set(['a12', 'a-12', 'a 12', 'a.12', 'á12'].map(sameFold)).size).toBe(5)
})

test('a code is found however it is typed', () => {
  const typed = [
    'abcdefghjkmn',
    ' abcd-efgh-jkmn ',
    'ABCD–EFGH—JKMN',
    'Abcd efgh jkmn',
    'abcd.efgh.jkmn',
    'ＡＢＣＤ－ＥＦＧＨ－ＪＫＭＮ',
    'ＡＢＣＤーＥＦＧＨーＪＫＭＮ',
    'ABCD\u00adEFGH\u200b\u2011JKMN\ufeff',
    'https://guests.example/p/8Hs?code=ABCDEFGHJKMN&lang=en',
    '𝐀𝐁𝐂𝐃-EFGH−JKMN',
  ]
  for (const text of typed) expect(normalised(text)).toBe('ABCDEFGHJKMN')
})

test('a room is found by what people call it', () => {
  for (const typed of ['A12', 'a-12', 'Room A-12', 'room a12', 'A 12', 'ROOM: a.12'.replace(':', ''), 'Ａ１２'])
    expect(findFold(typed)).toBe('a12')
  for (const typed of ['0202', '202', 'Room 202', 'room202', '00202']) expect(findFold(typed)).toBe('202')
  expect(['0', '000', 'Bathroom 2', 'rooms'].map(findFold)).toEqual(['0', '0', 'bathroom2', 'rooms'])
})
