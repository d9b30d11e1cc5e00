// Kills of batches: the real process is killed while it makes ten thousand vouchers. After the restart all of them exist, or none.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { connect, prepareDatabase } from '#server/db/logins.ts'
import { aProperty, password } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { chance, full, share } from './proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-crash-vouchers-'))
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const quantity = 10_000
const kills = share(30)
const random = chance()

test(
  'a batch of 10,000 codes interrupted by kill -9 is complete or absent, and is made once when sent again',
  { timeout: 900_000 },
  async ({ task }) => {
    const database = await startEmbedded({ directory: path.join(scratch, 'db') })
    const secretKey = 'the secret key of this crash test is long enough'
    const urls = await prepareDatabase({ url: database.url, secretKeys: () => [secretKey] })
    const settings = {
      DATA_DIR: path.join(scratch, 'data'),
      DATABASE_URL: urls.appUrl,
      DATABASE_AUTH_URL: urls.authUrl,
      DATABASE_GUEST_URL: urls.guestUrl,
      DATABASE_OWNER_URL: urls.ownerUrl,
      SECRET_KEY: secretKey,
      SIGNUP: 'open',
    }
    const admin = await connect(database.url)
    let foyer = await startFoyer(settings)
    const post = async (to: Foyer, call: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${to.url}/api/v1${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
      return ((await response.json()) as { data: { id: number; access_token: string } }).data
    }
    const { access_token } = await post(foyer, '/auth/signup', {
      company_name: 'Crash',
      name: 'Tester',
      email: 'tester@example.com',
      password,
    })
    const editor = { authorization: `Bearer ${access_token}`, 'app-context': 'customer' }
    const property = await post(foyer, '/properties-create', aProperty(), editor)
    const wifi = await post(foyer, '/packages-create', { name: 'Wi-Fi' }, editor)

    const started = performance.now()
    const make = (key: string) =>
      post(
        foyer,
        '/voucher-batches-create',
        { quantity, package_id: wifi.id, property_id: property.id },
        { ...editor, 'idempotency-key': key },
      )
    const first = await make(randomUUID())
    const whole_ms = performance.now() - started
    const counts = async () =>
      (
        await admin.query<{ count: number }>(
          `
    select (select count(*)::integer from vouchers v where v.voucher_batch_id = b.id) as count from voucher_batches b where b.id <> $1`,
          [first.id],
        )
      ).rows.map(({ count }) => count)

    const acknowledged: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const key = randomUUID()
      const made = make(key).then(
        () => acknowledged.push(key),
        () => undefined,
      )
      await sleep(whole_ms * random())
      await foyer.kill()
      await made
      foyer = await startFoyer(settings)
      await make(key)
      expect(await counts()).toEqual(Array(kill + 1).fill(quantity))
    }
    // Without any interruption the test would prove nothing.
    if (full) expect(acknowledged.length).toBeLessThan(kills)
    task.meta.figures = `${kills} kills, ${kills - acknowledged.length} of them before the answer`
    const { rows } = await admin.query<{ orphans: number; all: number; distinct: number }>(`
    select count(*) filter (where not exists (select from voucher_batches b where b.id = v.voucher_batch_id))::integer as orphans,
      count(*)::integer as all,
      count(distinct (select k.fingerprint from voucher_codes k where k.voucher_id = v.id))::integer as distinct
    from vouchers v`)
    expect(rows[0]).toEqual({ orphans: 0, all: (kills + 1) * quantity, distinct: (kills + 1) * quantity })
    await admin.end()
    await foyer.kill()
    await database.stop()
  },
)
