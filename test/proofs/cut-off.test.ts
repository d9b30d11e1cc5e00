// Cut off: clients of two customers disconnect at random points of their requests and answers. No transaction stays open, nobody
// gets a row of the other customer, and nothing is stored under the wrong one.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as batches from '#contract/voucher-batches.ts'
import * as groups from '#contract/groups.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import { connect } from '#server/db/logins.ts'
import { openLog } from '#server/watch/log.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { chance, seed, share } from './proof.ts'

const requests = share(1000)
/** Enough for an answer that is sent in many chunks. */
const codes = 5000
const clients = 8
const random = chance()
const below = (limit: number) => Math.floor(random() * limit)

interface Side {
  who: Person
  mark: string
  calls: [Endpoint, object][]
}
let foyer: TestFoyer
/** What the node reports as its own error. */
const faults: string[] = []
let port: number
let sides: [Side, Side]

async function sideOf(mark: string): Promise<Side> {
  const who = await foyer.customer()
  const property = await foyer.property(who, { name: `${mark} House` })
  const { id } = await foyer.voucherBatch(who, { quantity: codes, property_id: property.id })
  return {
    who,
    mark,
    calls: [
      [batches.exportCodes, { id, format: 'csv' }],
      [batches.exportCodes, { id, format: 'pdf' }],
      [batches.exportCodes, { id, format: 'xlsx' }],
      [properties.list, { searchValue: 'House' }],
      [packages.list, {}],
      [groups.create, { name: `${mark} group` }],
      [properties.update, { id: property.id, city: `${mark} Town` }],
    ],
  }
}

beforeAll(async () => {
  foyer = await openFoyer({
    log: openLog({ format: 'json', level: 'error' }, { write: (line) => void faults.push(line) }),
  })
  await foyer.app.listen({ port: 0, host: '127.0.0.1' })
  port = (foyer.app.server.address() as AddressInfo).port
  sides = [await sideOf('Mistletoe'), await sideOf('Canary')]
})
afterAll(() => foyer.close())

function bytesOf({ who }: Side, endpoint: Endpoint, body: object): Buffer {
  const sent = JSON.stringify(body)
  return Buffer.from(
    [
      `POST /api/v1${endpoint.path} HTTP/1.1`,
      'Host: foyer.test',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(sent)}`,
      `Authorization: Bearer ${who.token}`,
      `App-Context: ${who.context}`,
      '',
      sent,
    ].join('\r\n'),
  )
}

/** Sends, and disconnects during the request, some time after it, or during the answer. Returns what had arrived by then. */
async function cutOff(side: Side): Promise<string> {
  const [endpoint, body] = side.calls[below(side.calls.length)] ?? [packages.list, {}]
  const request = bytesOf(side, endpoint, body)
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const received: Buffer[] = []
  const where = below(3)
  if (where === 0) socket.end(request.subarray(0, below(request.length)))
  else socket.write(request)
  const patience = where === 1 ? sleep(below(40)) : once(socket, 'close')
  let left = where === 2 ? below(60_000) : Infinity
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    left -= chunk.length
    if (left <= 0) socket.destroy()
  })
  await patience
  socket.destroy()
  return Buffer.concat(received).toString('latin1')
}

test('a client that disconnects midway leaves nothing behind', { timeout: 900_000 }, async ({ task }) => {
  const admin = await connect(foyer.database.adminUrl)
  let bytes = 0
  let answered = 0
  let left = requests
  let resting: Promise<unknown> = Promise.resolve()
  const client = async () => {
    while (left-- > 0) {
      const [side, other] = random() < 0.5 ? sides : sides.toReversed()
      if (!side || !other) throw new Error('two customers are needed')
      const received = await cutOff(side)
      expect(received, `seed ${seed}`).not.toContain(other.mark)
      if (/^HTTP\/1.1 20/.test(received)) answered++
      bytes += received.length
      // Limits are not part of this proof.
      if (left % 20 === 0) await (resting = resting.then(() => admin.query('delete from rate_limits')))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))

  const open = async () => {
    const { rows } = await admin.query(
      `select query from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    return rows
  }
  await expect.poll(open, { timeout: 60_000 }).toEqual([])
  for (const { who, mark } of sides) {
    const { rows } = await admin.query(
      `select name from groups where customer_id = $1 union select city from properties where customer_id = $1 and city <> 'Bath'`,
      [who.user.customer.id],
    )
    for (const row of rows as { name: string }[]) expect(row.name).toMatch(new RegExp(`^${mark} `))
    // The returned connections still serve the right customer.
    const { data } = await foyer.get(properties.list, {}, who)
    expect(data.map(({ name }) => name)).toEqual([`${mark} House`])
  }
  expect(answered).toBeGreaterThan(0)
  // A client that disconnects is not an error of ours.
  expect(faults).toEqual([])
  await admin.end()
  task.meta.figures = `${requests} requests cut off, ${answered} of them in or after an answer, ${Math.round(bytes / 1e6)} MB received`
})
