// Upgrade answers: every call that reads, asked of a node as each kind of person, and where the answers of two releases differ.
import type { Client } from 'pg'
import { pathFields } from '#contract/endpoint.ts'
import { askFor, calls, rowsOf, shapeOf, takes, type Call, type CallInput } from '#test/sweeps/calls.ts'
import type { Records } from '#test/records.ts'
import type { Found } from './upgrade-explained.ts'

export interface Asker {
  name: string
  token: string
  context: string
}
export interface Ask {
  /** Of the call. */
  name: string
  url: string
  body: string | null
}
interface Answer {
  status: number
  body: unknown
}
/** By the asker and what was asked. */
export type Answers = Map<string, { call: string; answer: Answer }>

interface At {
  url: string
}
interface Place {
  customer_id: number
  /** One that has people and a key of its own. */
  property_id: number
}

/** What no row of the database says, or what must be the same at each asking. */
const given: Record<string, CallInput> = {
  '/auth/made-since': { since: '2026-01-01T00:00:00Z' },
  '/guest-help': { search: 'ro' },
  '/property-holidays-suggest': { year: 2027 },
  '/reports-run': { kind: 'session', date_range: 'last_7_days' },
}
/** Found by their search in each list that has one. */
const sought = 'lantern'
/** Those who ask take turns: a customer may not ask too much at once. */
const at_once = 3

/** The first row of each table, the last one, and the first one of the property. */
async function recordsOf(admin: Client, { customer_id, property_id }: Place) {
  const { rows: tables } = await admin.query<{ name: string; of_property: boolean }>(
    `select table_name as name, bool_or(column_name = 'property_id') as of_property from information_schema.columns
     join pg_tables on tablename = table_name and schemaname = table_schema
     where schemaname = 'public' group by 1 having bool_or(column_name = 'id') and bool_or(column_name = 'customer_id')`,
  )
  const found: Records[] = [new Map(), new Map(), new Map([['properties', property_id]])]
  for (const { name, of_property } of tables) {
    const { rows } = await admin.query<{ first: number | null; last: number | null; here: number | null }>(
      `select min(id)::float8 as first, max(id)::float8 as last,
         ${of_property ? '(min(id) filter (where property_id = $2))' : 'case when $2 = 0 then 0 end'}::float8 as here
       from ${name} where customer_id = $1`,
      [customer_id, property_id],
    )
    for (const [at, id] of [rows[0]?.first, rows[0]?.last, rows[0]?.here].entries())
      if (id != null && !found[at]?.has(name)) found[at]?.set(name, id)
  }
  return found
}

function asked({ name, endpoint }: Call, input: CallInput): Ask {
  const inPath = pathFields(endpoint.path)
  const rest = Object.fromEntries(Object.entries(input).filter(([field]) => !inPath.includes(field)))
  const url = endpoint.path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(input[field])))
  if (endpoint.method === 'POST') return { name, url, body: JSON.stringify(rest) }
  return { name, url: `${url}?${new URLSearchParams(rest as Record<string, string>)}`, body: null }
}

