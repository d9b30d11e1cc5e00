// Print: slips for a whole batch as a pdf, made page by page while it is sent: A4 sheets to cut, or a roll of 80 mm.
import { setImmediate } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { once } from 'node:events'
import Pdf from 'pdfkit'
import qrModules from 'qr'
import { shown } from '#contract/vouchers.ts'
import type { papers } from '#contract/voucher-batches.ts'
import type { Slip } from '#server/vouchers/slip.ts'
import { openType, type Line, type Type } from '#server/tables/typesetting.ts'

type Document = PDFKit.PDFDocument
type Paper = (typeof papers)[number]
/** `scanned`: the content of the QR code next to a code. */
type PrintedSlip = Slip & { scanned: (code: string) => string }
/** In the order of printing, as many at a time as are read. */
type Codes = AsyncIterable<readonly { code: string }[]>
interface Layout {
  size: [width: number, height: number]
  slips_per_page: number
  /** Draws the slips of one page. */
  page: (doc: Document, type: Type, slip: PrintedSlip, codes: readonly string[]) => void
}

const mm = 72 / 25.4
const ink = { text: '#111111', quiet: '#555555', line: '#9A9A9A' }

/** A code is in capitals and needs few modules; an address is longer, so it has less error correction to keep modules large enough. */
function drawQr(doc: Document, text: string, x: number, y: number, side: number) {
  const isCode = /^[0-9A-Z]+$/.test(text)
  const bordered = isCode
    ? qrModules(text, 'raw', { ecc: 'quartile', encoding: 'alphanumeric', border: 1 })
    : qrModules(text, 'raw', { ecc: 'low', border: 1 })
  const modules = bordered.slice(1, -1).map((line) => line.slice(1, -1))
  const module = side / modules.length
  for (const [row, line] of modules.entries())
    for (let column = 0; column < line.length; column++) {
      const from = column
      while (line[column]) column++
      // Adjacent modules are drawn as one bar: some printers show seams between modules.
      if (column > from) doc.rect(x + from * module, y + row * module, (column - from) * module, module)
    }
  doc.fill(ink.text)
}

// A4: three across, eight down. The margins, which printers cannot fully reach, have the cut marks.
const sheet = { width: 210 * mm, height: 297 * mm, across: 3, down: 8, margin_x: 9 * mm, margin_y: 8.5 * mm }
const cell = {
  width: (sheet.width - 2 * sheet.margin_x) / sheet.across,
  height: (sheet.height - 2 * sheet.margin_y) / sheet.down,
}
const padding = 3.4 * mm

const a4: Layout = {
  size: [sheet.width, sheet.height],
  slips_per_page: sheet.across * sheet.down,
  page(doc, type, slip, codes) {
    cutMarks(doc)
    for (const [index, code] of codes.entries()) {
      const x = sheet.margin_x + (index % sheet.across) * cell.width
      const y = sheet.margin_y + Math.floor(index / sheet.across) * cell.height
      smallSlip(doc, type, slip, code, x, y)
    }
  },
}

/** A tick in the margin at each end of each cut, and a small cross where cuts meet. */
function cutMarks(doc: Document) {
  const [tick, arm] = [4 * mm, 1 * mm]
  const right = sheet.width - sheet.margin_x
  const bottom = sheet.height - sheet.margin_y
  doc.lineWidth(0.35).strokeColor(ink.line)
  for (let column = 0; column <= sheet.across; column++)
    for (let row = 0; row <= sheet.down; row++) {
      const x = sheet.margin_x + column * cell.width
      const y = sheet.margin_y + row * cell.height
      doc.moveTo(x - (column === 0 ? tick : arm), y).lineTo(x + (x >= right - 1 ? tick : arm), y)
      doc.moveTo(x, y - (row === 0 ? tick : arm)).lineTo(x, y + (y >= bottom - 1 ? tick : arm))
    }
  doc.stroke()
}

