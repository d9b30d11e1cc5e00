// A full disk: one customer fills it and is refused with a reason, and everybody can still read. Everything acknowledged is there, and
// once there is space again everything works without a restart, even if another program took the last byte meanwhile.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { freshDatabase } from '#test/database.ts'
import { aProperty, password } from '#test/foyer.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { fillUp, mountSmallDisk, type SmallDisk } from '#test/small-disk.ts'
import { full } from './proof.ts'

const disks: SmallDisk[] = []
afterAll(() => {
  killAll()
  for (const disk of disks) disk.remove()
})

type Headers = Record<string, string>
interface Answered<T> {
  status: number
  message: string | undefined
  data: T
  /** For lists. */
  total: number | undefined
}
type Caller = Awaited<ReturnType<typeof editorOf>>

async function ask<T>(foyer: Foyer, call: string, payload: object, headers: Headers = {}): Promise<Answered<T>> {
  const response = await fetch(`${foyer.url}/api/v1${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(payload),
  })
  const body = (await response.json()) as { message?: string; data: T; meta?: { total: number } }
  return { status: response.status, message: body.message, data: body.data, total: body.meta?.total }
}
const email = 'filler@example.com'
/** Logs in or signs up; returns a function that sends the user's requests. */
async function editorOf(foyer: Foyer, call: '/auth/login' | '/auth/signup') {
  const { status, data } = await ask<{ access_token: string }>(foyer, call, {
    ...(call === '/auth/signup' && { company_name: 'Filler', name: 'Filler' }),
    email,
    password,
  })
  expect(status).toBeLessThan(300)
  const headers = { authorization: `Bearer ${data.access_token}`, 'app-context': 'customer' }
  return <T>(path: string, payload: object = {}) => ask<T>(foyer, path, payload, headers)
}
const isReady = async (foyer: Foyer) => (await fetch(`${foyer.url}/readyz`)).status
const nearlyFull = { status: 507, message: refusals.full.message }
const waiting = { timeout: 60_000, interval: 250 }

/** Reading, signing in and removing still work. */
async function expectTheRestGoesOn(foyer: Foyer, editor: Caller, property_id: number) {
  expect(await isReady(foyer)).toBe(200)
  const again = await editorOf(foyer, '/auth/login')
  expect((await again(`/properties/${property_id}`)).status).toBe(200)
  expect((await editor('/accounts', { per_page: 200 })).status).toBe(200)
}

test(
  'the space that another program leaves decides what is refused, from one second to the next',
  { timeout: 120_000 },
  async ({ skip }) => {
    const disk = mountSmallDisk(24)
    if (!disk) return skip('a small disk cannot be mounted here')
    disks.push(disk)
    const database = await freshDatabase()
    const foyer = await startFoyer({
      DATA_DIR: disk.folder,
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
      DISK_RESERVE_MB: '8',
      SIGNUP: 'open',
    })
    const editor = await editorOf(foyer, '/auth/signup')
    const property = await editor<{ id: number }>('/properties-create', aProperty())
    let guests = 0
    const create = () =>
      editor<{ id: number }>('/accounts-create', { name: `Guest ${++guests}`, property_id: property.data.id })
    const first = await create()
    expect(first.status).toBe(201)

    const filler = path.join(disk.folder, 'filler')
    fillUp(filler)
    await expect.poll(create, waiting).toMatchObject(nearlyFull)
    await expectTheRestGoesOn(foyer, editor, property.data.id)
    expect((await editor('/accounts-delete', { id: first.data.id })).status).toBe(200)

    fs.rmSync(filler)
    await expect.poll(async () => (await create()).status, waiting).toBe(201)
    await foyer.kill()
    await database.drop()
  },
)

test.runIf(full)(
  'one customer fills 300 MB, the embedded database among them',
  { timeout: 900_000 },
  async ({ task, skip }) => {
    const disk = mountSmallDisk(300)
    if (!disk) return skip('a small disk cannot be mounted here')
    disks.push(disk)
    const foyer = await startFoyer({
      DATA_DIR: path.join(disk.folder, 'data'),
      DISK_RESERVE_MB: '64',
      QUOTA_CODES: '100000000',
      SIGNUP: 'open',
    })
    const editor = await editorOf(foyer, '/auth/signup')
    const property_id = (await editor<{ id: number }>('/properties-create', aProperty())).data.id
    const package_id = (await editor<{ id: number }>('/packages-create', { name: 'Wi-Fi' })).data.id
    const ballast = path.join(disk.folder, 'ballast')
    fs.writeFileSync(ballast, Buffer.alloc(60 * 1024 * 1024))
    const started_mb = disk.free_mb()

    const fetchTotal = async (list: string, asked: object) => {
      const response = await editor(list, { ...asked, per_page: 0, count: true })
      return response.total
    }

    // Several clients, as fast as they are answered, until each has been refused twenty times.
    const acknowledged = { batches: [] as { id: number; quantity: number }[], accounts: [] as number[] }
    const refused: Answered<unknown>[] = []
    const fill = async <T>(more: () => Promise<Answered<T>>, note: (data: T) => void) => {
      for (let refusals = 0; refusals < 20;) {
        const answer = await more()
        if (answer.status === 201) note(answer.data)
        else {
          refusals++
          refused.push(answer)
          await sleep(250)
        }
      }
    }
    const makeBatch = () =>
      editor<{ id: number; quantity: number }>('/voucher-batches-create', { quantity: 20_000, package_id, property_id })
    let guests = 0
    const makeAccount = () => editor<{ id: number }>('/accounts-create', { name: `Guest ${++guests}`, property_id })
    await Promise.all([
      ...[1, 2, 3].map(() => fill(makeBatch, (batch) => acknowledged.batches.push(batch))),
      ...[1, 2].map(() => fill(makeAccount, ({ id }) => acknowledged.accounts.push(id))),
    ])
    const left_mb = disk.free_mb()
    for (const answer of refused) expect(answer).toMatchObject(nearlyFull)
    await expectTheRestGoesOn(foyer, editor, property_id)
    expect(foyer.child.exitCode).toBeNull()

    // Another program takes the remaining space, to the last byte, and releases it after a while.
    const filler = path.join(disk.folder, 'filler')
    fillUp(filler)
    const during = new Map<number, number>()
    for (const end_ms = Date.now() + 20_000; Date.now() < end_ms; await sleep(100)) {
      const { status } = await makeAccount()
      during.set(status, (during.get(status) ?? 0) + 1)
      const read = await editor(`/properties/${property_id}`)
      during.set(read.status, (during.get(read.status) ?? 0) + 1)
    }
    expect(foyer.child.exitCode).toBeNull()
    fs.rmSync(filler)
    await expect.poll(() => isReady(foyer), waiting).toBe(200)
    fs.rmSync(ballast)
    await expect.poll(async () => (await makeAccount()).status, waiting).toBe(201)
    expect((await makeBatch()).status).toBe(201)
    expect(foyer.child.exitCode).toBeNull()

    for (const { id, quantity } of acknowledged.batches) {
      const codes = await fetchTotal('/vouchers', { params: { voucher_batch_id: id } })
      expect([id, codes]).toEqual([id, quantity])
    }
    for (const id of acknowledged.accounts) expect((await editor(`/accounts/${id}`)).status).toBe(200)
    await foyer.kill()

    const figures = [
      `${acknowledged.batches.length} batches of 20,000 codes and ${acknowledged.accounts.length} accounts in ${Math.round(started_mb)} MB`,
      `then 507 with ${Math.round(left_mb)} MB left`,
      `on a disk without a byte: ${[...during].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
    ]
    task.meta.figures = figures.join('; ')
  },
)
