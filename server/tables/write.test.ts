// Writing tables: each file is opened again by programs that did not write it.
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { read, SSF, utils, type WorkBook } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test, vi } from 'vitest'
import { hasLibreOffice, readByLibreOffice } from '#test/libreoffice.ts'
import type { Format, TableFile } from './table.ts'
import { writeTable } from './write.ts'
import { writeXlsx } from './xlsx.ts'

interface Row {
  id: number
  name: string
  at: string
  seconds: number
  price: string
  day: string
}

const hostile = [
  '=cmd|"/c calc"!A1',
  '+1+1',
  '-1-1',
  '@SUM(A1)',
  '＝1+1',
  '\t=1',
  '😀 family 👨‍👩‍👧',
  'two\nlines, "quoted"; <b>&amp;</b>',
  '_x0041_ 雅典',
  '007',
  'é'.repeat(5000),
  '雅'.repeat(5000),
]
const rowsOf = (names: string[]): Row[] =>
  names.map((name, index) => ({
    id: index + 1,
    name,
    // Half past midnight UTC on the night in which London's clocks go back, and every half hour after it.
    at: new Date(Date.UTC(2026, 9, 25, 0, 30) + index * 30 * 60_000).toISOString(),
    seconds: 93_900 + index,
    price: '1234.50',
    day: '2026-11-25',
  }))

/** One row at a time, so that tests see which rows are requested. */
async function* pagesOf(rows: Iterable<Row> | AsyncIterable<Row>) {
  for await (const row of rows) yield [row]
}
const table = (rows: Iterable<Row> | AsyncIterable<Row>, more: Partial<TableFile<Row>> = {}): TableFile<Row> => ({
  title: 'Sessions: all/any [2026] of a very long title',
  asked: [{ label: 'Property', value: '=Inn' }],
  columns: [
    { key: 'id', title: '=No', kind: 'number', value: ({ id }) => id },
    { key: 'name', title: 'Name', kind: 'text', value: ({ name }) => name },
    { key: 'at', title: 'Began', kind: 'moment', value: ({ at }) => at },
    { key: 'seconds', title: 'Time', kind: 'duration', value: ({ seconds }) => seconds },
    { key: 'price', title: 'Price', kind: 'money', value: ({ price }) => price },
    { key: 'day', title: 'Day', kind: 'date', value: ({ day }) => day },
  ],
  pages: pagesOf(rows),
  zone: 'Europe/London',
  ...more,
})
const made = (format: Format, given: TableFile<Row>) => buffer(writeTable(format, given).content)

const cells_of = (book: WorkBook, name: string) =>
  utils.sheet_to_json<unknown[]>(book.Sheets[name] ?? {}, { header: 1 })
const open = (bytes: Buffer) => read(bytes, { cellFormula: true, cellNF: true, dense: false })

test('a csv has exact values, local moments with their offset, and nothing that a program would run', async () => {
  const { content_type, file_name } = writeTable('csv', table([]))
  expect([content_type, file_name]).toEqual(['text/csv; charset=utf-8', `${table([]).title}.csv`])
  const [head, ...lines]: string[][] = parse(await made('csv', table(rowsOf(hostile), { totals: { price: '5' } })), {
    bom: true,
  })
  expect(head).toEqual(["'=No", 'Name', 'Began', 'Time', 'Price', 'Day'])
  expect(lines.map((line) => line[1])).toEqual(hostile.map((name, index) => (index < 6 ? `'${name}` : name)))
  expect(lines[0]?.slice(2)).toEqual(['2026-10-25T01:30:00+01:00', '26:05:00', '1234.50', '2026-11-25'])
  expect(lines[2]?.slice(2, 4)).toEqual(['2026-10-25T01:30:00+00:00', '26:05:02'])
})

test.each(['xlsx', 'xls'] as const)(
  'an %s describes the request, and has numbers, dates and texts as such',
  async (format) => {
    const book = open(await made(format, table(rowsOf(hostile), { totals: { seconds: 90_000, price: '9.5' } })))
    expect(book.SheetNames).toEqual(['About', 'Sessions all any 2026 of a very'])
    expect(cells_of(book, 'About')).toEqual([
      [undefined, table([]).title],
      ['Property', '=Inn'],
      ['Time zone', 'Europe/London'],
    ])
    const sheet = book.Sheets[book.SheetNames[1] ?? ''] ?? {}
    const lines = cells_of(book, book.SheetNames[1] ?? '')
    expect(lines.slice(1, -1).map((line) => line[1])).toEqual(hostile)
    for (const [at, cell] of Object.entries(sheet) as [string, { t: string; f?: string }][])
      if (!at.startsWith('!')) expect([cell.f, ['s', 'n'].includes(cell.t)]).toEqual([undefined, true])
    const [, first = []] = lines
    expect([first[0], first[4]]).toEqual([1, 1234.5])
    expect(SSF.format('yyyy-mm-dd hh:mm', first[2])).toBe('2026-10-25 01:30')
    expect(SSF.format('yyyy-mm-dd', first[5])).toBe('2026-11-25')
    expect([sheet['C2']?.z, sheet['D2']?.z, sheet['F2']?.z]).toEqual([
      'yyyy\\-mm\\-dd\\ hh:mm',
      '[h]:mm',
      'yyyy\\-mm\\-dd',
    ])
    expect(Number(sheet['D2']?.v) * 86_400).toBeCloseTo(93_900, 6)
    const total = hostile.length + 2
    expect(['A', 'D', 'E'].map((column): unknown => sheet[`${column}${total}`]?.v)).toEqual([
      'Total',
      90_000 / 86_400,
      9.5,
    ])
  },
)

