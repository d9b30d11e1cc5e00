// The clock: set to another time, it is the same for this process and the database, and it can be reset.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callerOfJob } from '#server/access/principal.ts'
import { now, setClock } from '#server/time/clock.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterEach(() => setClock())
afterAll(() => foyer.close())

/** The time of the database, in milliseconds: in a transaction, and in a statement that is one by itself. */
async function database(way: 'run' | 'read' = 'run') {
  const { customer } = (await foyer.customer()).user
  const caller = callerOfJob(customer.id, 'test')
  const [row] = await foyer.services.tenancy.enter(caller, 'read', (scope) =>
    scope[way](sql<{ ms: number }>`select extract(epoch from app_now())::float8 * 1000 as ms`),
  )
  return row?.ms ?? 0
}

test('both use the same clock, ahead and behind', async () => {
  for (const at of ['2026-03-08T07:30:00Z', '2031-11-02T08:30:00Z']) {
    setClock(Date.parse(at))
    expect(Math.abs(now() - Date.parse(at))).toBeLessThan(60_000)
    expect(Math.abs((await database()) - now())).toBeLessThan(60_000)
    expect(Math.abs((await database('read')) - now())).toBeLessThan(60_000)
  }
  setClock()
  expect(Math.abs(now() - Date.now())).toBeLessThan(1000)
  expect(Math.abs((await database()) - Date.now())).toBeLessThan(60_000)
})
