// Storage: in a folder as well as in a bucket, customers' content is separate, and a name cannot lead elsewhere.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBucketServer, type BucketServer } from '#test/bucket-server.ts'
import { openStorage } from './open-storage.ts'
import { TooManyBytes, type Storage } from './storage.ts'

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer storage #2 '))
let server: BucketServer
beforeAll(async () => void (server = await openBucketServer()))
afterAll(async () => {
  await server.close()
  fs.rmSync(directory, { recursive: true, force: true })
})

const later = () => new Date(Date.now() + 60_000)
const earlier = () => new Date(Date.now() - 60_000)

describe.each([
  ['a folder', () => pathToFileURL(path.join(directory, 'files')).href],
  ['a bucket', () => server.bucket()],
  ['a folder of a bucket', () => server.bucket().replace('?', '/wifi/files?')],
])('%s', (_, urlOf) => {
  let storage: Storage
  beforeAll(async () => void (storage = await openStorage(urlOf())))

  test('stored content can be read by its customer and its hash', async () => {
    const hash = await storage.put(7, Buffer.from('a picture'))
    expect(await storage.put(7, Buffer.from('a picture'))).toBe(hash)
    const found = await storage.read(7, hash)
    expect(found?.byte_size).toBe(9)
    expect(found && (await text(found.content))).toBe('a picture')
    expect(await storage.read(8, hash)).toBeNull()
    expect(await storage.has(8, hash)).toBe(false)
  })

  test('a stream is stored in the same place as the same bytes in a buffer', async () => {
    async function* made() {
      yield '\uFEFFNo,'
      yield Buffer.from('Name\r\n')
      yield 'é'.repeat(300_000)
    }
    const whole = Buffer.from(`\uFEFFNo,Name\r\n${'é'.repeat(300_000)}`)
    const put = await storage.putStream(11, made(), whole.length)
    expect(put).toEqual({ hash: await storage.put(12, whole), byte_size: whole.length })
    const found = await storage.read(11, put.hash)
    expect(found && (await text(found.content))).toBe(whole.toString().replace('\uFEFF', ''))
  })

  test('a stream that is too long or fails leaves nothing', async () => {
    const ended = vi.fn<() => void>()
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(1000)
      } finally {
        ended()
      }
    }
    async function* broken() {
      yield 'half'
      throw new Error('the rows are gone')
    }
    await expect(storage.putStream(13, endless(), 10_500)).rejects.toThrow(TooManyBytes)
    expect(ended).toHaveBeenCalledOnce()
    await expect(storage.putStream(13, broken(), 10_500)).rejects.toThrow('the rows are gone')
    expect(await storage.writtenBefore(13, later())).toEqual([])
  })

  test('a name that is not a hash is refused', async () => {
    for (const name of ['../8/secret', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])
      await expect(storage.read(7, name)).rejects.toThrow('is no hash')
  })

  test('customers and old content can be listed, and content removed', async () => {
    const hash = await storage.put(9, Buffer.from('to go'))
    expect(await storage.customers()).toContain(9)
    expect(await storage.writtenBefore(9, earlier())).toEqual([])
    expect(await storage.writtenBefore(9, later())).toEqual([hash])
    await storage.remove(9, hash)
    await storage.remove(9, hash)
    expect(await storage.writtenBefore(9, later())).toEqual([])
  })
})