function smallSlip(doc: Document, type: Type, slip: PrintedSlip, code: string, x: number, y: number) {
  const [left, top] = [x + padding, y + padding]
  const width = cell.width - 2 * padding
  const qr_side = 17.5 * mm
  // The code's quiet zone is four modules wide.
  const text_width = width - qr_side - 3.4 * mm
  type.line(slip.place, left, top + 7.5, text_width, { size: 8.5, size_min: 6.5, weight: 'bold' })
  const lines = [slip.package_name, slip.time, `${slip.data} · ${slip.speed}`, slip.devices, ...slip.validity]
  // A batch with a beginning and an end has one more line, so the lines are closer together.
  const pitch = Math.min(8.4, 38 / (lines.length - 1))
  for (const [index, line] of lines.entries())
    type.line(line, left, top + 17.5 + index * pitch, text_width, {
      size: 6.6,
      colour: index === 0 ? ink.text : ink.quiet,
    })
  drawQr(doc, slip.scanned(code), left + width - qr_side, top, qr_side)

  const foot = y + cell.height - padding
  const [number_width, note] = [18 * mm, { size: 6.2, colour: ink.quiet }]
  type.line(slip.password ?? slip.how, left, foot - 16, width - number_width, note)
  type.line(slip.batch_number, left + width - number_width, foot - 16, number_width, { ...note, align: 'right' })
  type.code(shown(code), left, foot - 1, width, 15)
}

// The roll: 80 mm of paper, 72 mm of print. A page is a slip, so that a printer with a cutter cuts after each.
const roll_width = 80 * mm
const roll: Layout = {
  size: [roll_width, 92 * mm],
  slips_per_page: 1,
  page(doc, type, slip, [code = '']) {
    const [left, width] = [4 * mm, roll_width - 8 * mm]
    const centre = (text: string, y: number, size: number, rest: Partial<Line> = {}) =>
      type.line(text, left, y, width, { size, align: 'centre', ...rest })
    centre(slip.place, 7 * mm, 13, { size_min: 9, weight: 'bold' })
    centre(slip.package_name, 12.5 * mm, 9.5, { size_min: 7 })
    const qr_side = 31.5 * mm
    drawQr(doc, slip.scanned(code), (roll_width - qr_side) / 2, 17 * mm, qr_side)
    centre(slip.how, 54.5 * mm, 8, { size_min: 6, colour: ink.text })
    type.code(shown(code), left + 1 * mm, 62.5 * mm, width - 2 * mm, 19)
    const lines = [
      `${slip.time} · ${slip.devices}`,
      `${slip.data} · ${slip.speed}`,
      ...slip.validity,
      slip.password ?? '',
    ]
    for (const [index, line] of lines.filter((line) => line !== '').entries())
      centre(line, (69 + index * 4.6) * mm, 8.5)
    centre(slip.batch_number, 88 * mm, 6.5, { colour: ink.quiet })
    doc.lineWidth(0.6).strokeColor(ink.line).dash(3, { space: 3 })
    doc
      .moveTo(left, 90.5 * mm)
      .lineTo(left + width, 90.5 * mm)
      .stroke()
      .undash()
  },
}

const layouts: Record<Paper, Layout> = { a4, roll }

/** Drawing a page takes some milliseconds, so other work gets a turn between pages; nothing is made ahead of the reader. */
async function* pages(slip: PrintedSlip, codes: Codes, { size, slips_per_page, page }: Layout) {
  const doc = new Pdf({
    size,
    margin: 0,
    autoFirstPage: false,
    info: { Title: `Vouchers ${slip.batch_number}`, Creator: 'Foyer' },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const type = openType(doc)
  await type.ready([
    slip.place,
    slip.package_name,
    slip.time,
    slip.data,
    slip.speed,
    slip.devices,
    ...slip.validity,
    slip.how,
  ])
  await type.ready([slip.password ?? '', slip.batch_number])
  for await (const of_page of inPages(codes, slips_per_page)) {
    doc.addPage()
    page(doc, type, slip, of_page)
    await setImmediate()
    yield* chunks.splice(0)
  }
  doc.end()
  await once(doc, 'end')
  yield* chunks
}

async function* inPages(codes: Codes, slips_per_page: number) {
  const of_page: string[] = []
  for await (const read of codes)
    for (const { code } of read) {
      of_page.push(code)
      if (of_page.length === slips_per_page) yield of_page.splice(0)
    }
  if (of_page.length > 0) yield of_page
}

export const printSlips = (slip: PrintedSlip, codes: Codes, paper: Paper): Readable =>
  Readable.from(pages(slip, codes, layouts[paper]))
