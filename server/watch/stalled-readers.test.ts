// Answers on real connections: a reader that stops is dropped, and one that is slow, or waits for us, gets the whole answer.
import fs from 'node:fs'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import * as batches from '#contract/voucher-batches.ts'
import { dropStalledReaders } from '#server/watch/stalled-readers.ts'
import { openFoyer, type Person } from '#test/foyer.ts'

const stall_max_ms = 600
/** More than the system buffers for a reader. */
const bytes = 24 * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024)

const toClose: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const open of toClose.splice(0)) await open.close()
})

async function listening(app: FastifyInstance) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Serves `content` at `/`; `pending` returns how much of the answer waits in memory. */
async function serving(content: () => Readable) {
  const app = Fastify()
  dropStalledReaders(app, stall_max_ms)
  const pending: (() => number)[] = []
  app.get('/', (_request, reply) => {
    pending.push(() => reply.raw.writableLength)
    return reply.type('application/octet-stream').send(content())
  })
  toClose.push(app)
  return { port: await listening(app), pending }
}

function connected(port: number, request: string) {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(request)
  // `once` of `node:events` would reject when the connection fails, and that might be unhandled.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { socket, closed }
}
const get = 'GET / HTTP/1.1\r\nHost: foyer.test\r\nConnection: close\r\n\r\n'

function* many() {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
}

test('a reader that stops reading is dropped, however much it sends, and little is buffered for it in memory', async () => {
  const ended: string[] = []
  const { port, pending } = await serving(() => Readable.from(many()).on('close', () => ended.push('closed')))
  const { socket } = connected(port, get)
  await once(socket, 'readable')
  const waiting: number[] = []
  const chatter = setInterval(() => {
    socket.write('\r\n')
    waiting.push(pending[0]?.() ?? 0)
  }, 20)
  await expect.poll(() => ended, { timeout: 60_000 }).toEqual(['closed'])
  clearInterval(chatter)
  socket.destroy()
  expect(Math.max(...waiting)).toBeGreaterThan(0)
  expect(Math.max(...waiting)).toBeLessThan(1024 * 1024)
})

test('a slow reader gets the whole file', async () => {
  const { port } = await serving(() => Readable.from(many()))
  const { socket, closed } = connected(port, get)
  let heard = 0
  let rested = 0
  socket.on('data', (data: Buffer) => {
    heard += data.length
    if (heard < (rested + 1) * 4_000_000) return
    rested++
    socket.pause()
    setTimeout(() => socket.resume(), stall_max_ms / 3)
  })
  await closed
  expect(heard).toBeGreaterThan(bytes)
})

test('a reader that waits for us to make the next bytes is not dropped', async () => {
  async function* slowly() {
    yield 'the first bytes, '
    await sleep(stall_max_ms * 2)
    yield 'and the last'
  }
  const { port } = await serving(() => Readable.from(slowly()))
  const { socket, closed } = connected(port, get)
  let heard = ''
  socket.on('data', (data: Buffer) => (heard += data.toString()))
  await closed
  expect(heard).toContain('and the last')
})

test('downloads that nobody reads do not keep colleagues from theirs', async () => {
  const foyer = await openFoyer({ stall_max_ms })
  toClose.push(foyer)
  const port = await listening(foyer.app)
  const editor = await foyer.customer()
  const colleague = await foyer.invited(editor)
  const large = await foyer.voucherBatch(editor, { quantity: 10_000 })
  const small = await foyer.voucherBatch(editor, { quantity: 3 })
  const asking = ({ token, context }: Person, body: object) => {
    const text = JSON.stringify(body)
    return [
      `POST /api/v1${batches.exportCodes.path} HTTP/1.1`,
      'Host: foyer.test',
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `Authorization: Bearer ${token}`,
      `App-Context: ${context}`,
      '',
      text,
    ].join('\r\n')
  }
  const unread = [1, 2].map(() => connected(port, asking(editor, { id: large.id, format: 'pdf', paper: 'roll' })))
  // They have their turns, and keep them.
  await Promise.all(unread.map(({ socket }) => once(socket, 'readable')))
  const { bytes: file } = await foyer.file(batches.exportCodes, { id: small.id, format: 'csv' }, colleague)
  expect(file.toString().trim().split('\n')).toHaveLength(4)
  for (const { socket } of unread) socket.destroy()
  await Promise.all(unread.map(({ closed }) => closed))
})

describe('a client that requests a file of an application and does not read it is dropped', () => {
  /** Requests without reading; returns a function that counts the open connections. */
  async function unread(app: FastifyInstance, path: string) {
    const port = await listening(app)
    const { socket } = connected(port, `GET ${path} HTTP/1.1\r\nHost: foyer.test\r\n\r\n`)
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
    await once(socket, 'readable')
    expect(await connections()).toBe(1)
    toClose.push({ close: async () => socket.destroy() })
    return connections
  }

  test('the admin app and the API', async () => {
    const webRoot = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-web-'))
    fs.mkdirSync(path.join(webRoot, 'assets'))
    fs.writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>Foyer</title>')
    fs.writeFileSync(path.join(webRoot, 'assets/large.js'), Buffer.alloc(bytes, ' '))
    const foyer = await openFoyer({ stall_max_ms, webRoot })
    toClose.push(foyer)
    await expect.poll(await unread(foyer.app, '/assets/large.js'), { timeout: 60_000 }).toBe(0)
    fs.rmSync(webRoot, { recursive: true })
  })

  test('guests’ pages', async () => {
    const foyer = await openFoyer({ stall_max_ms, env: { ROLES: 'api,guest' } })
    toClose.push(foyer)
    if (!foyer.guest) throw new Error('no application for guests')
    const editor = await foyer.customer()
    const { logo_preview_url } = await foyer.portal(editor)
    const folder = path.join(foyer.storage, String(editor.user.customer.id))
    // No picture is larger than the system's buffer for a reader, so the stored files are enlarged.
    for (const name of fs.readdirSync(folder)) fs.truncateSync(path.join(folder, name), bytes)
    const connections = await unread(foyer.guest, new URL(logo_preview_url ?? '').pathname)
    await expect.poll(connections, { timeout: 60_000 }).toBe(0)
  })
})
