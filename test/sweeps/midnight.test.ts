// Midnight: what answers say of days and hours is seen from the clock of the place. The same records are set up by the clock of five
// zones, half an hour before and after midnight: every answer of the contract must then have the same days, and the same series.
import { addDays } from '#contract/days.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { now, setClock } from '#server/time/clock.ts'
import { instantOf, localDay } from '#server/time/zones.ts'
import { askFor, calls, fieldsWhere, shapeOf, type Call, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'

/** Far from UTC in both directions, and without changes of the clock, so that an hour is an hour everywhere. */
const zones = ['Pacific/Kiritimati', 'Asia/Tokyo', 'Etc/UTC', 'America/Bogota', 'Pacific/Honolulu']
const hour_ms = 3_600_000
/** Ten times all reads, on a busy machine. */
const hook_ms = 900_000

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(async () => {
  setClock()
  await world.close()
})

/** Every moment of the records, but for those by which a caller is let in. */
async function momentColumns() {
  const { rows } = await world.admin.query<{ table: string; columns: string[] }>(`
    select c.table_name as table, array_agg(c.column_name::text) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.data_type = 'timestamp with time zone' and c.is_generated = 'NEVER'
      and t.table_type = 'BASE TABLE' and c.table_name not in ('sessions', 'rate_limits', 'used_quotas')
    group by c.table_name`)
  return rows
}

/** Moves all records, so that the clock of this zone shows at each moment what that of the former one has shown. */
async function move(by_ms: number, zone: string) {
  await world.admin.query('begin')
  await world.admin.query('set local session_replication_role = replica')
  for (const { table, columns } of await momentColumns()) {
    const moved = columns.map((column) => `"${column}" = "${column}" + $1 * interval '1 millisecond'`)
    await world.admin.query(`update "${table}" set ${moved.join()}`, [by_ms])
  }
  await world.admin.query('update properties set time_zone = $1', [zone])
  await world.admin.query('update customers set time_zone = $1', [zone])
  await world.admin.query('commit')
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
const isMoment = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:/.test(value)
const isTime = (value: unknown) => isDay(value) || isMoment(value)

/** One time and figures, and nothing else: an entry of a series. */
function isOfSeries(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || 'id' in value) return false
  const all = Object.values(value) as unknown[]
  return (
    all.filter(isTime).length === 1 &&
    all.length > 1 &&
    all.every((one) => isTime(one) || typeof one === 'number' || one === null)
  )
}

/** What an answer says of days and hours, by the clock of a zone. */
function seenIn(answer: unknown, zone: string, path = ''): string[] {
  if (isDay(answer)) return [`${path} ${answer}`]
  if (Array.isArray(answer) && answer.length > 0 && answer.every(isOfSeries))
    return answer.map((entry, index) => {
      const shown = Object.entries(entry).map(([name, value]) => [
        name,
        isMoment(value) ? onTheWall(value, zone) : value,
      ])
      return `${path}[${index}] ${JSON.stringify(shown)}`
    })
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, value]) => seenIn(value, zone, `${path}.${name}`))
}
const onTheWall = (moment: string, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone }).format(
    Date.parse(moment),
  )

/** Fields that choose between answers of other shapes or days: each of their values is tried. */
const choices = ['kind', 'date_range', 'view_as']
const variants = ({ endpoint }: Call, ask: CallInput): CallInput[] =>
  [
    ask,
    ...choices.flatMap((name) => optionsOf(shapeOf(endpoint)[name]).map((option) => ({ ...ask, [name]: option }))),
  ].filter((one) => endpoint.input.safeParse(one).success)
function optionsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  return schema instanceof z.ZodType && 'unwrap' in schema && typeof schema.unwrap === 'function'
    ? optionsOf(schema.unwrap())
    : []
}

