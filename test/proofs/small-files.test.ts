// Small files: valid pictures, zips and lists, sent by many at once to a busy machine. Each is accepted, or answered 503 with a
// Retry-After: a slow machine is never blamed on the file.
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProperty } from '#test/foyer.ts'
import { pngOf } from '#test/pictures.ts'
import { killAll, startFoyer, type Foyer } from '#test/process.ts'
import { aFile, bytesOf, formOf } from '#test/uploads.ts'
import { workbookOf } from '#test/workbooks.ts'
import { aPortalZip } from '#test/zips.ts'
import { neighbours } from './neighbours.ts'
import { full } from './proof.ts'

const customers_count = full ? 20 : 6
/** No more than a customer may send at the same time, so that refusals are due to the busy machine only. */
const files_of_each = 2
/** Processes that only consume CPU time. */
const others_count = full ? 8 : 2

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-small-files-'))
let foyer: Foyer
const others: ChildProcess[] = []
beforeAll(async () => {
  foyer = await startFoyer({
    DATA_DIR: scratch,
    SIGNUP: 'open',
    TRUSTED_PROXIES: 'loopback',
    ROLES: 'api',
    DISK_RESERVE_MB: '0',
  })
}, 240_000)
afterAll(async () => {
  for (const other of others) other.kill('SIGKILL')
  await foyer?.kill()
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const picture = await pngOf()
const list = (nth: number) => `name,email\nGuest ${nth},guest${nth}@example.com`
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const workbook = (nth: number) => workbookOf(`<row r="1">${cell('name')}</row><row r="2">${cell(`Guest ${nth}`)}</row>`)

/** The kinds of uploads, sent in turn. */
const uploads: ((nth: number, property_id: number) => [string, object])[] = [
  () => ['/portal-footers-create', { image: aFile('footer.png', picture) }],
  (nth) => [
    '/custom-portals-create',
    { name: `Portal ${nth}`, auth_method_ids: [2], portal: aFile('portal.zip', aPortalZip()) },
  ],
  (nth, property_id) => ['/import/accounts', { AccountImport: aFile('guests.csv', list(nth)), property_id }],
  (nth, property_id) => ['/import/accounts', { AccountImport: aFile('guests.xlsx', workbook(nth)), property_id }],
]

test(
  'good files sent at the same time to a busy machine are accepted, or answered 503 with a Retry-After',
  { timeout: 900_000 },
  async ({ task }) => {
    const { aCustomer } = neighbours(foyer)
    const ready = await Promise.all(
      Array.from({ length: customers_count }, async (_, nth) => {
        const customer = await aCustomer(`customer-${nth}`, `203.0.113.${nth + 10}`)
        return { ...customer, property_id: await customer.made('/properties-create', aProperty()) }
      }),
    )
    for (let nth = 0; nth < others_count; nth++)
      others.push(spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }))
    const began = performance.now()
    const sent = ready.flatMap(({ ask, property_id }, nth) =>
      Array.from({ length: files_of_each }, async (_, own) => {
        const number = nth * files_of_each + own
        const [call, fields] = uploads[number % uploads.length]?.(number, property_id) ?? ['', {}]
        const { status, wait_s } = await ask(call, await bytesOf(formOf({ ...fields })))
        return { call, status, comes_back: wait_s > 0 }
      }),
    )
    const answers = await Promise.all(sent)
    const taken = answers.filter(({ status }) => status < 300)
    const wrong = answers.filter(({ status, comes_back }) => status >= 300 && !(status === 503 && comes_back))
    const took_s = ((performance.now() - began) / 1000).toFixed(0)
    const later = answers.length - taken.length - wrong.length
    task.meta.figures =
      `${answers.length} files with ${others_count} busy processes in ${took_s} s: ` +
      `${taken.length} accepted, ${later} answered 503`
    expect(wrong).toEqual([])
    expect(taken.length).toBeGreaterThan(0)
  },
)
