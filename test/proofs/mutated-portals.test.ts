// Mutated portals: zips of custom portals with randomly changed bytes, and the largest that can be sent. Each is accepted or refused
// with a reason, nothing is stored outside its place, and the reader uses little memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from 'pg'
import * as customPortals from '#contract/custom-portals.ts'
import { connect } from '#server/db/logins.ts'
import { samplePortal } from '#server/files/portal-zips/sample.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { hostileZips } from '#test/hostile-zips.ts'
import { aFile } from '#test/uploads.ts'
import { aPage, aPortalZip, aZip } from '#test/zips.ts'
import { chance, share } from './proof.ts'

const reader_mb_max = 256
/** As many as a node reads at the same time; each starts a process. */
const at_once = 2

let foyer: TestFoyer
let admin: Client
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { QUOTA_UPLOADS_MB: '1000000' } })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})
beforeEach(() => admin.query('delete from rate_limits'))

const next = chance()
const below = (number: number) => Math.floor(next() * number)

type Mutation = (zip: Buffer) => Buffer
const cut: Mutation = (zip) => zip.subarray(0, below(zip.length))
const duplicated: Mutation = (zip) => {
  const from = below(zip.length)
  const piece = zip.subarray(from, from + below(400))
  const to = below(zip.length)
  return Buffer.concat([zip.subarray(0, to), piece, zip.subarray(to)])
}
const changed: Mutation = (zip) => {
  const bytes = Buffer.from(zip)
  for (let times = 1 + below(8); times > 0; times--) bytes[below(bytes.length)] = below(256)
  return bytes
}
/** Changes bytes of the central directory: names, sizes and offsets. */
const changedDirectory: Mutation = (zip) => {
  const bytes = Buffer.from(zip)
  const from = Math.max(0, bytes.lastIndexOf('PK\x05\x06') - 400)
  for (let times = 1 + below(4); times > 0; times--) bytes[from + below(bytes.length - from)] = below(256)
  return bytes
}
const extreme: Mutation = (zip) => {
  const bytes = Buffer.from(zip)
  const values = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff]
  if (bytes.length > 4) bytes.writeUInt32LE(values[below(values.length)] ?? 0, below(bytes.length - 4))
  return bytes
}
const mutations = [cut, duplicated, changed, changedDirectory, extreme]

test(
  'each mutated zip is accepted or refused with a reason, and is stored nowhere but in its place',
  { timeout: 3_600_000 },
  async ({ task }) => {
    const seeds = [await samplePortal(), aPortalZip({ name: 'css/a.css', content: 'h1 {}', stored: true })]
    for (const [what, zip] of hostileZips) if (!/65,000|more |a bomb/.test(what)) seeds.push(zip())
    // A separate folder, without the uploads of other Foyers on this machine.
    const uploads = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-uploads-'))
    vi.stubEnv('TMPDIR', uploads)
    const counts = new Map<number, number>()
    const send = async (mutated: Buffer) => {
      const portal = aFile('portal.zip', mutated)
      const asked = { name: unique('Mutated'), auth_method_ids: [2], portal }
      const { status, text: body } = await foyer.ask(customPortals.createCustom, asked, editor)
      expect([201, 422], body).toContain(status)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    for (let left = share(2000); left > 0; left -= at_once) {
      // Sends more than one user is allowed in a minute.
      if (left % 200 === 0) await admin.query('delete from rate_limits')
      const some = Array.from({ length: Math.min(left, at_once) }, (_, index) => {
        // Every second one is a mutated valid portal.
        const seed = seeds[index % 2 === 0 ? below(2) : below(seeds.length)] ?? Buffer.alloc(0)
        const mutate = mutations[below(mutations.length)] ?? cut
        return mutate(seed)
      })
      await Promise.all(some.map(send))
    }
    vi.unstubAllEnvs()
    // An answer may arrive before its upload is discarded, and the folder is removed last.
    await expect.poll(() => fs.readdirSync(uploads)).toEqual([])
    fs.rmdirSync(uploads)
    const kept = fs.readdirSync(foyer.storage, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    for (const { name, parentPath } of kept)
      expect(path.join(path.relative(foyer.storage, parentPath), name)).toMatch(/^\d+\/[0-9a-f]{64}$/)
    task.meta.figures = `${counts.get(201) ?? 0} accepted, ${counts.get(422) ?? 0} refused`
  },
)

/** The peak resident memory of the reader, in MB. */
async function peakOf(zip: Buffer): Promise<number> {
  const file = path.join(foyer.storage, 'heavy.zip')
  fs.writeFileSync(file, zip)
  const report = "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))"
  const script = path.join(import.meta.dirname, '../../server/files/portal-zips/reader.ts')
  const args = ['--max-old-space-size=96', '--no-warnings', '--import', `data:text/javascript,${report}`, script]
  const input = fs.openSync(file, 'r')
  const child = spawn(process.execPath, args, { stdio: [input, 'pipe', 'pipe'] })
  child.stdout?.resume()
  const measured = child.stderr ? await text(child.stderr) : ''
  if (child.exitCode === null) await once(child, 'exit')
  fs.closeSync(input)
  fs.rmSync(file)
  return Number(measured) / 1024
}

/** A PNG signature and random bytes, which hardly compress. */
const noise = (bytes: number) => {
  const all = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) all.writeUInt32LE((next() * 2 ** 32) >>> 0, at)
  all.write('\x89PNG\r\n\x1a\n', 'latin1')
  return all
}

test(`the reader of the heaviest zips takes less than ${reader_mb_max} MB`, async ({ task }) => {
  const peaks: number[] = []
  const half = noise(4_900_000)
  const packedTwice = (name: string) => ({
    name,
    content: Buffer.concat([half.subarray(0, 1_900_000), Buffer.alloc(3_000_000)]),
  })
  const styles = Array.from({ length: 198 }, (_, index) => ({
    name: `${index}.css`,
    content: `/* ${'a word '.repeat(17_500)} */`,
  }))
  const remarks = '/*/'.repeat(1_500_000) + half.toString('base64').slice(0, 400_000)
  const heavy: [string, Buffer][] = [
    ['25 MB in five files', aPortalZip(...Array.from({ length: 5 }, (_, index) => packedTwice(`${index}.png`)))],
    ['25 MB in 200 files', aPortalZip(...styles)],
    ['a page of nothing but tags', aZip([{ name: 'index.html', content: aPage('<a '.repeat(80_000)) }])],
    ['a page of nothing but marks', aZip([{ name: 'index.html', content: aPage('{{'.repeat(100_000)) }])],
    ['styles of nothing but remarks', aPortalZip({ name: 'a.css', content: remarks })],
    ...hostileZips
      .map(([what, zip]): [string, Buffer] => [what, zip()])
      .filter(([what]) => /bomb|more |large|hundred/.test(what)),
  ]
  for (const [what, zip] of heavy) {
    const peak = await peakOf(zip)
    expect(peak, what).toBeGreaterThan(20)
    expect(peak, what).toBeLessThan(reader_mb_max)
    peaks.push(peak)
  }
  task.meta.figures = `at most ${Math.round(Math.max(...peaks))} MB`
})
