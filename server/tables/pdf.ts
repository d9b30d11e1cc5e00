// pdf: a table in landscape, with its heading on every page. It is made page by page while it is sent.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import Pdf from 'pdfkit'
import { cellsOf, isRight, totalsRow } from './cells.ts'
import { aboutRows, widthOf } from './sheets.ts'
import type { TableFile } from './table.ts'
import { openType, type Type } from './typesetting.ts'

type Document = PDFKit.PDFDocument

const a4: [number, number] = [841.89, 595.28]
const a3: [number, number] = [1190.55, 841.89]
const margin = 36
const gap = 6
const ink = { text: '#111111', quiet: '#555555', line: '#9A9A9A' }
const type_size = { title: 14, text: 8, text_min: 6, foot: 7 }
const pitch = { row: 14, asked: 13 }
/** The least width of a character. */
const character_width = 4.1
/** Longer texts end in an ellipsis on any paper. */
const text_max = 400

interface Place {
  left: number
  width: number
  isRight: boolean
}

/** Columns share the width according to their kinds; where that is too narrow to read, the paper is larger. */
function layout<Row>({ columns }: TableFile<Row>) {
  const wishes = columns.map(({ kind, title }) => Math.max(widthOf(kind), Math.min(title.length, 24)))
  const wished = wishes.reduce((sum, wish) => sum + wish, 0)
  const size = wished * character_width > a4[0] - 2 * margin ? a3 : a4
  const width = size[0] - 2 * margin
  let left = margin
  const places = columns.map(({ kind }, index): Place => {
    const share = ((wishes[index] ?? 0) / wished) * width
    const place = { left, width: Math.max(share - gap, 1), isRight: isRight(kind) }
    left += share
    return place
  })
  return { size, width, places, foot: size[1] - margin }
}
type Layout = ReturnType<typeof layout>

export const writePdf = <Row>(table: TableFile<Row>): Readable => Readable.from(pages(table))

async function* pages<Row>(table: TableFile<Row>) {
  const made = layout(table)
  const info = { Title: table.title, Creator: 'Foyer' }
  const doc = new Pdf({ size: made.size, margin: 0, autoFirstPage: false, info })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const type = openType(doc)
  await type.ready([table.title, ...table.columns.map(({ title }) => title), ...aboutRows(table).flat()])
  const page = openPages(doc, type, table, made)
  page.first()
  const cells = cellsOf(table, 'print')
  for await (const rows of table.pages)
    for (const row of rows) {
      // Drawing a page takes some milliseconds, so other work gets a turn between pages.
      if (page.isFull()) {
        page.next()
        await setImmediate()
        yield* chunks.splice(0)
      }
      const texts = cells(row).map(printed)
      await type.ready(texts)
      page.row(texts)
    }
  const totals = totalsRow(table, 'print')
  if (totals) {
    if (page.isFull()) page.next()
    page.totals(totals)
  }
  doc.end()
  await once(doc, 'end')
  yield* chunks
}

function openPages<Row>(doc: Document, type: Type, table: TableFile<Row>, { places, width, foot }: Layout) {
  let number = 0
  let y = 0

  function begin() {
    doc.addPage()
    number++
    const note = { size: type_size.foot, colour: ink.quiet }
    type.line(table.title, margin, foot, width / 2, note)
    type.line(`Page ${number}`, margin + width / 2, foot, width / 2, { ...note, align: 'right' })
    y = margin
  }
  function heading() {
    y += pitch.row
    drawRow(
      type,
      places,
      y,
      table.columns.map(({ title }) => title),
      'bold',
    )
    rule(doc, y + 4, width)
    y += 4
  }
  return {
    first() {
      begin()
      y += type_size.title
      type.line(table.title, margin, y, width, { size: type_size.title, weight: 'bold' })
      y += 4
      for (const [label, value] of aboutRows(table).slice(1)) {
        y += pitch.asked
        type.line(label, margin, y, 110, { size: type_size.text, colour: ink.quiet })
        type.line(value.slice(0, text_max), margin + 118, y, width - 118, { size: type_size.text })
        if (y + 4 * pitch.row > foot) begin()
      }
      y += 6
      heading()
    },
    next() {
      begin()
      heading()
    },
    /** One line is left free above the foot of the page. */
    isFull: () => y + pitch.row > foot - pitch.row,
    row(cells: readonly string[]) {
      y += pitch.row
      drawRow(type, places, y, cells, 'regular')
    },
    totals(cells: readonly string[]) {
      rule(doc, y + 4, width)
      y += pitch.row + 2
      drawRow(type, places, y, cells, 'bold')
    },
  }
}

const printed = (text: string) => text.slice(0, text_max).toWellFormed()

function drawRow(
  type: Type,
  places: readonly Place[],
  y: number,
  cells: readonly string[],
  weight: 'bold' | 'regular',
) {
  for (const [index, place] of places.entries()) {
    const text = cells[index] ?? ''
    const line = { size: type_size.text, size_min: type_size.text_min, weight, colour: ink.text }
    if (text !== '') type.line(text, place.left, y, place.width, { ...line, align: place.isRight ? 'right' : 'left' })
  }
}

const rule = (doc: Document, y: number, width: number) =>
  doc
    .lineWidth(0.5)
    .strokeColor(ink.line)
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .stroke()
