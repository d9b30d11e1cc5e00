// Asked of history: what people ask of sessions of the last two years, of which `large` has hundreds of thousands at least: lists, who had
// an address, reports of a month and of a year, and the erasure of a guest.
import { textOf } from '#server/errors/thrown.ts'
import { median } from './measurement.ts'
import type { Stage } from './stage.ts'

const rounds = 5

/** Whom is asked about: of a session long ago its address and property, and as many guests as are erased when it is asked twice. */
export interface Subjects {
  address: string
  at: string
  property: number
  guests: string[]
}

/** @param session a statement that answers what `Subjects` has of a session of customer $1 */
export async function subjectsOf({ raw, customers: { large } }: Stage, session: string): Promise<Subjects> {
  const { rows } = await raw.query<Subjects>(
    `select s.*, array(select g.id from guests g where g.customer_id = $1 order by g.id limit ${2 * (rounds + 1)}) as guests
     from (${session}) as s`,
    [large.id],
  )
  const [one] = rows
  if (!one) throw new Error('there is no session')
  return one
}

/** The median and the longest of each, in milliseconds; Infinity: it was refused. Guests are erased for good, so it can be asked twice. */
export async function askOfHistory({ raw, customers: { large } }: Stage, one: Subjects, when: string) {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const month = { kind: 'session', date_range: 'custom', start_date: day(150), end_date: day(121) }
  const year = { kind: 'session', date_range: 'custom', start_date: day(480), end_date: day(121), per_page: 100 }
  await raw.query(`select set_config('app.customer_id', $1, false)`, [String(large.id)])
  /** The page after the first. */
  const further = async (report: object) => {
    const { meta } = (await large.ask('/reports-run', report)) as { meta: { next_cursor: string } }
    return { ...report, cursor: meta.next_cursor }
  }
  const further_of_one = await further({ ...year, property_ids: [one.property] })
  const asked: Record<string, (round: number) => Promise<unknown>> = {
    'the newest sessions': () => large.ask('/sessions', {}),
    'the newest sessions of a property': () => large.ask('/sessions', { params: { property_id: one.property } }),
    'the sessions of a guest by a search': (round) => large.ask('/sessions', { searchValue: `guest${4321 + round}@` }),
    'who had an address': () =>
      large.ask('/sessions-address', { ip_address: one.address, at: new Date(one.at).toISOString() }),
    'a month of a property, first page and totals': () =>
      large.ask('/reports-run', { ...month, property_ids: [one.property] }),
    'a month of all properties, first page and totals': () => large.ask('/reports-run', month),
    'a year of a property, a further page': () => large.ask('/reports-run', further_of_one),
    'a year of all properties, first page and totals': () => large.ask('/reports-run', year),
    'the erasure of a guest': () => raw.query('select erase_guests(array[$1::bigint])', [one.guests.shift()]),
  }
  const lines: { work: string; ms: number; longest: number }[] = []
  for (const [work, once] of Object.entries(asked)) {
    const taken = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now()
      const refused = await once(round).then(
        () => false,
        (error: unknown) => (console.log(`${work}: ${textOf(error)}`), true),
      )
      if (round > 0) taken.push(refused ? Infinity : performance.now() - start)
    }
    lines.push({ work, ms: median(taken), longest: Math.max(...taken) })
  }
  console.log(`Asked ${when}:`)
  console.table(lines.map(({ work, ms, longest }) => ({ work, ms: ms.toFixed(1), longest: longest.toFixed(1) })))
  return lines
}
