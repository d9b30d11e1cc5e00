// Noisy guests: many guests of one customer sign in at the same time. Another customer is never refused, and waits hardly longer than
// without them.
import { fork } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import { freePort } from '#server/start/free-port.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty } from '#test/foyer.ts'
import { aPicture } from '#test/pictures.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import type { Crowd, Outcomes } from './guests-at-once.ts'
import { neighbours, receptionist, type Neighbours } from '#test/proofs/neighbours.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { full } from '#test/proofs/proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-guests-'))
const guests = full ? 2000 : 100
const rounds = full ? 150 : 5
const sites_count = 4

let foyer: Foyer
let port = 0
let database: TestDatabase | undefined
beforeAll(async () => {
  // The full proof uses a separate database, which is durable and so slower than the one of tests.
  database = full ? undefined : await freshDatabase()
  port = await freePort(4)
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    DISK_RESERVE_MB: '0',
    PORT: String(port),
    PORTAL_PORT: String(port + 1),
    PORTAL_URL: `http://127.0.0.1:${port + 1}`,
    RADIUS_AUTH_PORT: String(port + 2),
    RADIUS_ACCT_PORT: String(port + 3),
    ...(database && {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      SECRET_KEY: database.secretKey,
    }),
  })
}, 120_000)
afterAll(async () => {
  await foyer?.kill()
  killAll()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

/** A property with a portal for free access, and its gateway. */
async function aSite({ ask, made }: Awaited<ReturnType<Neighbours['aCustomer']>>, nth: number): Promise<SimulatedSite> {
  const look = { name: `Page ${nth}`, slug: `page-${nth}`, headline: 'Welcome', company_name: 'Noisy' }
  const logo = aPicture('logo.png')
  const form = { ...look, logo, portal_layout_id: 1, portal_font_id: 1, auth_method_ids: [authMethods.free] }
  const { data: portal } = await ask<{ id: number; url: string }>('/portals-create', await bytesOf(formOf(form)))
  const place = { property_id: await made('/properties-create', { ...aProperty(), portal_id: portal.id }) }
  const mac_address = `02:00:5e:10:00:0${nth}`
  const box = { ...place, gateway_type_id: 13, mac_address, dns_name: 'hotspot.example' }
  const { data: gateway } = await ask<SimulatedSite['gateway']>('/gateways-create', box)
  return { name: look.name, portal_path: new URL(portal.url).pathname, gateway, holders: [] }
}

test(
  `${guests} guests sign in at once; another customer is served as if it were alone`,
  { timeout: 900_000 },
  async ({ task }) => {
    const { aCustomer } = neighbours(foyer)
    const noisy = await aCustomer('noisy', '203.0.113.1')
    const quiet = await aCustomer('quiet', '203.0.113.2')
    const sites: SimulatedSite[] = []
    for (let nth = 0; nth < sites_count; nth++) sites.push(await aSite(noisy, nth))
    const measure = await receptionist(foyer, quiet, rounds)
    const alone_ms = await measure()

    const crowd: Crowd = {
      sites,
      guests,
      portal_url: `http://127.0.0.1:${port + 1}`,
      ports: { access: port + 2, accounting: port + 3 },
    }
    const process_ = fork(path.join(import.meta.dirname, 'guests-at-once.ts'), {
      execArgv: ['--import', './scripts/tsx.mjs'],
      env: { ...process.env, CROWD: JSON.stringify(crowd), NODE_NO_WARNINGS: '1' },
    })
    const nextMessage = () => new Promise<unknown>((resolve) => process_.once('message', resolve))
    await nextMessage()
    const outcomes = nextMessage()
    const during_ms = await measure()
    const { online, refused, retries } = (await outcomes) as Outcomes

    const waits = [alone_ms, during_ms].map(Math.round)
    task.meta.figures =
      `of ${rounds * 4} requests 95 % within ${waits[0]} ms alone and ${waits[1]} ms with ${guests} guests at once, ` +
      `who all got online, after ${retries} retries`
    expect({ online, refused }).toEqual({ online: guests, refused: 0 })
    if (full) expect(during_ms).toBeLessThanOrEqual(Math.max(4 * alone_ms, 150))
  },
)