/** The calls of the release before, by its own description. */
async function servedBy({ url }: At): Promise<Set<string>> {
  const { paths } = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as { paths: Record<string, object> }
  return new Set(
    Object.entries(paths).flatMap(([call, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${call.replace('/api/v1', '')}`),
    ),
  )
}

/** What is asked of both nodes, of each call that reads and that the one before serves. */
export async function asksOf(admin: Client, old: At, place: Place): Promise<Ask[]> {
  const served = await servedBy(old)
  const { rows: codes } = await admin.query<{ code: string }>(
    `(select code from vouchers where redeemed_at is not null limit 1) union (select code from vouchers where redeemed_at is null limit 1)`,
  )
  const all: Ask[] = []
  const missing: string[] = []
  const records = await recordsOf(admin, place)
  for (const call of calls.filter(({ name, endpoint }) => endpoint.kind === 'read' && served.has(name))) {
    const known = { ...given[call.endpoint.path] }
    if (takes(call.endpoint, 'token')) known['token'] = 'of nobody'
    const rows = rowsOf(call).map(({ table }) => table)
    const inputs = records
      .filter((of) => rows.every((table) => of.has(table)))
      .map((of) => ({ ...askFor(call, new Map([...(records[0] ?? []), ...of])), ...known }))
    if (inputs.length === 0) missing.push(`${call.name}: there is no row of ${rows.join(', ')} to ask for`)
    if (inputs.length === 0) continue
    if (takes(call.endpoint, 'code')) inputs.push(...codes.map(({ code }) => ({ ...inputs[0], code })))
    if (takes(call.endpoint, 'searchValue')) inputs.push({ ...inputs[0], searchValue: sought })
    if ('per_page' in shapeOf(call.endpoint)) inputs.push({ ...inputs[0], per_page: 100 })
    all.push(...inputs.map((input) => asked(call, input)))
  }
  if (missing.length > 0) throw new Error(missing.join('\n'))
  return [...new Map(all.map((one) => [`${one.name} ${one.url} ${one.body}`, one])).values()]
}

export async function answersOf({ url }: At, asks: readonly Ask[], askers: readonly Asker[]): Promise<Answers> {
  const answers: Answers = new Map()
  const left = askers.flatMap((asker) => asks.map((ask) => ({ asker, ask })))
  async function askNext(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      const { asker, ask } = next
      const response = await fetch(`${url}/api/v1${ask.url}`, {
        method: ask.body === null ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${asker.token}`,
          'app-context': asker.context,
        },
        body: ask.body,
      })
      const text = await response.text()
      if (response.status === 429 || response.status >= 500)
        throw new Error(`${ask.name} of ${url} answered ${response.status}: ${text}`)
      const answer = { status: response.status, body: JSON.parse(text) as unknown }
      answers.set(`${asker.name}: ${ask.name} ${ask.url} ${ask.body}`, { call: ask.name, answer })
    }
  }
  await Promise.all(Array.from({ length: at_once }, askNext))
  return answers
}

/** Calls whose answers were refusals alone: nothing was learnt from them. */
export function answeredNobody(answers: Answers): string[] {
  const all = new Set([...answers.values()].map(({ call }) => call))
  for (const { call, answer } of answers.values()) if (answer.status === 200) all.delete(call)
  return [...all]
}

/** Where the later answers lack or change something of the earlier ones; what they add is no difference. */
export function differencesOf(before: Answers, after: Answers): Found[] {
  const found: Found[] = []
  for (const [asked_for, { call, answer }] of before) {
    const now = after.get(asked_for)?.answer
    for (const { field, was, is } of changed(answer, now, ''))
      found.push({
        where: `${call} ${field}`,
        example: `${asked_for}: ${JSON.stringify(was)} is ${JSON.stringify(is)}`,
      })
  }
  return found
}

function changed(was: unknown, is: unknown, field: string): { field: string; was: unknown; is: unknown }[] {
  if (Object.is(was, is)) return []
  if (Array.isArray(was) && Array.isArray(is)) {
    if (was.length > 0 && [...was, ...is].every(hasId)) return changedList(was, is, `${field}[]`)
    if (was.length !== is.length) return [{ field: `${field}[]`, was: was.length, is: is.length }]
    return was.flatMap((one, at) => changed(one, is[at], `${field}[]`))
  }
  if (isRecord(was) && isRecord(is))
    return Object.entries(was).flatMap(([name, value]) => changed(value, is[name], field ? `${field}.${name}` : name))
  return [{ field, was, is }]
}
/** Of records, which are the same by their ids. */
function changedList(was: WithId[], is: WithId[], field: string): ReturnType<typeof changed> {
  const ids = new Set(was.map(({ id }) => id))
  const kept = is.filter(({ id }) => ids.has(id))
  if (kept.length < was.length) return [{ field: `${field} lacks some`, was: was.length, is: kept.length }]
  const more = kept.length < is.length ? [{ field: `${field} has more`, was: was.length, is: is.length }] : []
  return [...more, ...was.flatMap((one, at) => changed(one, kept[at], field))]
}
type WithId = { id: unknown }
const hasId = (value: unknown): value is WithId => isRecord(value) && 'id' in value
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
