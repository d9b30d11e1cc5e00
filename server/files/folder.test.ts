// Folder: content is complete or absent, nobody else on the machine may read it, and incomplete writes are removed.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openFolder } from './folder.ts'
import { TooManyBytes } from './storage.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer storage #1 '))
const storage = openFolder(pathToFileURL(path.join(folder, 'files')).href)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const later = () => new Date(Date.now() + 60_000)
const earlier = () => new Date(Date.now() - 60_000)
/** Dates the file by this process's clock: the kernel's may differ. */
const dateNow = (file: string) => fs.utimesSync(file, new Date(), new Date())

test('content has its own file, and none if it exceeds its limit', async () => {
  const hash = await storage.put(7, Buffer.from('a picture'))
  expect(fs.readdirSync(path.join(folder, 'files', '7'))).toEqual([hash])
  async function* endless() {
    for (;;) yield 'x'.repeat(1000)
  }
  await expect(storage.putStream(13, endless(), 10_500)).rejects.toThrow(TooManyBytes)
  expect(fs.readdirSync(path.join(folder, 'files', '13'))).toEqual([])
  expect(fs.readdirSync(path.join(folder, 'files', 'unfinished'))).toEqual([])
})

test('nobody but the program may read it', async () => {
  const hash = await storage.put(7, Buffer.from('private'))
  expect(fs.statSync(path.join(folder, 'files', '7', hash)).mode & 0o077).toBe(0)
  expect(fs.statSync(path.join(folder, 'files', '7')).mode & 0o077).toBe(0)
})

test.runIf(process.getuid?.() === 0)('what root writes belongs to whom the folder above belongs', async () => {
  const home = path.join(folder, 'of a service')
  fs.mkdirSync(home)
  fs.chownSync(home, 4321, 4322)
  const owned = openFolder(pathToFileURL(path.join(home, 'deep', 'files')).href)
  await owned.put(7, Buffer.from('restored'))
  const written = fs.readdirSync(home, { recursive: true })
  expect(written).toHaveLength(5)
  for (const name of written) {
    const { uid, gid } = fs.statSync(path.join(home, String(name)))
    expect([name, uid, gid]).toEqual([name, 4321, 4322])
  }
})

test('an interrupted write leaves nothing under a name, and is cleared later', async () => {
  const unfinished = path.join(folder, 'files', 'unfinished')
  fs.writeFileSync(path.join(unfinished, 'half'), 'half a pic')
  dateNow(path.join(unfinished, 'half'))
  await storage.clear(earlier())
  expect(fs.readdirSync(unfinished)).toEqual(['half'])
  await storage.clear(later())
  expect(fs.readdirSync(unfinished)).toEqual([])
})

test('a storage without any content is empty', async () => {
  const empty = openFolder(pathToFileURL(path.join(folder, 'nothing')).href)
  expect(await empty.customers()).toEqual([])
  await empty.clear(later())
})
