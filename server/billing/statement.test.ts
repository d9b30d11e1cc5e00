// Statement of a draft: as its lines were when it was asked for, with the nights of each, whoever calculates it anew meanwhile.
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billing from '#contract/billing-runs.ts'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { statementOf } from './statement.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

/** A draft of one property and five nights. */
async function aDraft() {
  const terms = { total_units: 10, rate_per_unit: 12, minimum_billable_percentage: 60, currency: 'GBP' }
  const { id: property_id } = await foyer.property(editor, terms)
  const period_end = later(`${(await todayAt(foyer, property_id)).slice(0, 7)}-01`, -1)
  const period = { period_start: later(period_end, -4), period_end }
  await sinceDay(foyer, property_id, period.period_start)
  await writeNights(foyer)
  return (await foyer.get(billing.createRun, { property_ids: [property_id], ...period }, editor)).data
}
const rowsIn = (csv: Buffer) =>
  csv
    .toString()
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[2])
const whole = ['Charge', 'Night', 'Night', 'Night', 'Night', 'Night']

test('a draft that is calculated anew while its statement is sent has every night in it', async () => {
  const run = await aDraft()
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const enter = <R>(work: (scope: Scope) => Promise<R>) => foyer.services.tenancy.enter(caller, 'write', work)
  const { content } = await enter((scope) => statementOf(scope, enter, run, { format: 'csv', property_id: null }))
  await foyer.get(billing.redraftRun, { id: run.id }, editor)
  expect(rowsIn(await buffer(content))).toEqual(whole)
})

test('its lines and nights are read when whoever calculates it anew is done', async () => {
  const { id } = await aDraft()
  const colleague = await connect(foyer.database.adminUrl)
  try {
    await colleague.query('begin')
    await colleague.query('select from billing_runs where id = $1 for update', [id])
    const statement = foyer.file(billing.exportRun, { id, format: 'csv' }, editor)
    const waiting = `select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
    await expect.poll(async () => (await colleague.query(waiting)).rows.length, { timeout: 60_000 }).toBe(1)
    await colleague.query('rollback')
    expect(rowsIn((await statement).bytes)).toEqual(whole)
  } finally {
    await colleague.end()
  }
})
