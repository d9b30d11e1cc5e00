// Report files: every cell of every format, opened by programs that did not write it, is what the API returns; for sessions,
// identifiers, free Wi-Fi and a statement.
import { addDays } from '#contract/days.ts'
import { read, SSF, utils } from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as billing from '#contract/billing-runs.ts'
import * as reports from '#contract/reports.ts'
import { attribute, status_type } from '#server/radius-codec/dictionary.ts'
import { localDay } from '#server/time/zones.ts'
import { aMacAddress } from '#test/foyer.ts'
import { later, sinceDay, todayAt, writeNights } from '#test/nights.ts'
import { hasLibreOffice, readByLibreOffice } from '#test/libreoffice.ts'
import { textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

type Kind = 'text' | 'number' | 'gigabytes' | 'money' | 'duration' | 'moment' | 'date'
/** A value as the API returns it; moments include the offset. */
type ApiValue = string | number | null
interface Expected {
  name: string
  /** The request to `/reports-export`. */
  asked: Omit<Input<typeof reports.exportFile>, 'format'>
  columns: { title: string; kind: Kind }[]
  rows: ApiValue[][]
}

const hour_s = 3600
const today = localDay(Date.now(), 'UTC')
const days = { date_range: 'custom', start_date: addDays(today, -4), end_date: addDays(today, 1) } as const
const password = 'guest password'
const places = [
  { name: '=1+1 Inn', time_zone: 'Asia/Kathmandu' },
  { name: 'Hôtel "Αθήνα"; No. 7', time_zone: 'America/St_Johns' },
]
const usernames = ['0042', '-guest', 'гость.7']

let radius: TestRadius
withRadius((opened) => (radius = opened))
let expected: Expected[]

beforeAll(async () => {
  const { foyer, editor, admin } = radius
  for (const place of places) {
    const group = await foyer.group(editor, { name: `@${place.time_zone}` })
    const terms = { total_units: 10, rate_per_unit: 12.5, minimum_billable_percentage: 62.5, currency: 'GBP' }
    const { id: property_id } = await foyer.property(editor, { name: place.name, group_id: group.id, ...terms })
    await admin.query('update properties set time_zone = $2 where id = $1', [property_id, place.time_zone])
    await stays(property_id)
  }
  const whole = { ...days, columns: [...reports.sessionColumnKeys] }
  expected = [
    await ofRun('sessions', { ...whole, view_as: 'all_sessions' }),
    await ofRun('identifiers', { ...whole, view_as: 'unique' }),
    // These guests signed in with accounts.
    await ofRun('free Wi-Fi', { ...days, kind: 'free_wifi', auth_method_ids: [3] }),
    await ofBill(),
  ]
})

/** Guests who were online since yesterday: one came twice, one stayed for more than a day, one is still online. */
async function stays(property_id: number) {
  const { foyer, editor } = radius
  const { gateway } = await radius.gatewayAt(property_id)
  const { id: package_id } = await foyer.package(editor, { name: `+package ${property_id}` })
  await gateway.report({ acct_status_type: status_type.accounting_on, acct_delay_time: 48 * hour_s })
  for (const [number, name] of usernames.entries()) {
    const user_name = `${name}.${property_id}`
    await foyer.account(editor, { property_id, package_id, username: user_name, password })
    const calling_station_id = aMacAddress()
    const answer = await gateway.access({ user_name, password, calling_station_id })
    for (let stay = 0; stay <= (number === 0 ? 1 : 0); stay++) {
      const known = {
        user_name,
        calling_station_id,
        class: textIn(answer, attribute.class) ?? '',
        acct_session_id: `session ${number} ${stay}`,
      }
      const began_s = 26 * hour_s - stay * 8 * hour_s - number * 61
      const lasts_s = (number === 1 ? 25 : 7) * hour_s + 17 + number
      const report = (kind: number, after_s: number) =>
        gateway.report({
          ...known,
          acct_status_type: kind,
          acct_session_time: after_s,
          acct_delay_time: began_s - after_s,
          acct_input_octets: after_s * 1237,
          acct_output_octets: after_s * 40_961,
        })
      await report(status_type.start, 0)
      await report(status_type.interim, hour_s)
      await report(number === 2 ? status_type.interim : status_type.stop, lasts_s)
    }
  }
}

async function ofRun(name: string, asked: Expected['asked']): Promise<Expected> {
  const { data, meta } = await radius.foyer.get(reports.run, { ...asked, per_page: 200 }, radius.editor)
  expect(data.length, name).toBeGreaterThanOrEqual(places.length)
  expect(meta.total).toBe(data.length)
  const rows = data.map((row) =>
    meta.columns.map(({ key }) => (row as unknown as Record<string, ApiValue>)[key] ?? null),
  )
  return { name, asked, columns: meta.columns, rows }
}

const stated: [title: string, kind: Kind][] = [
  ['Property', 'text'],
  ['Month', 'text'],
  ['Row', 'text'],
  ['Night', 'date'],
  ['Units', 'number'],
  ['Let', 'number'],
  ['Percent', 'number'],
  ['At least', 'number'],
  ['Billed', 'number'],
  ['Reason', 'text'],
  ['Rooms', 'text'],
  ['Rate', 'money'],
  ['Days', 'number'],
  ['Currency', 'text'],
  ['Amount', 'money'],
]
const reasons = { occupied: 'Rooms let', minimum: 'Minimum', holiday: 'Holiday' }

async function ofBill(): Promise<Expected> {
  const { foyer, editor, admin } = radius
  const { rows: all } = await admin.query<{ id: number }>('select id from properties where customer_id = $1', [
    editor.user.customer.id,
  ])
  const ids = all.map(({ id }) => id)
  const period_end = later(`${(await todayAt(foyer, ids[0] ?? 0)).slice(0, 7)}-01`, -1)
  const period = { period_start: later(period_end, -4), period_end }
  for (const id of ids) await sinceDay(foyer, id, period.period_start)
  await writeNights(foyer)
  const { data: lines } = await foyer.get(billing.previewRun, { property_ids: ids, ...period }, editor)
  expect(lines).toHaveLength(places.length)
  const rows = lines.flatMap((line): ApiValue[][] => {
    const place = [line.property.name, line.month.slice(0, 7)]
    const { currency, rate_per_unit, amount } = line
    return [
      [...place, 'Charge', ...Array.from({ length: 5 }, () => null), line.unit_days, line.reason, null].concat(
        rate_per_unit === null ? null : Number(rate_per_unit),
        line.days_in_month,
        currency,
        Number(amount),
      ),
      ...line.nights.map((one): ApiValue[] => [
        ...place,
        'Night',
        one.night,
        one.total_units,
        one.occupied_units,
        one.percentage,
        one.floor_units,
        one.billable_units,
        reasons[one.reason],
        one.room_numbers.join(' ') || null,
        Number(one.rate_per_unit),
        null,
        currency,
        null,
      ]),
    ]
  })
  const asked = {
    kind: 'billing',
    date_range: 'custom',
    start_date: period.period_start,
    end_date: period.period_end,
  } as const
  return { name: 'statement', asked, columns: stated.map(([title, kind]) => ({ title, kind })), rows }
}

const fileOf = ({ asked }: Expected, format: (typeof reports.reportFormats)[number]) =>
  radius.foyer.file(reports.exportFile, { ...asked, format }, radius.editor).then(({ bytes }) => bytes)

/** What the API would have returned for the cells of the lines below the heading. `convert` reads one cell. */
const apiValuesIn = <Cell>({ columns }: Expected, lines: Cell[][], convert: (cell: Cell, kind: Kind) => ApiValue) =>
  lines.map((line) =>
    columns.map(({ kind }, at) => {
      const cell = line[at]
      return cell === undefined || cell === null || cell === '' ? null : convert(cell, kind)
    }),
  )
/** Without the offset, which the cell of a workbook cannot hold. */
const onTheClock = ({ columns, rows }: Expected) =>
  rows.map((row) =>
    row.map((cell, at) => (columns[at]?.kind === 'moment' && typeof cell === 'string' ? cell.slice(0, 19) : cell)),
  )
/** `26:05:30`; LibreOffice writes durations of less than a day as a time of day, `02:05:30 PM`. */
function secondsIn(lasting: string): number {
  const [time = '', half] = lasting.split(' ')
  const [hours = Number.NaN, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const on_the_face = half === undefined ? hours : (hours % 12) + (half === 'PM' ? 12 : 0)
  return on_the_face * hour_s + minutes * 60 + seconds
}

/** A cell as SheetJS has it: numbers, also for what its format shows as a date or as hours. */
function fromSheetJs(cell: unknown, kind: Kind): ApiValue {
  if (kind === 'text') return cell as string
  if (typeof cell !== 'number') throw new Error(`${String(cell)} is no number, but should be a ${kind}`)
  if (kind === 'duration') return Math.round(cell * 86_400)
  if (kind === 'date') return SSF.format('yyyy-mm-dd', cell) as string
  return kind === 'moment' ? (SSF.format('yyyy-mm-dd"T"hh:mm:ss', cell) as string) : cell
}
/** A cell as LibreOffice writes it down. */
function fromLibreOffice(cell: string, kind: Kind): ApiValue {
  if (kind === 'duration') return secondsIn(cell)
  if (kind === 'moment') return cell.replace(' ', 'T')
  return kind === 'text' || kind === 'date' ? cell : Number(cell)
}

test.each(['xlsx', 'xls'] as const)('every cell of an %s is what the API returns', async (format) => {
  for (const one of expected) {
    const book = read(await fileOf(one, format))
    const [head, ...lines] = utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[1] ?? ''] ?? {}, { header: 1 })
    expect(head, one.name).toEqual(one.columns.map(({ title }) => title))
    expect(apiValuesIn(one, lines.slice(0, one.rows.length), fromSheetJs), one.name).toEqual(onTheClock(one))
    // Only the total is below them.
    expect(lines.length - one.rows.length, one.name).toBe(1)
  }
})

