// Log archive beside a place that does not answer: a start does not wait for it, what is written waits, and goes nowhere but to its own.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waiting_log } from '#server/db/restore-swap.ts'
import { openLogArchive, placeOfPart } from './log-archive.ts'

const part = '000000010000000000000001'

/** A directory of an installation, and the place of its log, which can be taken away. */
async function installation() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-archive-'))
  onTestFinished(() => fs.rmSync(scratch, { recursive: true }))
  const [data_dir, place, aside] = ['here', 'place', 'aside'].map((name) => path.join(scratch, name)) as [
    string,
    string,
    string,
  ]
  fs.mkdirSync(path.join(data_dir, waiting_log), { recursive: true })
  const said: string[] = []
  const backup_recipients = [await identityToRecipient(await generateX25519Identity())]
  const settings = { data_dir, backup_url: pathToFileURL(place).href, backup_recipients }
  return {
    place,
    said,
    start: (backup_url = settings.backup_url) => openLogArchive({ ...settings, backup_url }, (line) => said.push(line)),
    write: () => fs.writeFileSync(path.join(data_dir, waiting_log, part), 'a part of a log'),
    waits: () => fs.existsSync(path.join(data_dir, waiting_log, part)),
    takeAway() {
      fs.renameSync(place, aside)
      // Nothing can be read below it.
      fs.writeFileSync(place, '')
    },
    giveBack() {
      fs.rmSync(place)
      fs.renameSync(aside, place)
    },
  }
}

test('an installation starts while the place of its log is away, and sends what has waited once it answers', async () => {
  const here = await installation()
  await (await here.start()).close()
  here.takeAway()
  const archive = await here.start()
  here.write()
  await expect
    .poll(() => here.said)
    .toEqual([expect.stringMatching(/cannot be archived to BACKUP_URL .* It waits in /)])
  expect(here.waits()).toBe(true)
  here.giveBack()
  await expect.poll(() => here.said, { timeout: 20_000 }).toContain('The log of the database is archived again.')
  expect(here.waits()).toBe(false)
  expect(fs.existsSync(path.join(here.place, placeOfPart(part)))).toBe(true)
  await archive.close()
})

test('a place that turns out to be another installation’s gets nothing', async () => {
  const here = await installation()
  await (await here.start()).close()
  here.takeAway()
  const archive = await here.start()
  here.write()
  here.giveBack()
  fs.writeFileSync(path.join(here.place, 'log/installation'), randomUUID())
  await expect.poll(() => here.said, { timeout: 20_000 }).not.toEqual([])
  await archive.close()
  expect(here.waits()).toBe(true)
  expect(fs.readdirSync(path.join(here.place, 'log'))).toEqual(['installation'])
})

test('a place that was never reached is refused each time', async () => {
  const here = await installation()
  fs.writeFileSync(here.place, '')
  for (const _ of [1, 2]) await expect(here.start()).rejects.toThrow(/^BACKUP_URL cannot be used: /)
  fs.rmSync(here.place)
  await (await here.start()).close()
  await expect((await here.start()).close()).resolves.toBeUndefined()
})

test('another place is refused until it was reached once, though the one before was', async () => {
  const here = await installation()
  await (await here.start()).close()
  const other = `${here.place}-2`
  const url = pathToFileURL(other).href
  fs.writeFileSync(other, '')
  await expect(here.start(url)).rejects.toThrow(/^BACKUP_URL cannot be used: /)
  fs.rmSync(other)
  await (await here.start(url)).close()
  fs.renameSync(other, `${other}-aside`)
  fs.writeFileSync(other, '')
  await (await here.start(url)).close()
})

test('a bucket that refuses is refused though it was reached before, and one with a fault of its own is waited for', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a key')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  let status = 404
  const bucket = http.createServer((request, response) => {
    request.resume()
    response.writeHead(request.method === 'PUT' && status === 404 ? 200 : status).end()
  })
  await new Promise<void>((listening) => void bucket.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void bucket.close())
  const { port } = bucket.address() as AddressInfo
  const url = `s3://backups?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`
  const here = await installation()
  await (await here.start(url)).close()
  status = 403
  await expect(here.start(url)).rejects.toThrow(/^BACKUP_URL cannot be used: /)
  status = 503
  await (await here.start(url)).close()
})
