// Kills of billing: the real process is killed just before every statement of the approval of a run, of its push, and of the job that
// creates its draft at the provider with a renewed token. In the end there is one run, one draft and one valid token.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aProperty } from '#test/foyer.ts'
import { killAll } from '#test/process.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'
import { aContact, terms, writeNights } from './billed-nights.ts'
import { openCountedFoyer, type CountedFoyer, type Operation } from './counted-foyer.ts'
import { full } from './proof.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-push-'))
let xero: Xero
let foyer: CountedFoyer
beforeAll(async () => {
  xero = await openXero()
  foyer = await openCountedFoyer(folder, { roles: 'all', env: xero.env })
  const { url } = await foyer.made(requestTo('/accounting-integrations-authorize', {}))
  await foyer.post('/accounting-integrations-create', await xero.consent(url))
  await aContact(foyer.admin, xero)
}, 120_000)
afterAll(async () => {
  await foyer?.close()
  killAll()
  await xero?.close()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const patience = { timeout: 120_000, interval: 50 }
/** More steps than any operation has. */
const never = 1_000_000
const requestTo = (call: string, values: object): Operation => ({ call, body: JSON.stringify(values), answers: 200 })

/** A draft of a billing run over three nights of a property with an accounting contact. */
async function aRun(): Promise<number> {
  const { id } = await foyer.post('/properties-create', { ...aProperty(), ...terms })
  const period = await writeNights(foyer.admin, id)
  const run = await foyer.post('/billing-runs-create', { property_ids: [id], ...period })
  return run.id
}

const one = async <R extends object>(text: string, id: number): Promise<R> => {
  const { rows } = await foyer.admin.query<R>(text, [id])
  const [row] = rows
  if (!row) throw new Error('there is no row')
  return row
}
const approvedNights = (id: number) =>
  one<{ approved: boolean; nights: number }>(
    `select approved_at is not null as approved, (select count(*)::integer from billing_nights n
       where n.billing_run_id = r.id and n.approved) as nights from billing_runs r where id = $1`,
    id,
  )
const draftsOf = async (id: number) =>
  (
    await foyer.admin.query<{ state: string; number: string | null; external_id: string | null }>(
      'select state, number, external_id from billing_invoices where billing_run_id = $1',
      [id],
    )
  ).rows

/** Kills the process at a step and restarts it. Returns all moments if the operation was done before, else null. */
async function killedAt(step: number, operation: Operation): Promise<string[] | null> {
  const tried = await foyer.doUntil(step, operation)
  if (!tried.killed) return tried.moments
  await foyer.settled()
  await foyer.start()
  return null
}

/** Kills at every step; in `npm test` only at those that match `few`. */
async function eachStep(prepare: () => Promise<Operation>, few: RegExp[], check: (where: string) => Promise<void>) {
  const { moments } = await foyer.doUntil(never, await prepare())
  await check('not killed')
  expect(moments.length).toBeGreaterThan(3)
  const steps = full
    ? moments.map((_, index) => index + 1)
    : few.map((words) => moments.findLastIndex((moment) => words.test(moment)) + 1)
  expect(Math.min(...steps)).toBeGreaterThan(0)
  let killed = 0
  for (const step of steps) {
    if ((await killedAt(step, await prepare())) === null) killed++
    await check(`step ${step} of ${moments.length}, ${moments[step - 1]}`)
  }
  return `killed at ${killed} of ${moments.length} steps`
}

test(
  'an approval killed at any step leaves a draft or an approved run, and is done once when sent again',
  { timeout: 3_600_000 },
  async ({ task }) => {
    let run = 0
    const approval = () => requestTo('/billing-runs-approve', { id: run })
    const prepare = async () => {
      run = await aRun()
      return approval()
    }
    task.meta.figures = await eachStep(prepare, [/update "billing_runs"/], async (where) => {
      const { approved, nights } = await approvedNights(run)
      expect(nights, where).toBe(approved ? 3 : 0)
      expect(await foyer.do(approval()), where).toBe(200)
      expect(await approvedNights(run), where).toEqual({ approved: true, nights: 3 })
    })
  },
)

test(
  'a push and its job killed at any step make one draft, and leave one valid token',
  { timeout: 3_600_000 },
  async ({ task }) => {
    let run = 0
    let drafts = 0
    const isDone = async () => {
      const made = await draftsOf(run)
      return made.length > 0 && made.every(({ state }) => state !== 'waiting')
    }
    const push = (): Operation => ({ ...requestTo('/billing-runs-push', { id: run }), isDone })
    const prepare = async () => {
      run = await aRun()
      expect(await foyer.do(requestTo('/billing-runs-approve', { id: run }))).toBe(200)
      await foyer.admin.query('update integration_tokens set expires_at = now()')
      drafts = xero.books.drafts.length
      return push()
    }
    const few = [/update "integration_tokens"/, /set "claim" = \$\d+, "claimed_until"/, /update "billing_invoices"/]
    task.meta.figures = await eachStep(prepare, few, async (where) => {
      // Expires the lease and the claim of the killed process.
      await foyer.admin.query(`update due_work set next_at = now() where state = 'trying'`)
      await foyer.admin.query('update billing_invoices set claimed_until = now() where claimed_until > now()')
      await foyer.admin.query('update integration_tokens set renewing_until = null')
      expect(await foyer.do(push()), where).toBe(200)
      await vi.waitUntil(isDone, patience)
      const made = xero.books.drafts.slice(drafts)
      expect(made.length, where).toBe(1)
      expect(await draftsOf(run), where).toEqual([
        { state: 'sent', number: made[0]?.InvoiceNumber, external_id: made[0]?.InvoiceID },
      ])
      const { rows } = await foyer.admin.query('select needs_reconnect from accounting_integrations')
      expect(rows, where).toEqual([{ needs_reconnect: false }])
      expect(xero.grants.length, where).toBe(1)
    })
  },
)
