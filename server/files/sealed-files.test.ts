// Sealed files: what lies in the storage says nothing, opens only in its place, and is refused where it was changed or cut off.
import fs from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { putSealed, readSealed } from './sealed-files.ts'
import { openStorage } from './open-storage.ts'
import { TooManyBytes, type Storage } from './storage.ts'

const customer_id = 7
const line = 'Grace Hopper;F2:6B:0C:11:22:33;Zimmer 204\r\n'
/** Longer than the parts that are sealed one by one. */
const whole = line.repeat(5000)
async function* made() {
  yield '\uFEFF'
  for (let n = 0; n < 5000; n++) yield line
}

let foyer: TestFoyer
let kept: Parameters<typeof putSealed>[0]
let folder: string
beforeAll(async () => {
  foyer = await openFoyer()
  folder = path.join(foyer.storage, 'sealed')
  kept = { ...foyer.services, storage: await openStorage(pathToFileURL(folder).href) }
})
afterAll(() => foyer.close())

const put = (content: Readable = Readable.from(made()), max = 1e6) => putSealed(kept, customer_id, content, max)
const fileOf = (hash: string) => path.join(folder, String(customer_id), hash)
const reading = async (of: Parameters<typeof readSealed>[2], customer = customer_id) => {
  const content = await readSealed(kept, customer, of)
  return content && text(content)
}

test('what is read is what was put, its size is that, and neither the file nor the key beside it says a word', async () => {
  const one = await put()
  expect(one.byte_size).toBe(Buffer.byteLength(whole) + 3)
  expect(await reading(one)).toBe(whole)
  const lies = fs.readFileSync(fileOf(one.hash))
  for (const word of ['Grace', '204', 'AGE-SECRET']) expect([word, lies.includes(word)]).toEqual([word, false])
  expect(one.sealed_key?.includes('AGE-SECRET')).toBe(false)
  // The same content again is another file, under another key.
  const other = await put()
  expect(other.hash).not.toBe(one.hash)
  await expect(reading({ ...one, sealed_key: other.sealed_key })).rejects.toThrow()
  await expect(reading(one, 8)).rejects.toThrow()
  expect(await reading({ ...one, sealed_key: null })).not.toContain('Grace')
})

test('one that was changed or cut off does not end as if it were whole', async () => {
  for (const change of [
    (bytes: Buffer) => bytes.fill(1, bytes.length - 40, bytes.length - 39),
    (bytes: Buffer) => bytes.subarray(0, bytes.length - 1),
    (bytes: Buffer) => bytes.subarray(0, bytes.length - (bytes.length % 65_552)),
  ]) {
    const one = await put()
    fs.writeFileSync(fileOf(one.hash), change(fs.readFileSync(fileOf(one.hash))))
    await expect(reading(one)).rejects.toThrow()
  }
})

test('content that is too long, breaks, or finds no storage is closed, and leaves nothing', async () => {
  const names = () => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const before = names()
  const ended = vi.fn<() => void>()
  async function* endless() {
    try {
      for (;;) yield line.repeat(100)
    } finally {
      ended()
    }
  }
  async function* broken() {
    yield line
    throw new Error('the rows are gone')
  }
  await expect(put(Readable.from(endless()), 300_000)).rejects.toThrow(TooManyBytes)
  await expect.poll(() => ended.mock.calls.length).toBe(1)
  await expect(put(Readable.from(broken()))).rejects.toThrow('the rows are gone')
  const away: Storage = {
    ...kept.storage,
    putStream: async (_, content) => {
      for await (const _bytes of content) throw new Error('the bucket is away')
      throw new Error('nothing came')
    },
  }
  const into = putSealed({ ...kept, storage: away }, customer_id, Readable.from(endless()), 1e9)
  await expect(into).rejects.toThrow('the bucket is away')
  await expect.poll(() => ended.mock.calls.length).toBe(2)
  expect(names()).toEqual(before)
})

test.skipIf(!fs.existsSync('/proc/self/fd'))('a reader who goes away leaves no file open', async () => {
  const one = await put()
  const isOpen = () => fs.readdirSync('/proc/self/fd').some((name) => leadsTo(name) === fileOf(one.hash))
  const content = await readSealed(kept, customer_id, one)
  expect(isOpen()).toBe(true)
  content?.destroy()
  await expect.poll(isOpen).toBe(false)
})

/** Empty for what has been closed meanwhile. */
function leadsTo(descriptor: string) {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}
