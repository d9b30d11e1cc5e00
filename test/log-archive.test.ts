// Log archive: the machine of the embedded database is lost, and everything acknowledged a minute before is there again, from a backup and
// the archived log; or all up to a moment, and nothing after it. Whoever has the archive reads nothing.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-log-'))
const at = (name: string) => path.join(scratch, name)
const patience_ms = 400_000
const promised_ms = 60_000
const person = { company_name: 'Harbour', name: 'Ada', email: 'ada@hotel.example', password: 'a long enough password' }
const word = () => `planted${randomBytes(8).toString('hex')}`
const [early, late, last] = [word(), word(), word()]

let settings: Record<string, string>
let file: string
/** Between the early one and the late one. */
let between: string
beforeAll(async () => {
  const identity = await generateX25519Identity()
  fs.writeFileSync(at('key.txt'), `${identity}\n`)
  settings = {
    DATA_DIR: at('here'),
    BACKUP_URL: pathToFileURL(at('place')).href,
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  }
  file = at('base.tar.zst.age')
  const foyer = await startFoyer(settings)
  const token = await tokenOf(foyer, '/auth/signup', person)
  const made = await run('backup', [file, '--untried'])
  expect(made.output).toContain('Backed up')
  const create = (name: string) => ask(foyer, '/properties-create', { name, draft: true }, token)
  await create(early)
  await sleep(1500)
  between = `${new Date().toISOString().slice(0, 19)}Z`
  await sleep(1500)
  await create(late)
  // What is written from here on is sealed under a key that the backup has not.
  expect((await command('server/rotate-key.ts')).output).toContain('Done. The former key is gone')
  await sleep(promised_ms)
  await create(last)
  await foyer.kill()
  // The machine with all that was on it, of which a copy is not lost.
  await sleep(2000)
  fs.cpSync(at('here'), at('kept'), { recursive: true })
  fs.rmSync(at('here'), { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}, patience_ms)
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function ask<R>({ url }: Foyer, call: string, body: object, token = ''): Promise<R> {
  const headers = {
    'app-context': 'customer',
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(`${url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as R
}
const tokenOf = async (foyer: Foyer, call: string, body: object) =>
  (await ask<{ data: { access_token: string } }>(foyer, call, body)).data.access_token

const run = (script: 'backup' | 'restore', args: string[], more?: Record<string, string>) =>
  command(`scripts/${script}.ts`, args, more)
async function command(script: string, args: string[] = [], more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...settings, ...more }
  const cwd = path.join(import.meta.dirname, '..')
  const child = spawn(process.execPath, [script, ...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}
const restoredTo = (to: string, where: string, ...how: string[]) =>
  run('restore', [file, '--to', to, '--identity', at('key.txt'), ...how], { DATA_DIR: at(where) })

/** As a service that runs as another user leaves it, beside which root restores. */
function giveToService(home: string) {
  fs.chmodSync(scratch, 0o711)
  for (const name of ['', ...fs.readdirSync(home, { recursive: true })])
    fs.lchownSync(path.join(home, String(name)), 4321, 4322)
}

async function propertiesIn(where: string) {
  const foyer = await startFoyer({ DATA_DIR: at(where) })
  const token = await tokenOf(foyer, '/auth/login', { email: person.email, password: person.password })
  const { data } = await ask<{ data: { name: string }[] }>(foyer, '/properties', {}, token)
  await foyer.kill()
  return data.map(({ name }) => name)
}

test('what was acknowledged a minute before the loss is there again', { timeout: patience_ms }, async () => {
  const { code, output } = await restoredTo('end', 'end')
  expect(output).toContain('and its log to the end')
  expect(code).toBe(0)
  const names = await propertiesIn('end')
  // The last one was acknowledged within the minute: it may be there.
  expect(names.filter((name) => name !== last).toSorted()).toEqual([early, late].toSorted())
})

test('a moment is restored as it was, without what came after', { timeout: patience_ms }, async () => {
  const { code, output } = await restoredTo(between, 'between')
  expect(output).toContain(`and its log to ${new Date(between).toISOString()}`)
  expect(code).toBe(0)
  expect(await propertiesIn('between')).toEqual([early])
})

test(
  'where the disk is still there, what was not archived any more is taken from it',
  { timeout: patience_ms },
  async () => {
    if (process.getuid?.() === 0) giveToService(at('kept'))
    const { code, output } = await restoredTo('end', 'kept', 'replace')
    expect(output).toContain('What was there before is kept in')
    expect(code).toBe(0)
    expect((await propertiesIn('kept')).toSorted()).toEqual([early, late, last].toSorted())
  },
)

test(
  'a database that was restored before has parts of the same names, and none of the log',
  { timeout: patience_ms },
  async () => {
    const earlier = async (where: string) => {
      const { code, output } = await restoredTo('end', where, 'replace')
      expect(output).toContain('and its log to the end')
      expect(code).toBe(0)
      return (await propertiesIn(where)).filter((name) => name !== last).toSorted()
    }
    // This one was brought to a moment and went on from there.
    expect(await earlier('between')).toEqual([early, late].toSorted())
    const plain = await run('restore', [file, '--identity', at('key.txt')], { DATA_DIR: at('plain') })
    expect(plain.output).toContain('Restored')
    expect(await propertiesIn('plain')).toEqual([])
    expect(await earlier('plain')).toEqual([early, late].toSorted())
  },
)

test('a key that is nowhere any more is said before anything is replaced', { timeout: patience_ms }, async () => {
  const keys = path.join(at('place'), 'log/keys.json')
  const kept = fs.readFileSync(keys)
  expect(kept.toString()).toMatch(/^\["[\w+/=]+"\]$/)
  fs.rmSync(keys)
  const { code, output } = await restoredTo('end', 'keyless')
  expect(output).toContain('The secret key was changed after this backup')
  expect(code).toBe(1)
  expect(fs.existsSync(path.join(at('keyless'), 'pg18'))).toBe(false)
  fs.writeFileSync(keys, kept)
})

test('what the log does not reach is refused, and so is a place of another log', { timeout: patience_ms }, async () => {
  const later = await restoredTo('2099-01-01T00:00', 'later')
  expect(later).toEqual({
    code: 1,
    output: expect.stringMatching(
      /The log ends before 2099-01-01T00:00:00.000Z: what was last written is of .* --to end/,
    ),
  })
  expect(fs.existsSync(path.join(at('later'), 'pg18'))).toBe(false)
  const before = await restoredTo('2020-01-01T00:00', 'before')
  expect(before).toEqual({ code: 1, output: expect.stringContaining('Name an earlier one') })
  const locked = await run('restore', [file, '--to', 'end'], { DATA_DIR: at('locked') })
  expect(locked).toEqual({ code: 1, output: expect.stringContaining('is encrypted. Name the file with its identity') })

  const again = await startFoyer({ ...settings, DATA_DIR: at('end') }).catch((error: Error) => error.message)
  expect(again).toContain('BACKUP_URL has the log of another installation, or of this one before it was restored')
  // A restore that was killed once it had decided is completed first.
  fs.mkdirSync(path.join(at('decided'), 'restored', 'pg18'), { recursive: true })
  fs.copyFileSync(path.join(at('place'), 'log/installation'), path.join(at('decided'), 'log-place'))
  const decided = await startFoyer({ ...settings, DATA_DIR: at('decided') }).catch((error: Error) => error.message)
  expect(decided).toContain('or of this one before it was restored')
})

test('a place that cannot be written to is refused in a sentence', async () => {
  // Nothing is found there, and nothing can be made.
  fs.mkdirSync(at('closed'))
  fs.symlinkSync(at('nowhere/log'), path.join(at('closed'), 'log'))
  const BACKUP_URL = pathToFileURL(at('closed')).href
  const refused = startFoyer({ ...settings, BACKUP_URL, DATA_DIR: at('closed-to') })
  const { message } = await refused.then(
    () => new Error('it started'),
    (error: Error) => error,
  )
  expect(message).toMatch(/BACKUP_URL cannot be used: .* Check that Foyer may write there; under systemd/)
  expect(message).not.toContain('log-archive.ts')
})

test('without a file, the last backup before is one that is still there', async () => {
  const note = (made_at: string) => ({ file: at('nightly'), sha256: made_at, made_at })
  fs.mkdirSync(at('noted'))
  fs.writeFileSync(at('nightly'), 'of the second of November')
  // The name was used again.
  const notes = [note('2026-11-02T03:00:00.000Z'), note('2026-11-01T03:00:00.000Z')]
  fs.writeFileSync(path.join(at('noted'), 'backups.json'), JSON.stringify(notes))
  const found = async (to: string) => (await run('restore', ['--to', to], { DATA_DIR: at('noted') })).output
  expect(await found('2026-11-01T12:00')).toContain('No backup made before is known')
  expect(await found('2026-11-02T12:00')).toContain(`${at('nightly')} is damaged or cut off`)
})

test('whoever has the archive reads none of it', () => {
  const parts = fs.readdirSync(at('place'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(parts.length).toBeGreaterThan(2)
  for (const { parentPath, name } of parts) {
    const content = fs.readFileSync(path.join(parentPath, name))
    expect([early, late, person.email].filter((planted) => content.includes(planted))).toEqual([])
    const sealed = name === 'keys.json' ? (JSON.parse(content.toString()) as string[]) : []
    for (const one of sealed) expect(atob(one)).toMatch(/^age-encryption\.org\/v1\n/)
    if (name !== 'installation' && name !== 'keys.json')
      expect(content.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
  }
})