/** Removes OWASP's mark from a cell that a spreadsheet program would take for a formula. */
const unmarked = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '')

test('every cell of a csv is what the API returns, with the offset of each moment', async () => {
  for (const one of expected) {
    const [head, ...lines]: string[][] = parse(await fileOf(one, 'csv'), { bom: true })
    expect(head, one.name).toEqual(one.columns.map(({ title }) => title))
    const convert = (cell: string, kind: Kind) => (kind === 'moment' ? cell : fromLibreOffice(unmarked(cell), kind))
    expect(apiValuesIn(one, lines, convert), one.name).toEqual(one.rows)
  }
})

test.skipIf(!hasLibreOffice)(
  'LibreOffice reads every cell of an xlsx, an xls and a csv as the API returns it',
  async () => {
    const files: Record<string, Buffer> = {}
    for (const one of expected)
      for (const format of ['xlsx', 'xls'] as const) files[`${one.name}.${format}`] = await fileOf(one, format)
    const opened = await readByLibreOffice(files)
    for (const one of expected)
      for (const format of ['xlsx', 'xls']) {
        const sheets = opened.get(`${one.name}.${format}`) ?? new Map<string, string[][]>()
        const [head, ...lines] = [...sheets].find(([name]) => name !== 'About')?.[1] ?? []
        expect(head, `${one.name} ${format}`).toEqual(one.columns.map(({ title }) => title))
        const read = apiValuesIn(one, lines.slice(0, one.rows.length), fromLibreOffice)
        expect(read, `${one.name} ${format}`).toEqual(onTheClock(one))
      }
    for (const one of expected) {
      // A csv has no column types: the program that opens it must be given those of texts, and of moments because of their offset.
      const taken = one.columns
        .map(({ kind }, at) => `${at + 1}/${['text', 'moment'].includes(kind) ? 2 : 1}`)
        .join('/')
      const options = { filter: `Text - txt - csv (StarCalc):44,34,76,1,${taken},0,false,true` }
      const name = `${one.name}.csv`
      const sheets = (await readByLibreOffice({ [name]: await fileOf(one, 'csv') }, options)).get(name)
      const [, ...lines] = [...(sheets?.values() ?? [])][0] ?? []
      const convert = (cell: string, kind: Kind) => (kind === 'moment' ? cell : fromLibreOffice(unmarked(cell), kind))
      expect(apiValuesIn(one, lines, convert), name).toEqual(one.rows)
    }
  },
)

/** As a person reads it on paper: minutes, thousands apart, as many places as the column has. */
function onPaper(cell: ApiValue, kind: Kind): string {
  if (cell === null) return ''
  if (kind === 'moment') return String(cell).slice(0, 16).replace('T', ' ')
  if (kind === 'duration')
    return `${Math.floor(Number(cell) / hour_s)}:${String(Math.floor(Number(cell) / 60) % 60).padStart(2, '0')}`
  const places = kind === 'gigabytes' ? 3 : kind === 'money' ? 2 : undefined
  if (places === undefined) return String(cell)
  return Number(cell).toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places })
}

test('a pdf has the texts of every row, one after the other', async () => {
  for (const one of expected) {
    const document = await pdfjs.getDocument({ data: new Uint8Array(await fileOf(one, 'pdf')) }).promise
    let text = ''
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      text += (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ')
    }
    const plain = (words: string) => words.replace(/\s+/g, '')
    for (const { title } of one.columns) expect(plain(text), one.name).toContain(plain(title))
    for (const row of one.rows)
      for (const [at, cell] of row.entries())
        expect(plain(text), one.name).toContain(plain(onPaper(cell, one.columns[at]?.kind ?? 'text')))
  }
})
