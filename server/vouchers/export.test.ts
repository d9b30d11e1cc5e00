// Exports: opened again by programs that did not write them.
import { createCanvas } from '@napi-rs/canvas'
import { read, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import jsQR from 'jsqr'
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { normalised, shown } from '#contract/vouchers.ts'
import { connect } from '#server/db/logins.ts'
import { forbidden, notFound } from '#server/errors/refused.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let editor: Person
/** About as long as they get: QR codes with such an address must still be readable. */
const portal_url = 'https://guest-wifi.portal.harbour-hospitality.example'
beforeAll(async () => {
  foyer = await openFoyer({ env: { PORTAL_URL: portal_url } })
  admin = await connect(foyer.database.adminUrl)
  editor = await foyer.customer()
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

async function batchAt(name: string, package_name: string, quantity: number, shows: { portal_id?: number } = {}) {
  const property = await foyer.property(editor, { name, network_name: 'Lantern Guest', ...shows })
  const wifi = await foyer.package(editor, { name: package_name, volume_gb: 0.5, session_time_hrs: 24, max_users: 2 })
  return foyer.voucherBatch(editor, { quantity, property_id: property.id, package_id: wifi.id })
}

/** Names that an operator may choose and a spreadsheet program might execute. */
const formulas = ['=cmd|"/c calc"!A1', '+1+1', '-1-1', '@SUM(A1)', '＝1+1', '=HYPERLINK("x","go")']

test.each(formulas)('csv and xlsx have %s as text, whatever it is the name of', async (name) => {
  const { id } = await batchAt(name, name, 2)
  const codes = await codesOf(admin, id)

  const csv = await foyer.file(batches.exportCodes, { id }, editor)
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines: string[][] = parse(csv.text, { bom: true })
  expect(lines.slice(1).map((line) => [line[0], line[2], line[3]])).toEqual(
    codes.map((code) => [shown(code), `'${name}`, `'${name}`]),
  )
  for (const cell of lines.flat()) expect(cell).not.toMatch(/^\s*[=+@＝-]/)

  const { Sheets, SheetNames } = read((await foyer.file(batches.exportCodes, { id, format: 'xlsx' }, editor)).bytes, {
    cellFormula: true,
  })
  const sheet = Sheets[SheetNames[0] ?? ''] ?? {}
  const cells = Object.entries(sheet)
    .filter(([at]) => !at.startsWith('!'))
    .map(([, cell]) => cell as { t: string; f?: string })
  expect(cells.every((cell) => cell.f === undefined && ['s', 'n'].includes(cell.t))).toBe(true)
  const rows = utils.sheet_to_json<Record<string, unknown>>(sheet)
  expect(rows.map((row) => [row['Code'], row['Good in'], row['Package'], row['Data (GB)'], row['Devices']])).toEqual(
    codes.map((code) => [shown(code), name, name, 0.5, 2]),
  )
})

test('names with quotes, line breaks, angle brackets and characters that XML does not allow are exported correctly', async () => {
  const name = 'A "quoted", <b>&amp; broken\u000b 雅典 name'
  const { id } = await batchAt(name, 'Wi-Fi; 24 h', 1)
  const lines: string[][] = parse((await foyer.file(batches.exportCodes, { id }, editor)).text, { bom: true })
  expect(lines[1]?.slice(2, 4)).toEqual([name, 'Wi-Fi; 24 h'])
  const { Sheets, SheetNames } = read((await foyer.file(batches.exportCodes, { id, format: 'xlsx' }, editor)).bytes)
  expect(utils.sheet_to_json<Record<string, unknown>>(Sheets[SheetNames[0] ?? ''] ?? {})[0]).toMatchObject({
    'Good in': name.replace('\u000b', ''),
  })
})

/** Where the scissors cut: within margins of 9 and 8.5 mm, three across and eight down. */
const a4_slips = Array.from({ length: 24 }, (_, index) => ({
  x: 9 + (index % 3) * 64,
  y: 8.5 + Math.floor(index / 3) * 35,
  width: 64,
  height: 35,
}))
// Its types describe a module within a module.
const decode = jsQR as unknown as typeof jsQR.default

/** The page as printed: the content of each slip's QR code, and the text of the page. */
async function codesOn(pdf: pdfjs.PDFDocumentProxy, number: number, scale: number) {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  const context = canvas.getContext('2d')
  await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise
  const text = (await page.getTextContent()).items
    .map((item) => ('str' in item ? item.str : ''))
    .join('')
    .replace(/\s/g, '')
  const found: string[] = []
  const mm = (72 / 25.4) * scale
  const slips = canvas.width < canvas.height * 0.8 ? a4_slips : [{ x: 0, y: 0, width: 80, height: 92 }]
  for (const { x, y, width, height } of slips) {
    const [from_x, from_y, across, down] = [x, y, width, height].map((length) => Math.floor(length * mm)) as [
      number,
      number,
      number,
      number,
    ]
    const { data } = context.getImageData(from_x, from_y, across, down)
    const code = decode(new Uint8ClampedArray(data), across, down)?.data
    if (code !== undefined) found.push(code)
  }
  return { found, text }
}

test.each([
  ['a4', 24, 2, 3],
  ['roll', 1, 26, 2],
] as const)(
  'on %s paper every QR code reads back as its code, and every code is printed next to it in full',
  async (paper, slips, pages, scale) => {
    const { id, batch_number } = await batchAt('Grand Hotel Élysée', 'Премиум Wi-Fi', 26)
    const codes = await codesOf(admin, id)
    const { bytes, headers } = await foyer.file(batches.exportCodes, { id, format: 'pdf', paper }, editor)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename=vouchers-${batch_number}.pdf`,
    })
    const pdf = await pdfjs.getDocument({ data: new Uint8Array(bytes), useSystemFonts: false }).promise
    expect(pdf.numPages).toBe(pages)
    const read: string[] = []
    for (let number = 1; number <= pdf.numPages; number++) {
      const { found, text } = await codesOn(pdf, number, scale)
      read.push(...found)
      for (const code of codes.slice((number - 1) * slips, number * slips)) expect(text).toContain(shown(code))
      expect(text).toContain('GrandHotelÉlysée')
      expect(text).toContain('ПремиумWi-Fi')
      expect(text).toContain('24hoursfromfirstuse')
      expect(text).toContain('500MB')
      expect(text).toContain(batch_number)
    }
    expect(read.toSorted()).toEqual(codes.toSorted())
  },
)

test.each([
  ['a4', 24, 4],
  ['roll', 1, 2],
] as const)(
  'on %s paper the QR code opens the portal of the property with the code filled in',
  async (paper, slips, scale) => {
    const portal = await foyer.portal(editor)
    const { id } = await batchAt('Grand Hotel', 'Wi-Fi', slips, { portal_id: portal.id })
    const { bytes } = await foyer.file(batches.exportCodes, { id, format: 'pdf', paper }, editor)
    const pdf = await pdfjs.getDocument({ data: new Uint8Array(bytes), useSystemFonts: false }).promise
    const { found, text } = await codesOn(pdf, 1, scale)
    const codes = await codesOf(admin, id)
    expect(found.toSorted()).toEqual(codes.map((code) => `${portal.url}?code=${code}`).toSorted())
    expect(portal.url).toContain(portal_url)
    expect(text).toContain('Join“LanternGuest”,enterthiscode')
    // A scanner at the desk types what it has read.
    const [read = ''] = found
    for (const typed of [read, read.toUpperCase(), shown(read)]) expect(codes).toContain(normalised(typed))
  },
)

test('the slip and the file of an event say its end in place of hours, and that its data is shared', async () => {
  const property = await foyer.property(editor)
  const { id: package_id } = await foyer.package(editor, { volume_gb: 5, session_time_hrs: 24 })
  const expires_at = new Date(Date.now() + 36 * 3600_000).toISOString()
  const values = { quantity: 1, devices: 50, property_id: property.id, package_id, expires_at }
  const { id } = await foyer.voucherBatch(editor, values)
  const { bytes } = await foyer.file(batches.exportCodes, { id, format: 'pdf', paper: 'a4' }, editor)
  const pdf = await pdfjs.getDocument({ data: new Uint8Array(bytes), useSystemFonts: false }).promise
  const { text } = await codesOn(pdf, 1, 1)
  for (const said of ['Notimelimit', '5GBshared', '50devices', 'Until']) expect(text).toContain(said)
  const lines: Record<string, string>[] = parse((await foyer.file(batches.exportCodes, { id }, editor)).text, {
    bom: true,
    columns: true,
  })
  expect(lines[0]).toMatchObject({ 'Time (hours)': '0', Devices: '50' })
})

test('codes that were taken back are not printed, and marked in files for a spreadsheet', async () => {
  const { id } = await batchAt('Hotel', 'Wi-Fi', 26)
  const codes = await codesOf(admin, id)
  const taken = codes.slice(0, 3)
  const row = async (code: string) =>
    (await foyer.get(vouchers.list, { params: { voucher_batch_id: id }, searchValue: code }, editor)).data[0]
  const ids = await Promise.all(taken.map(async (code) => (await row(code))?.id ?? 0))
  await foyer.get(vouchers.deactivate, { ids }, editor)
  const { bytes } = await foyer.file(batches.exportCodes, { id, format: 'pdf', paper: 'a4' }, editor)
  const pdf = await pdfjs.getDocument({ data: new Uint8Array(bytes), useSystemFonts: false }).promise
  expect(pdf.numPages).toBe(1)
  const { text } = await codesOn(pdf, 1, 1)
  expect(codes.filter((code) => text.includes(shown(code)))).toEqual(codes.slice(3))
  const lines: Record<string, string>[] = parse((await foyer.file(batches.exportCodes, { id }, editor)).text, {
    bom: true,
    columns: true,
  })
  expect(lines.filter((line) => line['Taken back'] !== '').map((line) => line['Code'])).toEqual(taken.map(shown))
  expect(lines).toHaveLength(26)

  const { data: all } = await foyer.get(vouchers.list, { params: { voucher_batch_id: id }, per_page: 50 }, editor)
  await foyer.get(
    vouchers.deactivate,
    { ids: all.flatMap((one) => (one.taken_back_at === null ? [one.id] : [])) },
    editor,
  )
  const none = await foyer.ask(batches.exportCodes, { id, format: 'pdf' }, editor)
  expect([none.status, none.text]).toEqual([
    422,
    expect.stringContaining('All codes of this batch have been taken back.'),
  ])
})

test('only editors export codes, and each export is logged', async () => {
  const { id, batch_number } = await batchAt('Hotel', 'Wi-Fi', 1)
  const viewer = await foyer.viewer(editor)
  expectRefused(await foyer.ask(batches.exportCodes, { id }, viewer), forbidden())
  await foyer.file(batches.exportCodes, { id, format: 'pdf', paper: 'roll' }, editor)
  const log = await foyer.get(activity.list, { filters: { action: 'export' } }, editor)
  expect(log.data[0]).toMatchObject({
    object_type: 'voucher_batches',
    object_name: batch_number,
    after: { format: 'pdf', paper: 'roll' },
    actor_email: editor.user.email,
  })
  expectRefused(await foyer.ask(batches.exportCodes, { id }, await foyer.customer()), notFound())
})
