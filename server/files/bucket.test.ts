// Bucket: a bucket that fails is not the file's fault, and the program does not start with one that does not exist.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openBucketServer, type BucketServer } from '#test/bucket-server.ts'
import { openFoyer } from '#test/foyer.ts'
import { pngOf } from '#test/pictures.ts'
import { aFile } from '#test/uploads.ts'
import { openBackupPlace } from './backup-place.ts'
import { whileOpen } from './bucket.ts'
import { openStorage } from './open-storage.ts'
import { Refused } from '#server/errors/refused.ts'

let server: BucketServer
beforeAll(async () => void (server = await openBucketServer()))
afterAll(() => server.close())

test('a bucket that does not exist, or is not ours, is reported at the start', async () => {
  const endpoint = encodeURIComponent(server.endpoint)
  await expect(openStorage(`s3://nobodys?endpoint=${endpoint}`)).rejects.toThrow(
    /^The bucket nobodys of STORAGE_URL cannot be used: it answers 404/,
  )
  const own = server.bucket()
  process.env['AWS_ACCESS_KEY_ID'] = 'SOMEBODY'
  try {
    const refused = /^The bucket .* of STORAGE_URL cannot be used: it answers 403/
    await expect(openStorage(own, () => {})).rejects.toThrow(refused)
  } finally {
    process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER'
  }
})

test('a bucket that is away keeps no node from its start, and a copy of its files is not begun', async () => {
  const failing = http.createServer((_, response) => void response.writeHead(503).end())
  await new Promise<void>((listening) => void failing.listen(0, '127.0.0.1', listening))
  const { port } = failing.address() as AddressInfo
  const url = `s3://pictures?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`
  const said: string[] = []
  const storage = await openStorage(url, (sentence) => said.push(sentence))
  await expect(storage.put(7, Buffer.from('a picture'))).rejects.toEqual(
    new Refused('unavailable', { retry_after_s: 5 }),
  )
  await expect(openStorage(url)).rejects.toThrow('cannot be used: it answers 503')
  failing.close()
  // Nobody listens any more.
  await openStorage(url, (sentence) => said.push(sentence))
  expect(said).toEqual([
    expect.stringMatching(/^The bucket pictures .* it answers 503\..* are missing until it answers\.$/),
    expect.stringContaining('ECONNREFUSED'),
  ])
})

test('a request to a failing bucket is retried, and then answered as unavailable', async () => {
  const bucket = new URL(server.bucket())
  let failing = false
  let asked = 0
  // Forwards requests, until it fails like an overloaded bucket.
  const proxy = http.createServer((request, response) => {
    asked++
    if (failing) return void response.writeHead(503).end()
    const { method = 'GET', url = '/', headers } = request
    const onward = http.request(`${server.endpoint}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  await new Promise<void>((listening) => void proxy.listen(0, '127.0.0.1', listening))
  try {
    const { port } = proxy.address() as AddressInfo
    const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
    const storage = await openStorage(`s3://${bucket.hostname}?endpoint=${endpoint}`)
    const hash = await storage.put(7, Buffer.from('a picture'))
    ;[failing, asked] = [true, 0]
    await expect(storage.read(7, hash)).rejects.toEqual(new Refused('unavailable', { retry_after_s: 5 }))
    expect(asked).toBe(3)
    failing = false
    expect((await storage.read(7, hash))?.byte_size).toBe(9)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
})

test('a stream that fails once its upload has ended, such as by a file that is closed by then, ends nothing but itself', async () => {
  const uncaught = vi.fn<(error: Error) => void>()
  process.on('uncaughtException', uncaught)
  const closed = Promise.withResolvers<void>()
  async function* readLate() {
    await closed.promise
    yield Promise.reject(new Error('file closed'))
  }
  const refused = (content: Readable) => {
    content.resume()
    return Promise.reject(new Error('the bucket is gone'))
  }
  await expect(whileOpen(Readable.from(readLate()), refused)).rejects.toThrow('the bucket is gone')
  closed.resolve()
  await new Promise((later) => void setImmediate(() => setImmediate(later)))
  process.off('uncaughtException', uncaught)
  expect(uncaught).not.toHaveBeenCalled()
})

test('a stream that fails fails its upload', async () => {
  async function* readBadly() {
    yield Promise.reject(new Error('a bad disk'))
  }
  const waiting = (content: Readable) => new Promise(() => void content.resume())
  await expect(whileOpen(Readable.from(readBadly()), waiting)).rejects.toThrow('a bad disk')
})

test('the log of a database goes to a part of a bucket, and is found there by its name', async () => {
  const bucket = new URL(server.bucket())
  bucket.pathname = '/backups'
  const place = await openBackupPlace(bucket.href)
  expect(await place.read('log/000000010000000000000001')).toBeNull()
  const content = randomBytes(2_000_000)
  await place.put('log/000000010000000000000001', content)
  expect((await place.read('log/000000010000000000000001'))?.equals(content)).toBe(true)
})

test('what a customer uploads on one node is shown by another', async () => {
  const env = { ROLES: 'api', STORAGE_URL: server.bucket() }
  const foyer = await openFoyer({ env })
  const other = await openFoyer({ env: { ...env, ROLES: 'guest' }, database: foyer.database })
  try {
    const logo = aFile('logo.png', await pngOf({ width: 40, height: 20 }))
    const { logo_preview_url } = await foyer.portal(await foyer.customer(), { logo })
    const shown = await other.guest?.inject({ url: new URL(logo_preview_url ?? '').pathname })
    expect([shown?.statusCode, shown?.headers['content-type']]).toEqual([200, 'image/png'])
    expect(fs.readdirSync(foyer.storage)).toEqual([])
  } finally {
    await other.close()
    await foyer.close()
  }
})
