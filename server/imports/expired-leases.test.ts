// Expired leases: of whom a list says that they live there, a lease that is over ends no stay; one that ends today is not over.
import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import type { Row } from '#server/imports/spreadsheets/sheet.ts'
import { check } from './rooms.ts'

const today = '2026-11-28'

/** Until when somebody stays whose lease ends on a day. */
function departureOf(lease_to: string, status: string) {
  const lines: Row[] = [
    [1, ['Unit', 'Resident', 'Status', 'Lease start', 'Lease end']],
    [2, ['101', 'Ada Keller', status, '2025-01-01', lease_to]],
  ]
  const lets = { leases: true, lets_by_lease: true }
  const { records } = check(() => lines, {
    property_id: 1,
    today,
    ...lets,
    ahead: true,
    day_order: null,
    properties: [],
  })
  const guests = [...records].flatMap((record) => (record as { guests?: { departs_on?: unknown }[] }).guests ?? [])
  return guests.map(({ departs_on }) => departs_on ?? null)
}

test.each([
  ['today', 0, today],
  ['tomorrow', 1, addDays(today, 1)],
  ['yesterday', -1, null],
])('a lease that ends %s', (_when, days, departs_on) => {
  expect(departureOf(addDays(today, days), 'Current')).toEqual([departs_on])
})
