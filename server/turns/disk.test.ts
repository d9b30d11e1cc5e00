// Disk: while it is nearly full, nothing is added and everything else works.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as contract from '#contract/auth.ts'
import * as batches from '#contract/voucher-batches.ts'
import { refusals } from '#contract/errors.ts'
import { watchDisk } from '#server/turns/disk.ts'
import { openNode, type Node } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { forbidden } from '#server/errors/refused.ts'
import { openFoyer, password, patient, type Person, type TestFoyer } from '#test/foyer.ts'
import { mountSmallDisk } from '#test/small-disk.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

let foyer: TestFoyer
/** On the same database, with a reserve of a million gigabytes.  */
let full: Node
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  full = await openNode({
    config: readConfig({ ROLES: 'api', SIGNUP: 'open', DISK_RESERVE_MB: '1000000' }),
    ...foyer.database,
    webRoot: null,
    tenancy: patient,
  })
})
afterAll(async () => {
  await full.close()
  await foyer.close()
})

const ask = async (path: string, body: object, who: Person | null = editor) => {
  const { statusCode: status, json } = await full.app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: who ? { authorization: `Bearer ${who.token}`, 'app-context': who.context } : {},
    payload: body,
  })
  return { status, body: json<{ message?: string; data?: { id: number } }>() }
}

describe('with less free than the reserve', () => {
  test('creating, changing, importing and signing up are refused with a message', async () => {
    const property = await foyer.property(editor)
    const refused = { status: 507, body: { message: refusals.full.message } }
    for (const { path } of [batches.create, accounts.create, accounts.update, contract.signup])
      expect(await ask(path, { id: property.id }, path === contract.signup.path ? null : editor), path).toEqual(refused)
  })

  test('signing in and out, reading, disabling, deleting and downloading still work', async () => {
    const { id } = await foyer.account(editor)
    const signedIn = await ask(contract.login.path, { email: editor.user.email, password }, null)
    expect(signedIn.status).toBe(200)
    expect((await ask(accounts.list.path, {})).status).toBe(200)
    expect((await ask(accounts.deactivate.path, { ids: [id] })).status).toBe(200)
    expect((await ask(accounts.remove.path, { id })).status).toBe(200)
    expect((await ask(contract.logout.path, {}, await foyer.invited(editor))).status).toBe(200)
    const file = await full.app.inject({
      method: 'POST',
      url: `/api/v1${accounts.exportList.path}`,
      headers: { authorization: `Bearer ${editor.token}`, 'app-context': editor.context },
      payload: { format: 'csv' },
    })
    expect(file.statusCode).toBe(200)
    expect((await full.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  })

  test('a missing right or sign-in is refused first', async () => {
    const viewer = await foyer.viewer(editor)
    expectRefused(await ask(batches.create.path, {}, viewer), forbidden())
    expectRefused(await ask(batches.create.path, {}, null), refusals.unauthenticated)
  })
})

describe('guests, with less free than the reserve', () => {
  const post = async (reserve_mb: number) => {
    const node = await openNode({
      config: readConfig({ ROLES: 'guest', DISK_RESERVE_MB: String(reserve_mb) }),
      ...foyer.database,
      webRoot: null,
      tenancy: patient,
    })
    const url = `/p/${'a'.repeat(32)}`
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await node.guest?.inject({ method: 'POST', url, headers: form, payload: 'method=1' })
    const looked = await node.guest?.inject({ url })
    await node.close()
    return { posted, looked }
  }

  test('sign in while more than half of it is left, and get a message when it is not', async () => {
    const { bavail, bsize } = fs.statfsSync('.')
    const free_mb = Math.floor((bavail * bsize) / 1_000_000)
    // The portal does not exist: the status shows which check refused it.
    expectRefused((await post(Math.floor(free_mb * 1.3))).posted, nothingHere)
    const { posted, looked } = await post(free_mb * 4)
    expectRefused(posted, { ...refusals.full, message: 'Signing in does not work right now' })
    expect(posted?.body).toContain('Please tell the front desk')
    expectRefused(looked, nothingHere)
  })
})

test('a disk that fills in less than a second is noticed before the reserve is gone', async ({ skip }) => {
  const disk = mountSmallDisk(96)
  if (!disk) return skip('a small disk cannot be mounted here')
  const reserve_mb = 32
  const watched = watchDisk({ folders: [disk.folder], reserve_bytes: reserve_mb * 1_000_000, log: () => {} })
  const file = fs.openSync(path.join(disk.folder, 'growing'), 'w')
  try {
    const chunk = Buffer.alloc(1024 * 1024)
    while (watched.hasRoom()) {
      fs.writeSync(file, chunk)
      await sleep(4)
    }
    expect(disk.free_mb()).toBeGreaterThan(reserve_mb / 2)
  } finally {
    fs.closeSync(file)
    watched.close()
    disk.remove()
  }
})