test.runIf(hasLibreOffice).each(['xlsx', 'xls'] as const)('LibreOffice reads the same in an %s', async (format) => {
  const name = `t.${format}`
  const sheets = (await readByLibreOffice({ [name]: await made(format, table(rowsOf(hostile))) })).get(name)
  const lines = sheets?.get('Sessions all any 2026 of a very') ?? []
  expect(lines.slice(1).map((line) => line[1]?.replaceAll('\r\n', '\n'))).toEqual(hostile)
  expect(lines[1]?.[2]).toBe('2026-10-25 01:30:00')
  expect([lines[1]?.[0], lines[1]?.[4], lines[1]?.[5]]).toEqual(['1', '1234.5', '2026-11-25'])
  expect(sheets?.get('About')?.[1]).toEqual(['Property', '=Inn'])
})

test('70,000 rows of an xls fill one sheet and begin another, each with its heading', async () => {
  function* rows(): Generator<Row> {
    for (const row of rowsOf(['a name'])) for (let id = 1; id <= 70_000; id++) yield { ...row, id, name: `name ${id}` }
  }
  const bytes = await made('xls', table(rows(), { title: 'Sessions', asked: [] }))
  const book = read(bytes, { dense: true })
  expect(book.SheetNames).toEqual(['Sessions', 'Sessions (2)'])
  const ids = (name: string) => utils.sheet_to_json<{ '=No': number; Name: string }>(book.Sheets[name] ?? {})
  const [first, second] = [ids('Sessions'), ids('Sessions (2)')]
  expect([first.length, second.length]).toEqual([65_535, 70_000 - 65_535])
  expect(
    [...first, ...second].every((row, index) => row['=No'] === index + 1 && row.Name === `name ${index + 1}`),
  ).toBe(true)
  // A file of more than seven megabytes needs DIFAT sectors.
  expect(bytes.length).toBeGreaterThan(7_500_000)
})

test('an xlsx begins another sheet when one is full, but no empty one', async () => {
  const names = (rows: number) =>
    buffer(
      writeXlsx(table(rowsOf(Array.from({ length: rows }, (_, i) => `n${i}`)), { title: 'T', asked: [] }), 10),
    ).then((bytes) => {
      const book = open(bytes)
      return book.SheetNames.map((name) => [name, cells_of(book, name).length - 1])
    })
  expect(await names(0)).toEqual([['T', 0]])
  expect(await names(20)).toEqual([
    ['T', 10],
    ['T (2)', 10],
  ])
  expect(await names(21)).toEqual([
    ['T', 10],
    ['T (2)', 10],
    ['T (3)', 1],
  ])
})

test('a pdf is in landscape, repeats its heading and numbers its pages', async () => {
  const names = Array.from({ length: 90 }, (_, index) => hostile[index] ?? `Guest ${index}`)
  const bytes = await made('pdf', table(rowsOf(names), { totals: { price: '111105' } }))
  const pdf = await pdfjs.getDocument({ data: new Uint8Array(bytes) }).promise
  expect(pdf.numPages).toBeGreaterThan(2)
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const [, , width = 0, height = 0] = page.view
    expect(width).toBeGreaterThan(height)
    const text = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ')
    expect(text).toContain('Began')
    expect(text).toMatch(new RegExp(`Page\\s+${number}\\b`))
    if (number === 1)
      for (const shown of ['=Inn', '2026-10-25 01:30', '26:05', '1,234.50', '+1+1']) expect(text).toContain(shown)
    if (number === pdf.numPages) expect(text).toMatch(/Total.*111,105\.00/)
  }
})

test('rows of several places are shown in the time zone of each', async () => {
  const zones = ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Pacific/Auckland']
  const lines: string[][] = parse(
    await made(
      'csv',
      table(
        rowsOf(zones).map((row) => ({ ...row, at: '2026-11-25T07:30:00Z' })),
        { zone: ({ name }) => name },
      ),
    ),
    { bom: true },
  )
  expect(lines.slice(1).map((line) => line[2])).toEqual([
    '2026-11-24T23:30:00-08:00',
    '2026-11-25T21:30:00+14:00',
    '2026-11-25T13:15:00+05:45',
    '2026-11-25T20:30:00+13:00',
  ])
})

test.each(['csv', 'xlsx', 'xls', 'pdf'] as const)(
  'an error while reading rows ends an %s with that error',
  { timeout: 30_000 },
  async (format) => {
    async function* rows() {
      yield* rowsOf(['one'])
      await turn()
      throw new Error('the batch is gone')
    }
    await expect(made(format, table(rows()))).rejects.toThrow('the batch is gone')
  },
)

test.each(['csv', 'xlsx', 'xls', 'pdf'] as const)(
  'no more rows of an %s are requested once nobody reads',
  async (format) => {
    const [begun, ended] = [vi.fn<() => void>(), vi.fn<() => void>()]
    async function* rows() {
      begun()
      try {
        for (let id = 0; ; id++) {
          if (id % 100 === 0) await turn()
          yield* rowsOf([`${id}`.padEnd(2000, '-')])
        }
      } finally {
        ended()
      }
    }
    const file = writeTable(format, table(rows())).content
    // The spooled format sends nothing before it has all rows.
    if (format === 'xls') {
      file.resume()
      await vi.waitFor(() => expect(begun).toHaveBeenCalled())
      file.destroy()
    } else file.once('data', () => file.destroy())
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { timeout: 30_000 })
  },
)

test.each(['csv', 'xlsx', 'xls', 'pdf'] as const)(
  'no row of an %s is requested before somebody reads',
  async (format) => {
    const begun = vi.fn<() => void>()
    function* rows() {
      begun()
      yield* rowsOf(['one'])
    }
    const file = writeTable(format, table(rows())).content
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(begun).not.toHaveBeenCalled()
    await buffer(file)
    expect(begun).toHaveBeenCalledOnce()
  },
)
