// Lists: whether a list costs the same for 100,000 rows as for 100. Ratios within one run, together with the plain database query.
//
// That query is run by the app's own login under row security, as Foyer's statements are.
//
// The sides alternate within each round, so that other load on the machine affects both; the result is the median of the rounds'
// ratios. Fails only if a list of 100,000 takes more than three times as long as one of 100.
import type { Case } from './case.ts'
import { collectionCases, fillCollections } from './collections.ts'
import { deviceCases, fillDevices } from './devices.ts'
import { fillGuestSessions, guestSessionCases } from './guest-sessions.ts'
import { median } from './measurement.ts'
import { fillRooms, roomCases } from './rooms.ts'
import type { Server } from './server.ts'
import { openStage, type Customer, type Side, type Stage } from './stage.ts'

const rounds = 7
const usual_requests = 20
const ratio_max = 3
const sides: Side[] = ['small', 'large']

const select = (where: string, values: unknown[]) => ({
  text: `select t.id, t.name, t.external_reference, t.city, t.property_type_id, t.connectivity_type_id, t.total_units,
    t.status, t.created_at,
    (select g.name from groups g where g.customer_id = t.customer_id and g.id = t.group_id) as group_name
    from properties t where t.customer_id = $1 and t.deleted_at is null ${where} order by t.created_at desc, t.id desc limit 50`,
  values,
})

/** For the large customer the pages before the fiftieth; for the small one those before its last. */
const pagesBefore = ({ id }: Customer, of: Record<Side, Customer>) => (id === of.large.id ? 49 : 1)

async function readPages(customer: Customer, pages: number) {
  const seen: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const { data, meta } = await customer.ask('/properties', { cursor })
    seen.push(...data.map((row) => row.id))
    cursor = meta.next_cursor
  }
  return { seen, cursor }
}

const propertyCases = (of: Record<Side, Customer>): Omit<Case, 'call'>[] => [
  { name: 'first page', rows: 50, body: async () => ({}), query: ({ id }) => select('', [id]) },
  {
    name: 'fiftieth page, by cursor',
    rows: 50,
    body: async (customer) => ({ cursor: (await readPages(customer, pagesBefore(customer, of))).cursor }),
    query: ({ id }, { cursor }: { cursor: string }) => {
      const [created_at, last_id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, number]
      return select('and (t.created_at, t.id) < ($2, $3)', [id, created_at, last_id])
    },
  },
  {
    name: 'fiftieth page, by excluded ids',
    rows: 50,
    body: async (customer) => ({ excludeIds: (await readPages(customer, pagesBefore(customer, of))).seen }),
    query: ({ id }, { excludeIds }: { excludeIds: number[] }) =>
      select('and t.id not in (select unnest($2::integer[]))', [id, excludeIds]),
  },
  {
    name: 'first page, by name',
    rows: 50,
    body: async () => ({ sort: 'name' }),
    query: ({ id }) => ({
      ...select('', [id]),
      text: select('', []).text.replace('t.created_at desc, t.id desc', 't.name, t.id'),
    }),
  },
  {
    name: 'search, rare word',
    rows: 1,
    body: async () => ({ searchValue: 'zanzibar' }),
    query: ({ id }) => select(`and t.search like '%zanzibar%'`, [id]),
  },
  {
    name: 'search, common word',
    rows: 50,
    body: async () => ({ searchValue: 'grand' }),
    query: ({ id }) => select(`and t.search like '%grand%'`, [id]),
  },
  {
    name: 'filter by status',
    rows: 50,
    body: async () => ({ filters: { status: ['active'] } }),
    query: ({ id }) => select(`and t.status = any('{active}')`, [id]),
  },
  {
    name: 'filter by group',
    rows: 50,
    body: async ({ group_id }) => ({ filters: { group_id } }),
    query: ({ id, group_id }) => select('and t.group_id = $2', [id, group_id]),
  },
]

