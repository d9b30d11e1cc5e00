// Lock timeout: who waits too long for a lock, or waits for somebody who waits for them, is told what was not done, and who holds it.
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { CannotStart } from '#server/start/cannot-start.ts'
import { orLocked, withLockLimit } from './lock-timeout.ts'
import { connect } from './logins.ts'

let one: Client
let other: Client
beforeAll(async () => {
  one = await connect(withLockLimit(inject('adminUrl'), 500))
  other = await connect(inject('adminUrl'))
})
afterAll(() => Promise.all([one.end(), other.end()]))

const lock = (who: Client, number: number) => who.query('select pg_advisory_xact_lock(4711, $1)', [number])
const told = (work: Promise<unknown>) =>
  orLocked(() => work, 'Nothing was done.').then(
    () => 'done',
    (error: unknown) => (error instanceof CannotStart ? error.message : String(error)),
  )
const begin = () => Promise.all([one.query('begin'), other.query('begin')])
const end = () => Promise.all([one.query('rollback'), other.query('rollback')])
const sentence = /^Nothing was done\. Who holds it: select pid/

test('who waits for longer than the limit', async () => {
  await begin()
  await lock(other, 1)
  expect(await told(lock(one, 1))).toMatch(sentence)
  await end()
})

test('one of two who wait for each other', async () => {
  await begin()
  await one.query('set local lock_timeout = 0')
  await lock(one, 1)
  await lock(other, 2)
  expect((await Promise.all([told(lock(one, 2)), told(lock(other, 1))])).toSorted()).toEqual([
    expect.stringMatching(sentence),
    'done',
  ])
  await end()
})

test('another fault stays what it is', async () => {
  expect(await told(one.query('select 1 / 0'))).toBe('error: division by zero')
})
