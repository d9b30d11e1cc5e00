// Rotation of the secret key: everything sealed opens only with the new key afterwards, and nothing else is affected.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as imports from '#contract/imports.ts'
import * as own from '#contract/own-sign-in.ts'
import * as auth from '#contract/auth.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { refusals } from '#contract/errors.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { openSecrets, key_refresh_ms } from '#server/access/secrets.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { rotate, sources } from '#server/db/rotation.ts'
import { keepFiles } from '#server/files/keep.ts'
import { putSealed, readSealed } from '#server/files/sealed-files.ts'
import { beginningUnder, keyIdOf } from '#server/secrets/seal.ts'
import { newSecretKey, type Keys } from '#server/start/secret-key.ts'
import { freshDatabase } from '#test/database.ts'
import { aProperty, openFoyer, password, patient, type Person, type TestFoyer } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { aFile } from '#test/uploads.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

const quiet = () => {}

describe('while nodes run', () => {
  let foyer: TestFoyer
  let admin: Awaited<ReturnType<typeof connect>>
  let editor: Person
  beforeAll(async () => {
    foyer = await openFoyer()
    admin = await connect(foyer.database.adminUrl)
    editor = await foyer.customer()
  })
  afterAll(async () => {
    await admin.end()
    await foyer.close()
  })

  /** Another node with these keys. */
  async function secretsUnder(keys: Keys, database = foyer.database) {
    const tenancy = openTenancy(database, patient)
    try {
      const secrets = await openSecrets(() => keys, tenancy)
      secrets.close()
      return secrets
    } finally {
      await tenancy.close()
    }
  }

  test('passwords, secrets, stored answers, undo and second factors keep working with the new key only', async () => {
    const account = await foyer.account(editor, { name: 'Ada', username: 'ada', password: 'welcome-ada' })
    // More codes than are sealed anew at once.
    const batch = await foyer.voucherBatch(editor, { password: 'welcome-all', quantity: 250 })
    const codes = await codesOf(admin, batch.id)
    await foyer.gateway(editor, { password: 'of the gateway' })
    await foyer.propertyInterface(editor, { username: 'opera', password: 'of the hotel' })
    const repeated = { name: 'Once', property_id: account.property.id, password: 'welcome-once' }
    const first = await foyer.ask(accounts.create, repeated, editor, { 'idempotency-key': 'again' })
    const list = aFile('list.csv', 'name,password\r\nAda,another-word\r\n')
    const brought = await foyer.get(imports.accounts, { AccountImport: list, property_id: account.property.id }, editor)
    const { secret } = (await foyer.get(own.beginSecondFactor, { current_password: password }, editor)).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { recovery_codes } = (await foyer.get(own.confirmSecondFactor, { code }, editor)).data
    const { tenancy, storage, seal } = foyer.services
    const { id: customer_id } = editor.user.customer
    const caller = callerOfJob(customer_id, 'test')
    const report = await putSealed({ tenancy, storage, seal }, customer_id, Readable.from(['Ada, room 204']), 1000)
    const kept = { name: 'report.csv', content_type: 'text/csv', ...report }
    await tenancy.enter(caller, 'write', (scope) => keepFiles(scope, storage, [kept]))

    const [former, fresh] = [foyer.database.secretKey, newSecretKey()]
    foyer.database.changeKeys([fresh, former])
    const { ownerUrl, secretKeys } = foyer.database
    const noticed_after_ms = 2 * key_refresh_ms
    const unopened = await rotate({ ownerUrl, adminUrl: null, secretKeys, noticed_after_ms, log: quiet })
    expect(unopened).toBe(0)
    foyer.database.changeKeys([fresh])

    for (const { name, table, value } of sources) {
      const { rows } = await admin.query<{ beginning: Buffer }>(
        `select distinct substring(${value} from 1 for 5) as beginning from ${table} where ${value} is not null`,
      )
      for (const { beginning } of rows) expect(beginning, name).toEqual(beginningUnder(keyIdOf(fresh)))
    }
    expect((await foyer.get(batches.get, { id: batch.id }, editor)).data.password).toBe('welcome-all')
    expect(await codesOf(admin, batch.id, fresh)).toEqual(codes)
    const [, found = ''] = codes
    expect((await foyer.get(vouchers.findByCode, { code: found }, editor)).data.code).toBe(vouchers.shown(found))
    expect((await foyer.get(accounts.get, { id: account.id }, editor)).data.password).toBe('another-word')
    expect((await foyer.ask(accounts.create, repeated, editor, { 'idempotency-key': 'again' })).text).toBe(first.text)
    const { rows: keys } = await admin.query<{ sealed_key: Buffer }>(
      `select sealed_key from files where customer_id = $1 and sealed_key is not null`,
      [customer_id],
    )
    expect(keys).toHaveLength(1)
    const content = await readSealed({ storage, seal }, customer_id, { ...report, ...keys[0] })
    expect(content && (await text(content))).toBe('Ada, room 204')
    const { data: undone } = await foyer.get(imports.undo, { id: brought.data.id ?? 0 }, editor)
    expect(undone).toMatchObject({ overwritten: 1 })
    expect((await foyer.get(accounts.get, { id: account.id }, editor)).data.password).toBe('welcome-ada')
    const { data } = await foyer.get(auth.login, { email: editor.user.email, password })
    if (!('challenge' in data)) throw new Error('a second factor is asked')
    const answer = await foyer.ask(auth.secondFactor, { challenge: data.challenge, code: recovery_codes[0] ?? '' })
    expect(answer.status).toBe(200)
    // A node that still has only the old key does not start.
    await expect(secretsUnder([former])).rejects.toThrow('SECRET_KEY is not the key')
  })

  test('a node seals with the key that all nodes have, whichever key it lists first', async () => {
    const database = await freshDatabase()
    const owner = await connect(database.ownerUrl)
    try {
      const under = async (...keys: Keys) => (await secretsUnder(keys, database)).seal
      const [former, fresh] = [newSecretKey(), newSecretKey()]
      const place = { column: 'account_passwords.sealed_password', customer_id: 1, row: 1 } as const
      const seal = await under(former)
      expect(seal.open((await under(fresh, former)).close('welcome', place), place)).toBe('welcome')
      await owner.query('update installation set key_ids = $1', [[keyIdOf(fresh), keyIdOf(former)]])
      await expect(under(former)).rejects.toThrow('every node needs both keys')
      await expect(under(fresh)).rejects.toThrow('every node needs both keys')
      expect((await under(former, fresh)).close('welcome', place).subarray(1, 5)).toEqual(keyIdOf(fresh))
    } finally {
      await owner.end()
      await database.drop()
    }
  })

  test('a value that was copied into another row does not open there', async () => {
    const mine = await foyer.account(editor, { name: 'Mine', password: 'of-mine' })
    const victim = await foyer.account(editor, { name: 'Victim', password: 'of-victim' })
    await admin.query(
      `update account_passwords set sealed_password = (select sealed_password from account_passwords where account_id = $1)
       where account_id = $2`,
      [victim.id, mine.id],
    )
    expectRefused(await foyer.ask(accounts.get, { id: mine.id }, editor), refusals.broken)
  })
})