/** The median time of one request, in milliseconds. */
async function time(work: () => Promise<unknown>, requests: number): Promise<number> {
  const taken: number[] = []
  for (let index = 0; index < requests; index++) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return median(taken)
}

/** @param large_rows number of rows of the large customer */
export async function benchLists(server: Server, large_rows: number) {
  const stage = await openStage(server, large_rows)
  try {
    await fillRooms(stage)
    await fillDevices(stage)
    await fillCollections(stage)
    const properties = propertyCases(stage.customers).map((one) => ({ ...one, call: '/properties' }))
    const cases: Case[] = [...properties, ...roomCases, ...deviceCases, ...collectionCases]
    await compare(stage, cases, stage.sizes)
  } finally {
    await stage.close()
  }
}

/** Sessions grow with each guest of each day, so they are measured with far more rows. */
export async function benchSessions(server: Server, large_rows: number) {
  const sizes = { small: 10_000, large: Math.max(large_rows, 10_000) }
  const stage = await openStage(server, 1000)
  try {
    await fillGuestSessions(stage, sizes)
    await compare(stage, guestSessionCases, sizes)
  } finally {
    await stage.close()
  }
}

export async function compare(stage: Stage, cases: Case[], { small, large }: Record<Side, number>) {
  const lines: Record<string, string>[] = []
  let isSlow = false
  for (const one of cases) {
    const { ratio, of_query, line } = await measure(stage, one)
    lines.push({ list: one.name, ...line })
    if (ratio > (one.ratio_max ?? ratio_max) || of_query > (one.of_query_max ?? Infinity)) isSlow = true
  }
  console.table(lines)
  console.log(
    `${large.toLocaleString('en')} rows against ${small.toLocaleString('en')}: times in ms, medians of ${rounds} rounds ` +
      `of up to ${usual_requests} requests one after the other; at most ${ratio_max} times as long is allowed.`,
  )
  if (isSlow) process.exitCode = 1
}

async function measure(
  { customers, cpu_ms }: Stage,
  { name, call, body, rows, query, requests = usual_requests }: Case,
) {
  const asks = await Promise.all(
    sides.map(async (side) => {
      const customer = customers[side]
      const ask = await body(customer)
      const { data } = await customer.ask(call, ask)
      if (rows !== undefined && data.length !== rows)
        throw new Error(`${name}: ${data.length} rows for the ${side} customer, not ${rows}`)
      const plain = query && { name: `${name} ${side}`, ...query(customer, ask as never) }
      return { product: () => customer.ask(call, ask), plain: plain && (() => customer.plain.query(plain)) }
    }),
  )
  const times = { product: [[], []] as number[][], plain: [[], []] as number[][], cpu: [[], []] as number[][] }
  for (let round = 0; round <= rounds; round++)
    for (const [index, ask] of asks.entries()) {
      const before = cpu_ms()
      const product = await time(ask.product, requests)
      const cpu = (cpu_ms() - before) / requests
      const plain = ask.plain ? await time(ask.plain, requests) : Number.NaN
      // The first round warms up.
      if (round === 0) continue
      times.product[index]?.push(product)
      times.plain[index]?.push(plain)
      times.cpu[index]?.push(cpu)
    }
  const ratios = (times.product[1] ?? []).map((large, round) => large / (times.product[0]?.[round] ?? 0))
  const shown = (values: number[] | undefined) => median(values ?? []).toFixed(2)
  const ratio = median(ratios)
  const of_query = median(times.product[1] ?? []) / median(times.plain[1] ?? [])
  return {
    ratio,
    of_query,
    line: {
      'of the small one': shown(times.product[0]),
      'of the large one': shown(times.product[1]),
      'ratio (least–most)': `${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
      'query alone': `${shown(times.plain[0])} / ${shown(times.plain[1])}`,
      'product / query': of_query.toFixed(1),
      'CPU ms': `${shown(times.cpu[0])} / ${shown(times.cpu[1])}`,
    },
  }
}
