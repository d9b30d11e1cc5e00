// Downloads: a file of a hundred thousand codes takes no more memory than one of two hundred.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as batches from '#contract/voucher-batches.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { share } from './proof.ts'

const codes = share(100_000)
const few = 200
const samples = 5
const growth_max_bytes = 24 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let foyer: TestFoyer
let who: Person
let port: number
beforeAll(async () => {
  foyer = await openFoyer()
  await foyer.app.listen({ port: 0, host: '127.0.0.1' })
  port = (foyer.app.server.address() as AddressInfo).port
  who = await foyer.customer()
})
afterAll(() => foyer.close())

function held() {
  // The memory of buffers is released in parallel to a garbage collection; the next one waits for that.
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Reads a file to its end and discards it, measuring the memory in use several times on the way. */
async function most(id: number, wanted: object, every_bytes: number) {
  const body = JSON.stringify({ id, ...wanted })
  const socket = net.connect(port, '127.0.0.1')
  socket.write(
    `POST /api/v1${batches.exportCodes.path} HTTP/1.1\r\nHost: foyer.test\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Authorization: Bearer ${who.token}\r\nApp-Context: ${who.context}\r\n\r\n${body}`,
  )
  let [bytes, next, peak] = [0, 0, 0]
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes < next) return
    next += every_bytes
    peak = Math.max(peak, held())
  })
  await once(socket, 'close')
  return { bytes, peak }
}

test.for([{ format: 'csv' }, { format: 'xlsx' }, { format: 'pdf', paper: 'a4' }])(
  'memory does not grow with the number of codes in a $format file',
  { timeout: 900_000 },
  async (wanted, { task }) => {
    const [small, large] = [
      await foyer.voucherBatch(who, { quantity: few }),
      await foyer.voucherBatch(who, { quantity: codes }),
    ]
    // Excludes what is loaded with the first file of a kind.
    const { bytes } = await most(small.id, wanted, Infinity)
    const little = await most(small.id, wanted, bytes / samples)
    const much = await most(large.id, wanted, ((bytes / few) * codes) / samples)
    // The whole file was read. Parts of fixed size make the small file longer for each of its codes.
    expect(much.bytes).toBeGreaterThan((bytes / few) * codes * 0.5)
    const growth = much.peak - little.peak
    expect(growth).toBeLessThan(growth_max_bytes)
    task.meta.figures = `${codes} codes, ${Math.round(much.bytes / 1e6)} MB, ${(growth / 1e6).toFixed(1)} MB more in use`
  },
)
