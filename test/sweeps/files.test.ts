// Files: what leaves as a file shows nothing that whoever asks does not reach, neither sent at once nor made the long way, by due work
// with the reach of whoever asked. Each call that answers a file is tried by everybody who may make it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as runs from '#contract/report-runs.ts'
import { exportFile } from '#contract/reports.ts'
import { may } from '#server/access/policies.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { doDue } from '#test/due.ts'
import { day_of_records } from '#test/records.ts'
import type { Person } from '#test/foyer.ts'
import { askFor, calls, takes, type Call, type CallInput } from './calls.ts'
import { openWorld, type World } from './world.ts'

const files = calls.filter(({ endpoint }) => endpoint.gives === 'file')
/** A cell of a table as text that begins as JSON does, which nobody reads. */
const raw_json = /(?:^|,)"?[{[]/m
const isOfList = ({ endpoint }: Call) => takes(endpoint, 'searchValue')
const isOpenTo = (who: Person, { endpoint }: Call) => may(who.user, endpoint)

/** The sample, as text where there is a choice; of a report each kind that is about sessions, as it is stored and by its fields alone. */
function asksFor(call: Call, world: World): CallInput[] {
  const ask = askFor(call, world.own)
  const inText = { ...ask, format: 'csv' }
  const readable: CallInput =
    takes(call.endpoint, 'format') && call.endpoint.input.safeParse(inText).success ? inText : ask
  if (call.endpoint !== exportFile) return [readable]
  const days = { date_range: 'custom', start_date: day_of_records, end_date: day_of_records }
  const { id: _, ...fields } = readable
  return [readable, fields].flatMap((one) => ['session', 'free_wifi'].map((kind) => ({ ...one, ...days, kind })))
}

describe.each([
  ['at once', {}],
  ['the long way', { REPORT_ROWS_AT_ONCE: '0' }],
])('a file that is made %s', (way, env) => {
  let world: World
  let made_by_work = 0
  let siblings_seen = 0
  beforeAll(async () => void (world = await openWorld({}, env)))
  afterAll(() => world.close())

  /** The file itself: where it is made later, that which the run made. */
  async function fileOf(call: Call, ask: CallInput, who: Person): Promise<string> {
    const answer = await world.send(call.endpoint, ask, who)
    if (call.endpoint === exportFile) expect([200, 202, 422]).toContain(answer.status)
    if (answer.status !== 202) return answer.text
    // A run is its owner's: whoever reaches less than the owner gets the file at once.
    expect(who).not.toBe(world.programs["an editor's key for one property"])
    const { data } = JSON.parse(answer.text) as { data: { id: number } }
    const needs = { ...world.foyer.services, config: { report_files_kept_ms: 3_600_000 } }
    await doDue(reportFileWork, needs as never, who.user.customer.id)
    made_by_work++
    const file = await world.foyer.send(runs.downloadRun, { id: data.id }, who)
    expect(file.status, file.text).toBe(200)
    return file.text
  }

  test.each(files)('$name', async (call) => {
    const askers = [...Object.entries(world.people), ...Object.entries(world.programs)]
    for (const [name, who] of askers.filter(([, one]) => isOpenTo(one, call))) {
      await world.rest()
      for (const ask of asksFor(call, world)) {
        const file = await fileOf(call, ask, who)
        if (isOfList(call)) expect(file, name).not.toMatch(raw_json)
        expect(file.toLowerCase(), name).not.toContain(world.marks.neighbour.toLowerCase())
        if (who.context !== 'customer') expect(file, name).not.toContain(world.marks.sibling)
        else if (file.includes(world.marks.sibling)) siblings_seen++
      }
    }
  })

  test('shows a customer all of its own, so that these tests have something to find', () => {
    expect(siblings_seen).toBeGreaterThan(5)
    expect(made_by_work > 0).toBe(way === 'the long way')
  })
})
