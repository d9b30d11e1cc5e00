// Tables: files of many rows, each against the simplest way to write the same cells: csv against a loop over a cursor of the same
// select, xlsx and xls against a writer of a single sheet with fixed columns and no checks.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { connect } from '#server/db/logins.ts'
import type { Column, TableFile } from '#server/tables/table.ts'
import { writeTable } from '#server/tables/write.ts'
import { median } from './measurement.ts'
import type { Server } from './server.ts'

const rounds = 3
const rows_of_page = 1000
const ratio_max = { csv: 1.5, xlsx: 2, xls: 2 }
type Format = keyof typeof ratio_max

interface Row {
  id: number
  name: string
  began_at: string
  seconds: number
  gigabytes: number
  day: string
}
const select = (rows: number) => `
  select i as id, 'Guest of room ' || i % 4000 as name, seconds, gigabytes, day::text,
    to_char(began_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as began_at
  from (select i, i % 86400 as seconds, (i % 1000) / 8.0::float8 as gigabytes, date '2026-01-01' + i % 300 as day,
    timestamp '2026-01-01' + i * interval '61 seconds' as began_at from generate_series(1, ${rows}) as i) as r`

const columns: Column<Row>[] = [
  { key: 'id', title: 'No', kind: 'number', value: ({ id }) => id },
  { key: 'name', title: 'Name', kind: 'text', value: ({ name }) => name },
  { key: 'began_at', title: 'Began', kind: 'moment', value: ({ began_at }) => began_at },
  { key: 'seconds', title: 'Time', kind: 'duration', value: ({ seconds }) => seconds },
  { key: 'gigabytes', title: 'Data (GB)', kind: 'gigabytes', value: ({ gigabytes }) => gigabytes },
  { key: 'day', title: 'Day', kind: 'date', value: ({ day }) => day },
]

export async function benchTables({ database: open_database, scratch }: Server, rows: number) {
  const { ownerUrl } = await open_database('tables')
  const database = await connect(ownerUrl)
  const file = path.join(scratch, 'table')
  async function* read(): AsyncGenerator<Row[]> {
    await database.query('begin')
    await database.query(`declare bench cursor for ${select(rows)}`)
    try {
      for (;;) {
        const page = await database.query<Row>(`fetch ${rows_of_page} from bench`)
        if (page.rows.length === 0) return
        yield page.rows
      }
    } finally {
      await database.query('rollback')
    }
  }
  const table = (): TableFile<Row> => ({ title: 'Bench', asked: [], columns, pages: read(), zone: 'Europe/London' })
  const plain = { csv: plainCsv, xlsx: plainXlsx, xls: plainCells }
  try {
    for (const format of ['csv', 'xlsx', 'xls'] as const) {
      const ratios: number[] = []
      for (let round = 0; round < rounds; round++) {
        const bare_s = await processorSeconds(() => pipeline(plain[format](read()), createWriteStream(file)))
        const made_s = await processorSeconds(() =>
          pipeline(writeTable(format, table()).content, createWriteStream(file)),
        )
        ratios.push(made_s / bare_s)
      }
      report(format, rows, median(ratios))
    }
  } finally {
    await database.end()
    await rm(file, { force: true })
  }
}

function report(format: Format, rows: number, ratio: number) {
  console.log(`${rows} rows as ${format}: ${ratio.toFixed(2)} times the plainest writer (at most ${ratio_max[format]})`)
  if (ratio > ratio_max[format]) process.exitCode = 1
}

async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const plainCsv = (pages: AsyncIterable<Row[]>) => Readable.from(csvOf(pages))
async function* csvOf(pages: AsyncIterable<Row[]>) {
  for await (const page of pages) {
    let text = ''
    for (const row of page)
      text += `${row.id},"${row.name.replaceAll('"', '""')}",${row.began_at},${row.seconds},${row.gigabytes},${row.day}\r\n`
    yield text
  }
}

/** Texts are not escaped, as those of the bench need none. */
function plainXlsx(pages: AsyncIterable<Row[]>): Readable {
  async function* sheet() {
    yield '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    let number = 0
    for await (const page of pages) {
      let text = ''
      for (const row of page) {
        const at = ++number
        text +=
          `<row r="${at}"><c r="A${at}"><v>${row.id}</v></c>` +
          `<c r="B${at}" t="inlineStr"><is><t>${row.name}</t></is></c><c r="C${at}"><v>${serial(row.began_at)}</v></c>` +
          `<c r="D${at}"><v>${row.seconds / 86_400}</v></c><c r="E${at}"><v>${row.gigabytes}</v></c>` +
          `<c r="F${at}"><v>${serial(row.day)}</v></c></row>`
      }
      yield text
    }
    yield '</sheetData></worksheet>'
  }
  const zip = new ZipFile()
  zip.addReadStream(Readable.from(sheet()), 'xl/worksheets/sheet1.xml', { compressionLevel: 1 })
  zip.end()
  return zip.outputStream as Readable
}
const serial = (text: string) => Date.parse(text) / 86_400_000 + 25_569

/** Only the cell records, written to the disk and read back, as an xls workbook has to be. */
const plainCells = (pages: AsyncIterable<Row[]>) => Readable.from(cellsOf(pages))
async function* cellsOf(pages: AsyncIterable<Row[]>) {
  const name = path.join(os.tmpdir(), `foyer-bench-cells-${process.pid}`)
  const file: Writable = createWriteStream(name)
  let number = 0
  for await (const page of pages) {
    const bytes = Buffer.alloc(page.length * 200)
    let at = 0
    for (const row of page) {
      number++
      const numbers = [row.id, serial(row.began_at), row.seconds / 86_400, row.gigabytes, serial(row.day)]
      for (const [column, value] of numbers.entries()) {
        at = bytes.writeUInt32LE(0x000e0203, at)
        at = bytes.writeUInt16LE(number % 65_536, at)
        at = bytes.writeUInt32LE(column, at)
        at = bytes.writeDoubleLE(value, at)
      }
      at = bytes.writeUInt32LE(0x0204, at)
      at += bytes.write(row.name, at, 'latin1')
    }
    if (!file.write(bytes.subarray(0, at))) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  const spooled = await open(name)
  await rm(name)
  yield* spooled.createReadStream()
}
