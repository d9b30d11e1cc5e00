// Backup: a backup taken under load and restored elsewhere has everything that was acknowledged; a killed restore leaves either the
// former or the restored state; a damaged file changes nothing.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { backUp } from '#scripts/backup/backup.ts'
import { restore } from '#scripts/backup/restore.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect } from '#server/db/logins.ts'
import { readConfig } from '#server/start/config.ts'
import { pngOf } from '#test/pictures.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { chance, full } from './proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-backup-'))
const random = chance()
const quiet = { log: () => {}, progress: () => {} }
const kills = full ? 60 : 2
/** Records before the backup begins, and creates under way while it is taken. */
const records = full ? 5000 : 40
const clients = 4
const patience_ms = 120_000

afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

function run(script: string, args: string[], DATA_DIR: string) {
  const env = { PATH: process.env['PATH'], DATA_DIR, NODE_NO_WARNINGS: '1' }
  const cwd = path.join(import.meta.dirname, '../..')
  return spawn(process.execPath, [`scripts/${script}.ts`, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
}
async function finished(script: string, args: string[], home: string): Promise<string> {
  const child = run(script, args, home)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number]
  expect(code, output).toBe(0)
  return output
}

const person = { company_name: 'Operator', name: 'Ann', email: 'ann@example.com', password: 'a long enough password' }
async function ask<R>(foyer: Foyer, call: string, body: object | FormData, token?: string): Promise<R> {
  const isForm = body instanceof FormData
  const response = await fetch(`${foyer.url}/api/v1${call}`, {
    method: 'POST',
    headers: {
      'app-context': 'customer',
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as R
}
type SignedIn = { data: { access_token: string } }
type Row = { id: number; name: string }

/** Creates one property after the other; the list has those acknowledged. */
async function keepCreating(foyer: Foyer, token: string, client: number, acknowledged: Row[], until: () => boolean) {
  for (let serial = 0; !until(); serial++) {
    const name = `Property ${client}-${serial}`
    const { data } = await ask<{ data: Row }>(foyer, '/properties-create', { name, draft: true }, token)
    acknowledged.push({ id: data.id, name })
  }
}

async function allProperties(foyer: Foyer, token: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null | undefined
  do {
    const page = await ask<{ data: Row[]; meta: { next_cursor: string | null } }>(
      foyer,
      '/properties',
      { per_page: 200, ...(cursor && { cursor }) },
      token,
    )
    rows.push(...page.data)
    cursor = page.meta.next_cursor
  } while (cursor)
  return rows
}
const hashOf = (rows: Row[]) =>
  createHash('sha256')
    .update(JSON.stringify(rows.map(({ id, name }) => `${id} ${name}`).toSorted()))
    .digest('hex')

test('a backup taken under load has every record that was acknowledged', { timeout: 900_000 }, async ({ task }) => {
  const file = path.join(scratch, 'under-load.tar.zst')
  const here = path.join(scratch, 'here')
  // Several clients create without a pause with one token, which would exceed its limit.
  const foyer = await startFoyer({ DATA_DIR: here, REQUESTS_PER_MINUTE: '1000000' })
  const token = (await ask<SignedIn>(foyer, '/auth/signup', person)).data.access_token
  const form = new FormData()
  form.append('image', new Blob([Uint8Array.from(await pngOf())], { type: 'image/png' }), 'logo.png')
  await ask(foyer, '/portal-footers-create', form, token)

  const acknowledged = Array.from({ length: clients }, () => [] as Row[])
  let stopped = false
  const creating = acknowledged.map((own, client) => keepCreating(foyer, token, client, own, () => stopped))
  const enough = vi.waitUntil(() => acknowledged.flat().length >= records, { timeout: 600_000 })
  // The first failure ends it.
  await Promise.race([enough, Promise.all(creating)])
  const before = acknowledged.flat()
  const backed_up = await finished('backup', [file], here)
  stopped = true
  await Promise.all(creating)
  await foyer.kill()
  const files = filesIn(path.join(here, 'files'))

  const there = path.join(scratch, 'there')
  const begun = performance.now()
  const restore_output = await finished('restore', [file], there)
  const restored = await startFoyer({ DATA_DIR: there })
  const again = (await ask<SignedIn>(restored, '/auth/login', person)).data.access_token
  const rows = await allProperties(restored, again)
  const found = new Map(rows.map((row) => [row.name, row]))
  const missing = before.filter(({ id, name }) => found.get(name)?.id !== id)
  expect(missing).toEqual([])
  // Of what was created during the backup, each client's records are there without gaps, up to the last one found.
  const kept = acknowledged.map((own) => own.filter(({ name }) => found.has(name)))
  for (const [client, own] of kept.entries()) expect(own).toEqual(acknowledged[client]?.slice(0, own.length))
  expect(hashOf(rows.filter(({ name }) => before.some((row) => row.name === name)))).toBe(hashOf(before))
  expect(filesIn(path.join(there, 'files'))).toEqual(files)
  expect(files).toHaveLength(1)
  await restored.kill()

  const size = /: ([\d.]+ \w+) in ([\d.]+ s)/.exec(backed_up)
  task.meta.figures =
    `${before.length} records acknowledged before and ${acknowledged.flat().length - before.length} while it was taken, ` +
    `${rows.length} restored, 0 missing; ${size?.[1]} in ${size?.[2]}, back in ${/in ([\d.]+ s)/.exec(restore_output)?.[1]}, ` +
    `serving ${((performance.now() - begun) / 1000).toFixed(1)} s after the restore began`
})

/** All files, by path and hash of the content. */
function filesIn(root: string): string[] {
  const names = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return names
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((name) => `${path.relative(root, name)} ${createHash('sha256').update(fs.readFileSync(name)).digest('hex')}`)
    .toSorted()
}

/** A database with one customer, whose name says which state it is. */
async function inDatabase<R>(home: string, query: string): Promise<R[]> {
  const database = await startEmbedded({ directory: home, fast: true })
  try {
    const url = new URL('/foyer', database.url).href
    const client = await connect(url).catch(async () => {
      const admin = await connect(database.url)
      await admin.query('create database foyer')
      await admin.end()
      return connect(url)
    })
    const answer = await client.query(query)
    const { rows } = Array.isArray(answer) ? (answer.at(-1) as typeof answer) : answer
    await client.end()
    return rows as R[]
  } finally {
    await database.stop()
  }
}
const stateOf = async (home: string) =>
  (await inDatabase<{ name: string }>(home, 'select name from customers'))[0]?.name ?? 'nothing'

test('a killed restore leaves either the former or the restored state', { timeout: 1_800_000 }, async ({ task }) => {
  const home = path.join(scratch, 'killed')
  const file = path.join(scratch, 'new.tar.zst')
  await inDatabase(
    home,
    `create table customers (name text); insert into customers values ('new'); create table installation (key_ids text[])`,
  )
  await backUp({ config: readConfig({ DATA_DIR: home }), file, ...quiet })
  const begun = performance.now()
  await finished('restore', [file], path.join(scratch, 'timed'))
  const whole_ms = performance.now() - begun

  const counts = { old: 0, new: 0, nothing: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const place = kill % 2 === 0 ? home : path.join(scratch, `empty-${kill}`)
    if (place === home) await inDatabase(home, `update customers set name = 'old'`)
    const child = run('restore', [file, 'replace'], place)
    const gone = once(child, 'exit')
    // The end, where databases are exchanged, is hit more often than by chance.
    await Promise.race([sleep(whole_ms * (kill % 3 === 0 ? 0.8 + random() * 0.3 : random())), gone])
    child.kill('SIGKILL')
    await gone
    const isThere = place === home || ['pg18', 'restored'].some((name) => fs.existsSync(path.join(place, name)))
    const state = isThere ? await stateOf(place) : 'nothing'
    expect(state).toBeOneOf(place === home ? ['old', 'new'] : ['nothing', 'new'])
    counts[state as keyof typeof counts]++
  }
  // Leftovers do not get in the way.
  await expect
    .poll(() => finished('restore', [file, 'replace'], home).then(() => stateOf(home)), { timeout: patience_ms })
    .toBe('new')
  task.meta.figures = `${kills} kills: ${counts.old} left the old state, ${counts.nothing} nothing, ${counts.new} the new one`
})

test('a damaged or truncated file, and a place that already has a database, are refused before anything is changed', async () => {
  const file = path.join(scratch, 'new.tar.zst')
  const whole = fs.readFileSync(file)
  const cut = path.join(scratch, 'cut.tar.zst')
  const bent = path.join(scratch, 'bent.tar.zst')
  const empty = path.join(scratch, 'untouched')
  fs.writeFileSync(cut, whole.subarray(0, Math.floor(whole.length * 0.9)))
  const flipped = Buffer.from(whole)
  const middle = Math.floor(whole.length / 2)
  flipped[middle] = (flipped[middle] ?? 0) ^ 0xff
  fs.writeFileSync(bent, flipped)
  const options = (DATA_DIR: string, from: string) => ({
    config: readConfig({ DATA_DIR }),
    file: from,
    replace: true,
    ...quiet,
  })
  await expect(restore(options(empty, cut))).rejects.toThrow(/cut off/)
  await expect(restore(options(empty, bent))).rejects.toThrow(/damaged/)
  expect(fs.readdirSync(empty)).toEqual(['lock'])
  const home = path.join(scratch, 'killed')
  await expect(restore({ ...options(home, file), replace: false })).rejects.toThrow('There is a database in')
  expect(await stateOf(home)).toBe('new')
  const database = { DATABASE_URL: 'postgres://a@localhost/foyer', SECRET_KEY: 'x'.repeat(32) }
  const elsewhere = { config: readConfig(database), file: path.join(scratch, 'no'), ...quiet }
  await expect(backUp(elsewhere)).rejects.toThrow('docs/backup.md')
})
