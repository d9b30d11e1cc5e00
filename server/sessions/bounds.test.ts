// Bounds: a report reaches back to the Accept that it names, else seven days or to what has been reported since; and claims no more than a
// link can carry in that time.
import { expect, test } from 'vitest'
import { bounded, earliestOf } from './bounds.ts'
import type { SessionRecord } from './record.ts'

const minute = 60_000
const day = 24 * 60 * minute
const now = Date.parse('2026-01-31T09:30:00Z')
const record = (values: Partial<SessionRecord>) =>
  ({
    at: now,
    received_at: now,
    authorisation_id: null,
    seconds: null,
    bytes_up: null,
    bytes_down: null,
    ...values,
  }) as SessionRecord
const known = (values: Partial<Parameters<typeof earliestOf>[1][number]>) => ({
  authorisation_id: null,
  accepted_at: null,
  started_at: now - 9 * day,
  last_seen_at: now - 8 * day,
  ...values,
})

test('a report reaches back to the Accept that it names, and to no other', () => {
  const accepts = [
    known({ authorisation_id: 1, accepted_at: now - 3 * day }),
    known({ authorisation_id: 2, accepted_at: now - 2 * day }),
  ]
  expect(earliestOf(record({ authorisation_id: 2 }), accepts)).toBe(now - 2 * day)
  expect(earliestOf(record({ authorisation_id: 3 }), accepts)).toBe(now - 7 * day)
  // What names none names none of those that have none.
  expect(earliestOf(record({}), [known({ accepted_at: now - day })])).toBe(now - 7 * day)
})

test('without one it reaches back to the beginning of a session that was reported within seven days', () => {
  expect(earliestOf(record({}), [known({ last_seen_at: now - day })])).toBe(now - 9 * day)
  expect(earliestOf(record({}), [known({})])).toBe(now - 7 * day)
})

test('a time that reaches further back is cut off, and a volume that no link carries says nothing', () => {
  const since = now - 10 * minute
  const volume_max = 11 * minute * 1_250_000
  const sane = record({ seconds: 600, bytes_up: volume_max, bytes_down: 0 })
  expect(bounded(sane, since)).toMatchObject({ seconds: 600, bytes_up: volume_max, bytes_down: 0, not_before: since })
  const wild = record({ seconds: 4_294_967_295, bytes_up: volume_max + 1, bytes_down: 1000 })
  expect(bounded(wild, since)).toMatchObject({ at: now, seconds: 600, bytes_up: null, bytes_down: 1000 })
  // Who was online for so long since the Accept cannot have reported it earlier.
  expect(bounded(record({ at: since, seconds: 300 }), since).at).toBe(since + 5 * minute)
})
