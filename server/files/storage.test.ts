// Storage: content is whole or not there, one customer's never answers for another's, and a name leads nowhere else.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { openStorage, TooManyBytes } from './storage.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer storage #1 '))
const storage = openStorage(pathToFileURL(path.join(folder, 'files')).href)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const later = () => new Date(Date.now() + 60_000)
const earlier = () => new Date(Date.now() - 60_000)
/** As if written now: the kernel dates a file, by a clock that need not be the program's. */
const dateNow = (file: string) => fs.utimesSync(file, new Date(), new Date())

test('what is put can be read by whoever knows its customer and its hash', async () => {
  const hash = await storage.put(7, Buffer.from('a picture'))
  expect(await storage.put(7, Buffer.from('a picture'))).toBe(hash)
  const found = await storage.read(7, hash)
  expect(found?.byte_size).toBe(9)
  expect(found && (await text(found.content))).toBe('a picture')
  expect(await storage.read(8, hash)).toBeNull()
  expect(await storage.has(8, hash)).toBe(false)
  expect(fs.readdirSync(path.join(folder, 'files', '7'))).toEqual([hash])
})

test('what is made while it is written lies where the same bytes at once would lie', async () => {
  async function* made() {
    yield '\uFEFFNo,'
    yield Buffer.from('Name\r\n')
    yield 'é'.repeat(300_000)
  }
  const whole = Buffer.from(`\uFEFFNo,Name\r\n${'é'.repeat(300_000)}`)
  const put = await storage.putMade(11, made(), whole.length)
  expect(put).toEqual({ hash: await storage.put(12, whole), byte_size: whole.length })
  const found = await storage.read(11, put.hash)
  expect(found && (await text(found.content))).toBe(whole.toString().replace('\uFEFF', ''))
})

test('what grows beyond its room, or fails while it is made, leaves nothing', async () => {
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
  await expect(storage.putMade(13, endless(), 10_500)).rejects.toThrow(TooManyBytes)
  expect(ended).toHaveBeenCalledOnce()
  await expect(storage.putMade(13, broken(), 10_500)).rejects.toThrow('the rows are gone')
  expect(fs.readdirSync(path.join(folder, 'files', '13'))).toEqual([])
  expect(fs.readdirSync(path.join(folder, 'files', 'unfinished'))).toEqual([])
})

test('nobody but the program may read it', async () => {
  const hash = await storage.put(7, Buffer.from('private'))
  expect(fs.statSync(path.join(folder, 'files', '7', hash)).mode & 0o077).toBe(0)
  expect(fs.statSync(path.join(folder, 'files', '7')).mode & 0o077).toBe(0)
})

test('what is no hash names nothing', async () => {
  for (const name of ['../8/secret', '', 'A'.repeat(64), `${'a'.repeat(63)}/`])
    await expect(storage.read(7, name)).rejects.toThrow('is no hash')
})

test('a write that is cut off leaves nothing under a name, and its rest is cleared later', async () => {
  const unfinished = path.join(folder, 'files', 'unfinished')
  fs.writeFileSync(path.join(unfinished, 'half'), 'half a pic')
  dateNow(path.join(unfinished, 'half'))
  await storage.clear(earlier())
  expect(fs.readdirSync(unfinished)).toEqual(['half'])
  await storage.clear(later())
  expect(fs.readdirSync(unfinished)).toEqual([])
})

test('it says whose content there is and how old, and removes one', async () => {
  const hash = await storage.put(9, Buffer.from('to go'))
  dateNow(path.join(folder, 'files', '9', hash))
  expect(await storage.customers()).toContain(9)
  expect(await storage.writtenBefore(9, earlier())).toEqual([])
  expect(await storage.writtenBefore(9, later())).toEqual([hash])
  await storage.remove(9, hash)
  await storage.remove(9, hash)
  expect(await storage.writtenBefore(9, later())).toEqual([])
})

test('a storage that was never written to is empty', async () => {
  const empty = openStorage(pathToFileURL(path.join(folder, 'nothing')).href)
  expect(await empty.customers()).toEqual([])
  await empty.clear(later())
})
