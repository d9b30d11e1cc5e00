// Slow senders on real connections: a client that does not finish a request in time is dropped, and others are not.
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { dropSlowSenders } from '#server/watch/slow-senders.ts'

const max_ms = 500
let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

async function serving() {
  app = Fastify(dropSlowSenders(max_ms))
  app.post('/', ({ body }) => ({ body }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
test.each([
  ['its head', 'POST / HTTP/1.1\r\nHost: x\r\n'],
  ['its body', `${head}Content-Length: 100\r\n\r\n{`],
])('a request that never ends %s is answered 408 and closed, long before Node’s default timeout', async (_, begun) => {
  const socket = net.connect(await serving(), '127.0.0.1')
  const closed = once(socket, 'close')
  let answer = ''
  socket.on('data', (piece) => void (answer += String(piece)))
  socket.write(begun)
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a request that is sent in pieces, but in time, is served', async () => {
  const socket = net.connect(await serving(), '127.0.0.1')
  const body = JSON.stringify({ a: 1 })
  socket.write(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`)
  const closed = once(socket, 'close')
  let answer = ''
  socket.on('data', (piece) => void (answer += String(piece)))
  await new Promise((resolve) => setImmediate(resolve))
  socket.write(body.slice(3))
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('each server that listens drops them', () => {
  const sources = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
  const opening = sources.filter((file) => / = Fastify\(/.test(fs.readFileSync(`server/${file}`, 'utf8')))
  // It makes documents and never listens.
  const listening = opening.filter((file) => file !== 'api/documents.ts')
  expect(listening.length).toBeGreaterThan(3)
  expect(listening.filter((file) => !fs.readFileSync(`server/${file}`, 'utf8').includes('dropSlowSenders()'))).toEqual(
    [],
  )
})
