// Kills at every step: the real process is killed just before every statement, every write to the disk and every line to the mail
// server that an operation causes, and just after each commit or rename. The steps are not listed: the proof counts them (effects.ts),
// and continues with the next one until the operation is done before the kill.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { removeUnusedFiles } from '#server/files/unused.ts'
import { openStorage } from '#server/files/open-storage.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { patient } from '#test/foyer.ts'
import { openMailServer } from '#test/mail-server.ts'
import { killAll } from '#test/process.ts'
import { openHookReceiver } from '#test/hook-receiver.ts'
import { changesBetween, openCountedFoyer, without, type Changes, type CountedFoyer } from './counted-foyer.ts'
import { kinds } from './kinds-of-steps.ts'
import { full } from './proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-steps-'))
const mails = new Map<string, string[]>()
const mail_server = await openMailServer(({ to: [address = ''], text }) => {
  mails.set(address, [...(mails.get(address) ?? []), /^Message-ID: (.*)$/im.exec(text)?.[1] ?? ''])
})
const hooks = await openHookReceiver()
afterAll(async () => {
  killAll()
  await mail_server.close()
  await hooks.close()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** More steps than any operation has. */
const never = 1_000_000
const patience = { timeout: 120_000, interval: 50 }

/** Work is tried again when the process that took it has been silent for a while; here, at once. */
async function takeUpAgain({ admin, restart }: CountedFoyer) {
  await admin.query(`update due_work set next_at = now() where state = 'trying'`)
  await restart()
}

/** Checks that the mail of each operation arrived once, or twice under the same id. Returns how many arrived twice. */
async function mailsAreSent({ admin }: CountedFoyer, operations: number) {
  const unsent = async () => (await admin.query('select from outbox_mails where sent_at is null')).rowCount
  await vi.waitUntil(async () => (await unsent()) === 0, { timeout: 300_000, interval: 200 })
  const { rows } = await admin.query<{ recipient_email: string }>(
    `select recipient_email from outbox_mails where recipient_email <> 'ann@example.com'`,
  )
  expect(rows.length).toBe(operations)
  const ids = rows.map(({ recipient_email }) => mails.get(recipient_email) ?? [])
  for (const [index, of_one] of ids.entries()) {
    const { recipient_email } = rows[index] ?? {}
    expect(new Set(of_one).size, recipient_email).toBe(1)
    expect(of_one.length, recipient_email).toBeLessThanOrEqual(2)
  }
  return `${rows.length} mails, ${ids.filter(({ length }) => length > 1).length} of them arrived twice under the same id`
}

/** Checks that each event reached its endpoint, and in the order of what happened, once or more under the same id. */
async function eventsAreTold({ admin }: CountedFoyer, operations: number) {
  const untold = async () => (await admin.query(`select from webhook_deliveries where state <> 'delivered'`)).rowCount
  await vi.waitUntil(async () => (await untold()) === 0, { timeout: 300_000, interval: 200 })
  const { rows } = await admin.query<{ id: string; type: string; object_id: number; sequence: number }>(
    `select 'msg_' || uuid as id, type, object_id::integer, sequence::integer from events where object = 'account' order by id`,
  )
  // Each operation ends an account that was made for it.
  expect(rows.filter(({ type }) => type === 'account.ended').length).toBe(operations)
  for (const { id, type } of rows)
    expect(
      hooks.received.map((post) => post.id),
      type,
    ).toContain(id)
  expect(new Set(hooks.received.map(({ id }) => id)).size).toBe(rows.length)
  for (const [account, posts] of Map.groupBy(hooks.received, ({ body }) => body.data.id)) {
    const sequences = posts.map(({ body }) => body.data.sequence)
    expect(sequences, `account ${account}`).toEqual(sequences.toSorted((one, other) => one - other))
  }
  return `${rows.length} events, ${hooks.received.length - rows.length} of them arrived again under the same id`
}

/** What leaves after the answer, by the table in which it waits. */
const leaving = { outbox_mails: mailsAreSent, webhook_deliveries: eventsAreTold }

/** Checks that after the cleanup of unused files exactly those in the database are stored, and that no upload is left. */
async function filesFit({ database, admin, storage, temporary, restart }: CountedFoyer) {
  const files = () =>
    fs.existsSync(storage)
      ? fs.readdirSync(storage, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      : []
  const long_ago = new Date(Date.now() - 7 * 24 * 3_600_000)
  for (const { parentPath, name } of files()) fs.utimesSync(path.join(parentPath, name), long_ago, long_ago)
  await admin.query(`update files set created_at = created_at - interval '7 days'`)
  const tenancy = openTenancy(database, patient)
  await removeUnusedFiles(tenancy, await openStorage(pathToFileURL(storage).href))
  await tenancy.close()
  const { rows } = await admin.query<{ place: string }>(
    `select distinct customer_id || '/' || encode(sha256, 'hex') as place from files where deleted_at is null`,
  )
  const places = files().map(({ parentPath, name }) => path.relative(storage, path.join(parentPath, name)))
  await restart()
  expect(fs.readdirSync(temporary)).toEqual([])
  expect(places.toSorted()).toEqual(rows.map(({ place }) => place).toSorted())
}

/**
 * The operations that differ most, each killed at another stage. Those from which something leaves are left out: it takes a minute
 * until what a killed process was sending is taken up.
 */
const few = ['a batch of vouchers', 'another picture', 'the erasure of a guest']

// Most of a cycle is spent starting the next process, so two kinds run concurrently.
test.concurrent.for(full ? Object.keys(kinds) : few)(
  '%s, killed at any step, is complete or absent, and is done once when sent again',
  { timeout: 3_600_000 },
  async (name, { task }) => {
    const kind = kinds[name]
    if (!kind) throw new Error(`there is no ${name}`)
    const { roles, later = [], each_time = [] } = kind
    const leaves = Object.entries(leaving).filter(([table]) => later.includes(table))
    const folder = fs.mkdtempSync(path.join(scratch, 'kind-'))
    const foyer = await openCountedFoyer(folder, { roles, smtp_url: mail_server.url, webhooks_to: hooks.host })
    let serial = 0
    const prepared = async () => {
      // One person may send a hundred mails an hour.
      await foyer.admin.query('delete from rate_limits')
      return kind.prepare(foyer, ++serial)
    }
    // The first one creates records that all later ones share.
    await prepared()
    await foyer.restart()

    /** Runs the operation without a kill; repeats it if the service was too busy. */
    const uninterrupted = async (): Promise<{ all: string[]; whole: Changes }> => {
      const operation = await prepared()
      const before = await foyer.snapshot()
      const { status, moments } = await foyer.doUntil(never, operation)
      if (status === 503) return uninterrupted()
      expect(status).toBe(operation.answers)
      return { all: moments, whole: changesBetween(before, await foyer.snapshot()) }
    }
    const { all, whole } = await uninterrupted()
    let operations = 1
    expect(Object.keys(whole).length).toBeGreaterThan(0)
    expect(all.length).toBeGreaterThan(3)
    await foyer.restart()

    const visited: string[] = []
    let answered = 0
    /** Returns null if the process was killed, or all moments if there are fewer steps. */
    const killAt = async (step: number): Promise<string[] | null> => {
      const operation = await prepared()
      const before = await foyer.snapshot()
      const tried = await foyer.doUntil(step, operation)
      const where = `step ${step} of ${name}, ${tried.moments.at(-1)}`
      const done = async () => changesBetween(before, await foyer.snapshot())
      if (tried.killed) {
        await foyer.settled()
        const left = without(later, await done())
        if (tried.status === null) expect([{}, without(later, whole)], where).toContainEqual(left)
        else expect(left, where).toEqual(tried.status === 503 ? {} : without(later, whole))
        await foyer.start()
      }
      // The service was too busy for the request.
      if (tried.status === 503) return killAt(step)
      if (tried.killed) {
        visited.push(tried.moments.at(-1) ?? '')
        if (tried.status !== null) answered++
      }
      if (tried.status !== null) expect(tried.status, where).toBe(operation.answers)
      expect(await foyer.do(operation), where).toBe(operation.answers)
      operations++
      // What a killed process was sending is taken up when its lease is over, so all that leaves is awaited together.
      if (leaves.length === 0) await vi.waitUntil(async () => (await operation.isDone?.()) ?? true, patience)
      const put_off = [...each_time, ...(leaves.length > 0 ? later : [])]
      expect(without(put_off, await done()), where).toEqual(without(put_off, whole))
      return tried.killed ? null : tried.moments
    }

    if (full) {
      let step = 1
      let last: string[] | null = null
      // What comes by the clock adds steps for as long as the work of jobs takes: twice as many as alone are enough for all of it.
      while ((last = await killAt(step)) === null && step < 2 * all.length) step++
      // Concurrent work may happen in another order, so that a step was skipped; the work of jobs has no fixed order at all.
      const missing = () => all.filter((moment) => (last ?? all).includes(moment) && !visited.includes(moment))
      for (let more = 0; more < 10 && missing().length > 0; more++)
        await killAt((last ?? all).indexOf(missing()[0] ?? '') + 1)
      if (roles !== 'all') expect(missing()).toEqual([])
    } else expect(await killAt(Math.ceil((all.length * (1 + few.indexOf(name))) / (1 + few.length)))).toBeNull()
    expect(visited.length).toBeGreaterThan(full ? 1 : 0)
    if (leaves.length > 0) await takeUpAgain(foyer)
    const arrived: string[] = []
    for (const [, hasLeft] of leaves) arrived.push(`; ${await hasLeft(foyer, operations)}`)
    await filesFit(foyer)
    task.meta.figures = `${visited.length} steps, ${answered} of them after the answer${arrived.join('')}`
    await foyer.close()
  },
)