interface Asker {
  name: string
  ask: () => Promise<unknown>
}
/** Nobody has listed it: a series by the days of Greenwich. */
const invented: Asker = {
  name: 'an invented series',
  ask: () => Promise.resolve({ data: { visits: [{ on: new Date(now()).toISOString().slice(0, 10), count: 3 }] } }),
}
const reads = calls.filter(({ endpoint }) => ['read', 'lookup'].includes(endpoint.kind))
const isDated = (schema: z.ZodType) => schema instanceof z.ZodISODate

function askersOf(call: Call): Asker[] {
  return variants(call, askFor(call, world.own)).map((ask) => ({
    name: `${call.name} ${choices.flatMap((name) => (name in ask ? [String(ask[name])] : [])).join(' ')}`.trim(),
    ask: async () => {
      await world.rest()
      const { status, text } = await world.send(call.endpoint, ask, world.people['customer editor'])
      return text.startsWith('{') ? { status, ...(JSON.parse(text) as object) } : { status }
    },
  }))
}

describe('seen by the clock of the place', () => {
  const seen = new Map<string, Map<string, string[]>>()
  const statuses = new Map<string, number>()
  beforeAll(async () => {
    let offset_ms = 0
    const today = new Date().toISOString().slice(0, 10)
    let askers = [...reads.flatMap(askersOf), invented]
    for (const zone of zones) {
      for (const [day, hour] of [
        [today, 23.5],
        [addDays(today, 1), 0.5],
      ] as const) {
        const instant = instantOf(day, hour, zone)
        const offset_now_ms = Date.parse(`${day}T00:00:00Z`) + hour * hour_ms - instant
        await move(offset_ms - offset_now_ms, zone)
        offset_ms = offset_now_ms
        setClock(instant)
        for (const { name, ask } of askers) {
          const answer = await ask()
          statuses.set(name, (answer as { status?: number }).status ?? 200)
          const views = seen.get(name) ?? new Map<string, string[]>()
          seen.set(name, views.set(`${zone} ${hour}`, seenIn(answer, zone)))
        }
      }
      // What has neither days nor series in one zone has none in the others.
      askers = askers.filter(({ name }) => [...(seen.get(name)?.values() ?? [])].some((view) => view.length > 0))
    }
  }, hook_ms)

  test('every answer has the same days and series in all zones, and an invented one is found that does not', () => {
    const differing = [...seen].flatMap(([name, views]) =>
      [23.5, 0.5].flatMap((hour) => {
        const all = zones.flatMap((zone) => views.get(`${zone} ${hour}`) ?? [])
        const [first = []] = zones.map((zone) => views.get(`${zone} ${hour}`))
        const others = zones.map((zone) => views.get(`${zone} ${hour}`) ?? [])
        const wrong = others.find((view) => JSON.stringify(view) !== JSON.stringify(first))
        return wrong && all.length > 0
          ? [`${name}: ${first.find((line, index) => line !== wrong[index]) ?? 'fewer'}`]
          : []
      }),
    )
    expect(differing.filter((line) => line.startsWith(invented.name))).not.toEqual([])
    expect(differing.filter((line) => !line.startsWith(invented.name))).toEqual([])
  })

  test('every call whose answer has days is answered, and the dashboard moves on at midnight', () => {
    const dated = reads
      .filter(({ endpoint }) => fieldsWhere(endpoint.output, isDated).length > 0)
      .map(({ name }) => name)
    expect(dated.length).toBeGreaterThan(5)
    const failed = dated.filter(
      (name) => ![...statuses].some(([asked, status]) => asked.startsWith(name) && status === 200),
    )
    expect(failed).toEqual([])
    const views = seen.get('POST /dashboard') ?? seen.get('GET /dashboard')
    const lastDay = (hour: number) =>
      views?.get(`Pacific/Honolulu ${hour}`)?.findLast((line) => line.startsWith('.data.days['))
    const today = localDay(Date.now(), 'UTC')
    expect([lastDay(23.5), lastDay(0.5)]).toEqual([
      expect.stringContaining(today),
      expect.stringContaining(addDays(today, 1)),
    ])
  })
})
