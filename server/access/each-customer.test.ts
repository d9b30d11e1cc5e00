// Each customer: jobs that work for all of them reach the last one, even if the first ones fail.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tenancy } from '#server/access/tenancy.ts'
import { countHours } from '#server/sessions/count-hours.ts'
import type { Queue } from '#server/jobs/queue.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test.each<[string, (tenancy: Tenancy, queue: Queue) => Promise<void>]>([
  ['count hours', countHours],
  ['end sessions', endSessions],
])('%s', async (_name, job) => {
  const { tenancy, queue } = foyer.services
  const customers = [41, 42, 43]
  const reached: number[] = []
  const failing: Tenancy = {
    ...tenancy,
    callFunction: <R>() => tenancy.callFunction(sql<R>`select unnest(${customers}::integer[]) as customer_id`),
    async enter(caller, mode, work) {
      reached.push(caller.customer_id)
      if (caller.customer_id !== 43) throw new Error(`the tables of ${caller.customer_id} are locked`)
      return tenancy.enter(caller, mode, work)
    },
  }
  await expect(job(failing, queue)).rejects.toThrow(/customer 41: .*are locked.*customer 42: /)
  expect([...new Set(reached)]).toEqual(customers)
})
