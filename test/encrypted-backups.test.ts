// Encrypted backups: who steals one reads nothing, neither words nor keys; who has the identity restores it; each was restored once while
// it was made, and can be tried again.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEncrypted, openedFile } from '#server/files/age.ts'
import { backupNotes, sha256Of } from '#server/db/backup-notes.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-encrypted-'))
const at = (name: string) => path.join(scratch, name)
const patience_ms = 240_000

/** Words that nobody else writes: names, addresses, mailboxes, passwords. */
const planted = Array.from({ length: 40 }, () => `planted${randomBytes(8).toString('hex')}`)
const word = (n: number) => planted[n] ?? ''
const person = { company_name: word(0), name: word(1), email: `${word(2)}@hotel.example`, password: word(3) }

let foyer: Foyer
let token: string
let identity: string
beforeAll(async () => {
  identity = at('key.txt')
  const secret = await generateX25519Identity()
  fs.writeFileSync(identity, `# created by a test\n# public key: ${await identityToRecipient(secret)}\n${secret}\n`)
  fs.writeFileSync(at('other.txt'), `${await generateX25519Identity()}\n`)
  foyer = await startFoyer({ DATA_DIR: at('here') })
  token = (await ask<{ data: { access_token: string } }>('/auth/signup', person)).data.access_token
  for (let n = 4; n < planted.length; n += 3)
    await ask('/properties-create', { name: word(n), address: word(n + 1), city: word(n + 2), draft: true })
}, patience_ms)
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function ask<R>(call: string, body: object, of = foyer): Promise<R> {
  const headers = {
    'app-context': 'customer',
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(`${of.url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${call} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as R
}

async function run(script: 'backup' | 'restore', args: string[], settings: Record<string, string>) {
  const env = { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...settings }
  const cwd = path.join(import.meta.dirname, '..')
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

const publicKey = () => /age1\w+/.exec(fs.readFileSync(identity, 'utf8'))?.[0] ?? ''
const wordsIn = (bytes: Buffer, words: readonly string[]) => words.filter((one) => bytes.includes(one))

test(
  'a stolen backup has none of forty planted words and no key, and whoever has the identity has all of it',
  { timeout: patience_ms },
  async () => {
    const file = at('nightly.tar.zst.age')
    const left = at('killed.tar.zst.unfinished')
    const running = at('running.tar.zst.unfinished')
    for (const one of [left, running]) fs.writeFileSync(one, 'half')
    fs.utimesSync(left, 0, 0)
    // Listed, and not there when it is looked at, as one that another run puts in its place meanwhile.
    fs.symlinkSync(at('nowhere'), at('placed.tar.zst.unfinished'))
    const made = await run('backup', [file], { DATA_DIR: at('here'), BACKUP_RECIPIENT: publicKey() })
    expect(made.output).toContain('It was restored into a spare folder while it was made: customers: 1')
    expect(made.output).toContain('It is encrypted')
    expect(made.code).toBe(0)
    // What a killed run left is gone, what another one writes is not.
    expect([fs.existsSync(left), fs.existsSync(running)]).toEqual([false, true])
    expect(fs.readdirSync(at('here')).filter((name) => name.startsWith('trying-'))).toEqual([])

    const keys = ['secret-key', 'pg18.password'].map((name) =>
      fs.readFileSync(path.join(at('here'), name), 'utf8').trim(),
    )
    const stolen = fs.readFileSync(file)
    expect(wordsIn(stolen, [...planted, ...keys, 'PG_VERSION', 'about.json'])).toEqual([])
    expect(() => zstdDecompressSync(stolen)).toThrow()
    // The same words are found where they are: all but the password, of which there is only a hash.
    const opened = await buffer(await openedFile(file, { identity, progress: () => {} }))
    const plain = zstdDecompressSync(opened)
    expect(wordsIn(plain, [...planted, ...keys])).toEqual(
      [...planted, ...keys].filter((one) => one !== person.password),
    )

    const [note] = backupNotes(at('here'))
    expect(note).toMatchObject({
      file,
      bytes: stolen.length,
      sha256: await sha256Of(file),
      is_encrypted: true,
      opened_at: null,
    })
    expect(Date.parse(note?.tried_at ?? '')).toBeGreaterThan(Date.now() - patience_ms)

    // Any program that speaks age opens it.
    if (spawnSync('age', ['--version']).status === 0)
      expect(
        spawnSync('age', ['--decrypt', '--identity', identity, file], { maxBuffer: 1e9 }).stdout.equals(opened),
      ).toBe(true)
  },
)

test(
  'it is tried and restored where its identity is, and refused with a sentence where it is not',
  { timeout: patience_ms },
  async () => {
    const file = at('nightly.tar.zst.age')
    const there = { DATA_DIR: at('there') }
    const refused = await run('restore', [file], there)
    expect(refused).toEqual({
      code: 1,
      output: expect.stringContaining('is encrypted. Name the file with its identity'),
    })
    const wrong = await run('restore', [file, '--identity', at('other.txt')], there)
    expect(wrong).toEqual({ code: 1, output: expect.stringContaining('cannot be opened with') })
    const none = await run('restore', [file, '--identity', file], there)
    expect(none).toEqual({
      code: 1,
      output: expect.stringContaining('has no identity: a line that begins with AGE-SECRET-KEY-'),
    })
    const turned = fs.readFileSync(file)
    turned[Math.floor(turned.length / 2)] = (turned[Math.floor(turned.length / 2)] ?? 0) ^ 1
    fs.writeFileSync(at('turned.age'), turned)
    const damaged = await run('restore', [at('turned.age'), '--identity', identity], there)
    expect(damaged).toEqual({ code: 1, output: expect.stringMatching(/turned\.age is damaged/) })
    expect(fs.existsSync(path.join(at('there'), 'pg18'))).toBe(false)

    // While Foyer runs on the same folder.
    const tried = await run('restore', ['--try', '--identity', identity, file], { DATA_DIR: at('here') })
    expect(tried.output).toMatch(/Tried .* all of it is there, customers: 1/)
    expect(tried.code).toBe(0)
    const [note] = backupNotes(at('here'))
    expect(Date.parse(note?.opened_at ?? '')).toBeGreaterThan(Date.now() - patience_ms)
    expect(JSON.parse(fs.readFileSync(`${file}.opened.json`, 'utf8'))).toMatchObject({ sha256: await sha256Of(file) })

    const restored = await run('restore', [file, '--identity', identity], there)
    expect(restored.output).toContain('customers: 1')
    expect(restored.code).toBe(0)
    const again = await startFoyer(there)
    const { email, password } = person
    token = ''
    token = (await ask<{ data: { access_token: string } }>('/auth/login', { email, password }, again)).data.access_token
    const { data } = await ask<{ data: { name: string }[] }>('/properties', {}, again)
    expect(data.map(({ name }) => name).toSorted()).toEqual(
      planted.filter((_, n) => n >= 4 && (n - 4) % 3 === 0).toSorted(),
    )
    await again.kill()
  },
)

test(
  'a command without the settings of its Foyer does nothing, and as documented it has them',
  { timeout: patience_ms },
  async () => {
    const settings = { BACKUP_RECIPIENT: publicKey(), STORAGE_URL: pathToFileURL(at('files elsewhere')).href }
    const running = await startFoyer({ DATA_DIR: at('set'), ...settings })
    const bare = await run('backup', [at('bare.tar.zst')], { DATA_DIR: at('set') })
    const started =
      'Foyer last started here with STORAGE_URL and BACKUP_RECIPIENT, and this command was started without'
    expect(bare).toEqual({ code: 1, output: expect.stringContaining(started) })
    expect(fs.existsSync(at('bare.tar.zst'))).toBe(false)
    const back = await run('restore', [at('nightly.tar.zst.age'), 'replace'], { DATA_DIR: at('set') })
    expect(back).toEqual({ code: 1, output: expect.stringContaining(started) })

    // What cron runs, by the documentation.
    const root = path.join(import.meta.dirname, '..')
    const documented = fs.readFileSync(path.join(root, 'docs/backup.md'), 'utf8')
    const [, line = ''] = /^15 3 \* \* \* (.+)$/m.exec(documented) ?? []
    const here = {
      '/etc/foyer.env': at('foyer.env'),
      '/var/lib/foyer': at('set'),
      '/opt/foyer': root,
      '/backups': at('nights'),
    }
    const command = Object.entries(here).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      line.replaceAll('\\%', '%'),
    )
    const lines = { ...settings, MAIL_FROM: "'Foyer <wifi@example.com>'" }
    fs.writeFileSync(
      at('foyer.env'),
      Object.entries(lines)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    fs.mkdirSync(at('nights'))
    const cron = spawn('sh', ['-c', command], { env: { PATH: process.env['PATH'], HOME: scratch }, stdio: 'inherit' })
    expect(await once(cron, 'close')).toEqual([0, null])
    const [night = ''] = fs.readdirSync(at('nights'))
    expect(isEncrypted(path.join(at('nights'), night))).toBe(true)
    await running.kill()
  },
)

test.runIf(process.getuid?.() === 0)(
  'what root restores, tries and backs up beside a service belongs to the user of the service',
  { timeout: patience_ms },
  async () => {
    const service = { uid: 4321, gid: 4322 }
    fs.chmodSync(scratch, 0o711)
    fs.mkdirSync(at('service'), { mode: 0o700 })
    fs.chownSync(at('service'), service.uid, service.gid)
    const there = { DATA_DIR: at('service') }
    const restored = await run('restore', [at('nightly.tar.zst.age'), '--identity', identity], there)
    expect(restored.output).toContain('Restored')
    const made = await run('backup', [at('root.tar.zst')], there)
    expect(made.output).toContain('It was restored into a spare folder while it was made')
    const again = await run('restore', [at('root.tar.zst'), 'replace'], there)
    expect(again.output).toContain('What was there before is kept in')
    const written = fs
      .readdirSync(at('service'), { recursive: true })
      .map((name) => path.join(at('service'), String(name)))
    expect(written.length).toBeGreaterThan(1000)
    const ofOthers = [...written, at('root.tar.zst')].filter((name) => {
      const { uid, gid } = fs.lstatSync(name)
      return uid !== service.uid || gid !== service.gid
    })
    expect(ofOthers).toEqual([])

    // Brought back by whoever, what tells of a trial elsewhere is read.
    const tried = await run('restore', [at('root.tar.zst'), '--try'], { DATA_DIR: at('elsewhere') })
    expect(tried.output).toContain('all of it is there')
    expect(fs.statSync(`${at('root.tar.zst')}.opened.json`).mode & 0o004).toBe(0o004)
  },
)

test(
  'of two backups of one name at once one is made, whole, and the other says so',
  { timeout: patience_ms },
  async () => {
    const file = at('twice.tar.zst')
    const there = { DATA_DIR: at('here') }
    const both = await Promise.all([
      run('backup', [file, '--untried'], there),
      run('backup', [file, '--untried'], there),
    ])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(both.find(({ code }) => code === 1)?.output).toMatch(
      /Another backup has created \S*twice\.tar\.zst|twice\.tar\.zst already exists/,
    )
    const [note] = backupNotes(at('here'))
    expect(note).toMatchObject({ file, sha256: await sha256Of(file) })
    expect(fs.readdirSync(scratch).filter((name) => name.startsWith('twice'))).toEqual(['twice.tar.zst'])
  },
)

test('nothing is tried where the disk of a database would be full', { timeout: patience_ms }, async () => {
  const full = { DATA_DIR: at('here'), DISK_RESERVE_MB: '1000000' }
  const made = await run('backup', [at('full.tar.zst')], full)
  expect(made).toEqual({ code: 0, output: expect.stringContaining('Not tried meanwhile: a spare folder in') })
  const tried = await run('restore', [at('full.tar.zst'), '--try'], full)
  expect(tried).toEqual({ code: 1, output: expect.stringMatching(/was not tried to its end: less than 1000000 MB/) })
  expect(fs.readdirSync(at('here')).filter((name) => name.startsWith('trying-'))).toEqual([])
})

test('a wrong recipient is refused before anything is written', { timeout: patience_ms }, async () => {
  const file = at('never.age')
  // Its last letter is another one.
  const typed = publicKey().replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
  const settings = { DATA_DIR: at('here'), BACKUP_RECIPIENT: typed }
  const mistyped = await run('backup', [file], settings)
  expect(mistyped).toEqual({ code: 1, output: expect.stringContaining('BACKUP_RECIPIENT: ') })
  const unlike = await run('backup', [file], { ...settings, BACKUP_RECIPIENT: 'somebody' })
  expect(unlike).toEqual({ code: 1, output: expect.stringContaining('BACKUP_RECIPIENT must be the public key') })
  expect(fs.readdirSync(scratch).filter((name) => name.startsWith('never'))).toEqual([])
})
