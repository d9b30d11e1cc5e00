// A searching neighbour: one customer with very many guests keeps thirty searches running. All ordinary requests of another are served.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/db/logins.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aProperty } from '#test/foyer.ts'
import { neighbours, receptionist, type Neighbours } from '#test/proofs/neighbours.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { full, share } from '#test/proofs/proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-searching-'))
const guests = share(200_000)
const searches_at_once = 30
const rounds = full ? 100 : 5
/** Expensive searches, which find nothing and scan everything: two letters, which no index supports, and misspelt long words. */
const words = ['zq', 'guest zz', 'amstrdamm', 'o', 'margaretta', '77 9', 'xylofone guest', 'wi fi 4']

let foyer: Foyer
let asking: Neighbours
let database: TestDatabase | undefined
beforeAll(async () => {
  database = await freshDatabase()
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    REQUESTS_PER_MINUTE: '1000000',
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    SECRET_KEY: database.secretKey,
  })
  asking = neighbours(foyer)
}, 120_000)
afterAll(async () => {
  await foyer?.kill()
  killAll()
  await database?.drop()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

async function fill(property_id: number) {
  const client = await connect(database?.ownerUrl ?? '')
  try {
    await client.query(
      `insert into accounts (customer_id, property_id, name, username, email)
       select customer_id, id, 'Guest ' || md5(i::text), 'guest' || i, 'guest' || i || '@example.com'
       from properties, generate_series(1, $2::integer) as i where id = $1`,
      [property_id, guests],
    )
    await client.query('analyze accounts')
  } finally {
    await client.end()
  }
}

test(
  'thirty simultaneous searches of one customer do not keep another from being served',
  { timeout: 900_000 },
  async ({ task }) => {
    const { aCustomer } = asking
    const noisy = await aCustomer('searching', '203.0.113.1')
    const quiet = await aCustomer('quiet', '203.0.113.2')
    await fill(await noisy.made('/properties-create', aProperty()))
    const measure = await receptionist(foyer, quiet, rounds)
    const alone_ms = await measure()

    const statuses = new Map<number, number>()
    const over = new AbortController()
    // Some request a page, others the exact count of all matches.
    const search = async (index: number) => {
      for (let asked = index; !over.signal.aborted; asked++) {
        const searchValue = words[asked % words.length]
        const { status } = await noisy.ask('/accounts', {
          searchValue,
          ...(asked % 3 === 0 && { count: true, per_page: 0 }),
        })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const all = Promise.all(Array.from({ length: searches_at_once }, (_, index) => search(index)))
    await expect.poll(() => statuses.size, { timeout: 120_000 }).toBeGreaterThan(0)
    const during_ms = await measure()
    over.abort()
    await all

    expect([...statuses.keys()].filter((status) => ![200, 429].includes(status))).toEqual([])
    task.meta.figures =
      `${guests} guests; of ${rounds * 4} requests 95 % within ${Math.round(alone_ms)} ms alone ` +
      `and ${Math.round(during_ms)} ms during the searches; ` +
      `searches ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`
  },
)