describe('npm run rotate-key', () => {
  let directory: string
  beforeEach(() => void (directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-rotation-'))))
  afterEach(() => {
    killAll()
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  })
  const keys = () => fs.readFileSync(path.join(directory, 'secret-key'), 'utf8').split('\n').filter(Boolean)

  /** Runs the command; resolves with its output and exit code. */
  function command(settings: Record<string, string> = { DATA_DIR: directory }) {
    const child = spawn(process.execPath, ['server/rotate-key.ts'], {
      cwd: path.join(import.meta.dirname, '..'),
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, output }))
    return { child, ended }
  }

  async function post(foyer: Foyer, call: string, body: object, token?: string) {
    const response = await fetch(`${foyer.url}/api/v1${call}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}`, 'app-context': 'customer' } : {}),
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: { id: number; access_token: string; password: string } }).data
  }

  test('next to a running Foyer, killed with -9 at random moments, and run again', { timeout: 300_000 }, async () => {
    // Everything written is read back at once.
    const settings = { DATA_DIR: directory, REQUESTS_PER_MINUTE: '100000' }
    let foyer = await startFoyer(settings)
    const signup = { company_name: 'Rotation', name: 'Tester', email: 'tester@example.com', password }
    const { access_token: token } = await post(foyer, '/auth/signup', signup)
    const property = await post(foyer, '/properties-create', aProperty(), token)
    const made = new Map<number, string>()
    const [former = ''] = keys()

    const enough = new AbortController()
    // Writes and reads continue all the time.
    const writing = (async () => {
      for (let index = 0; !enough.signal.aborted; index++) {
        const values = { name: `Guest ${index}`, property_id: property.id, password: `word-${index}` }
        made.set((await post(foyer, '/accounts-create', values, token)).id, values.password)
        await sleep(30)
      }
    })()
    for (const after_ms of [400, 700, 1500, 6000]) {
      const { child, ended } = command()
      await sleep(after_ms)
      child.kill('SIGKILL')
      await ended
      expect(keys()).toContain(former)
    }
    const { code, output } = await command().ended
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Done.') })
    enough.abort()
    await writing

    expect(keys()).toHaveLength(1)
    expect(keys()).not.toContain(former)
    const readAll = async () => {
      for (const [id, word] of made) expect((await post(foyer, `/accounts/${id}`, {}, token)).password).toBe(word)
    }
    await readAll()
    await foyer.kill()
    foyer = await startFoyer(settings)
    await readAll()
    await foyer.kill()
  })
  test('a new key is put beside the archived log once, before it is kept', { timeout: 300_000 }, async () => {
    const place = path.join(directory, 'place')
    const settings = {
      DATA_DIR: directory,
      BACKUP_URL: pathToFileURL(place).href,
      BACKUP_RECIPIENT: await identityToRecipient(await generateX25519Identity()),
    }
    const foyer = await startFoyer(settings)
    const [former] = keys()
    const archived = path.join(place, 'log/keys.json')
    fs.mkdirSync(archived)
    const refused = await command(settings).ended
    expect(refused).toEqual({
      code: 1,
      output: expect.stringMatching(/The new key cannot be put beside the log at BACKUP_URL: .*EISDIR/),
    })
    expect(keys()).toEqual([former])
    fs.rmdirSync(archived)

    const { child, ended } = command(settings)
    for await (const text of child.stdout) if (String(text).includes('Sealing everything again')) break
    child.kill('SIGKILL')
    await ended
    expect(keys()).toHaveLength(2)
    expect((await command(settings).ended).code).toBe(0)
    expect(keys()).toHaveLength(1)
    expect(JSON.parse(fs.readFileSync(archived, 'utf8'))).toHaveLength(1)
    await foyer.kill()
  })
})
