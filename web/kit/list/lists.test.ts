// Lists: the address, the pages, the filters, fuzzy search, selection and keys, by sections 4 and 5 of the specification.
import Fuse from 'fuse.js'
import { describe, expect, test } from 'vitest'
import type { ListMeta } from '#contract/shapes.ts'
import { isTicked, withTick } from './filter-options.ts'
import { refreshRows } from './refresh-rows.ts'
import { fuzzy } from './fuzzy.ts'
import { listAddressIn, isNarrowed, withListAddress } from './list-address.ts'
import { filtersAsk, firstTurn, nextTurn } from './list-pages.ts'
import { nextRow } from './row-keys.ts'
import { scrollFor, visibleSpan } from './visible-rows.ts'
import { parseSearch } from '#web/kit/navigation/search-params.ts'
import { between, selectedRows } from './selection.ts'
import { singular } from '#web/kit/display/singular.ts'

describe('address', () => {
  test('search, filters and order are read from the address, and replaced without changing the rest of it', () => {
    const search = parseSearch(
      '?id=4&tab=users&q=anna&find=anna+b&filter.status=active&filter.status=draft&sort=-name&group_id=9',
    )
    const asked = listAddressIn(search)
    expect(asked).toEqual({ q: 'anna', find: 'anna b', filters: { status: ['active', 'draft'] }, sort: '-name' })
    expect(withListAddress(search, { q: '', find: '', filters: { status: [] }, sort: undefined })).toEqual({
      id: '4',
      tab: 'users',
      group_id: '9',
    })
    expect(withListAddress(search, asked)).toEqual(search)
    expect([isNarrowed(asked), isNarrowed(listAddressIn({}))]).toEqual([true, false])
  })
})

describe('pages', () => {
  const page = (meta: Partial<ListMeta>) => ({
    data: [],
    meta: {
      total: 100,
      from: 1,
      to: 50,
      per_page: 50,
      next_cursor: 'c',
      fetched_at: '2026-01-01T00:00:00Z',
      newer: 0,
      ...meta,
    },
  })
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
  test('the next page excludes the loaded rows, and has the time of the first page', () => {
    const fetched = [
      { ...page({}), data: rows(2) },
      { ...page({}), data: [{ id: 9 }] },
    ]
    expect(nextTurn(page({ next_cursor: 'd' }), fetched)).toEqual({
      excludeIds: [1, 2, 9],
      cursor: null,
      lastFetchedAt: '2026-01-01T00:00:00Z',
    })
  })
  test('a refresh updates rows in place, removes those that no longer match, and keeps those after its end', () => {
    const of = (...ids: number[]) => ids.map((id) => ({ id, seconds: 1 }))
    const shown = {
      pages: [
        { ...page({ total: 9, to: 2 }), data: of(1, 2) },
        { ...page({ total: 7, to: 3 }), data: of(3, 4, 5) },
      ],
      pageParams: [firstTurn, firstTurn],
    }
    const now = { ...page({ total: 8 }), data: [1, 3, 4].map((id) => ({ id, seconds: 2 })) }
    const { pages } = refreshRows(shown, now)
    expect(pages.map(({ data }) => data.map(({ id, seconds }) => [id, seconds]))).toEqual([
      [[1, 2]],
      [[3, 2], [4, 2], [5, 1]],
    ]) // prettier-ignore
    expect(pages.map(({ meta }) => [meta.total, meta.to])).toEqual([[8, 1], [7, 3]]) // prettier-ignore
    expect(
      refreshRows(shown, { ...now, meta: { ...now.meta, next_cursor: null } }).pages[1]?.data.map(({ id }) => id),
    ).toEqual([3, 4])
  })
  test('beyond 5,000 rows it continues after the last one', () => {
    const turn = (count: number) => nextTurn(page({ next_cursor: 'd' }), [{ ...page({}), data: rows(count) }])
    expect([turn(5000)?.excludeIds.length, turn(5000)?.cursor]).toEqual([5000, null])
    expect([turn(5001)?.excludeIds, turn(5001)?.cursor]).toEqual([[], 'd'])
  })
  test('a list is complete when its total equals `to`, or is 0', () => {
    expect(nextTurn(page({ total: 50 }), [])).toBe(undefined)
    expect(nextTurn(page({ total: 0, to: 0 }), [])).toBe(undefined)
    expect(nextTurn(page({ next_cursor: null }), [])).toBe(undefined)
    expect(nextTurn(page({ total: 50, more: true }), [])).toBeDefined()
  })
  test('filters are sent as the endpoint expects them, without unknown ones', () => {
    const known = {
      status: { kind: 'checkbox', options: [] },
      group_id: { kind: 'checkbox', options: { path: '/groups-list' } },
      city: { kind: 'text' },
    }
    const asked = { status: ['active'], group_id: ['4', 'x', 'none'], city: ['Rome'], gone: ['1'] }
    expect(filtersAsk(asked, known)).toEqual({
      status: ['active'],
      group_id: [4, null],
      city: 'Rome',
    })
  })
})

describe('fuzzy search', () => {
  const rows = ['Harbour Hotel', 'The Grand Harbour', 'Northern Lakes', 'Student Living'].map((name) => ({ name }))
  const found = (text: string) => fuzzy(Fuse, rows, text, 'name').map((row) => row.name)
  test('ignores case, matches anywhere in the name, keeps the order', () => {
    expect(found('HARBOUR')).toEqual(['Harbour Hotel', 'The Grand Harbour'])
    expect(found('lakes')).toEqual(['Northern Lakes'])
    expect(found('zzz')).toEqual([])
  })
  test('tolerates a typing error in a long word', () => expect(found('nothern lakes')).toEqual(['Northern Lakes']))
  test('needs three characters', () => expect(found('ha')).toHaveLength(4))
})

describe('filter menu', () => {
  const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }))
  test('all boxes are ticked until one is cleared', () => {
    expect(options.every(({ value }) => isTicked(undefined, value))).toBe(true)
    expect(withTick([], 'b', false, options)).toEqual(['a', 'c'])
    expect(withTick(['a', 'c'], 'b', true, options)).toEqual([])
    expect(withTick(['a'], 'a', false, options)).toEqual(['a'])
  })
})

describe('rows', () => {
  test('a range is everything between, in either direction', () => {
    expect(between([5, 6, 7, 8], 6, 8)).toEqual([6, 7, 8])
    expect(between([5, 6, 7, 8], 8, 5)).toEqual([5, 6, 7, 8])
    expect(between([5, 6], undefined, 6)).toEqual([6])
    expect(between([5, 6], 99, 6)).toEqual([6])
  })
  test('keys stay within the list', () => {
    expect(nextRow('ArrowUp', 3, 9, 5)).toBe(2)
    expect(nextRow('PageDown', 6, 9, 5)).toBe(8)
    expect(nextRow('End', 0, 9, 5)).toBe(8)
    expect(nextRow('x', 0, 9, 5)).toBe(undefined)
    expect(nextRow('ArrowDown', 0, 0, 5)).toBe(undefined)
  })
  test('up from the first row leads to the headings, and down leads back', () => {
    expect([nextRow('ArrowUp', 0, 9, 5), nextRow('ArrowDown', -1, 9, 5)]).toEqual([-1, 0])
  })
  test('a row that was disabled after it was ticked is no longer selected', () => {
    const selection = { ids: new Set([1, 2, 3]), matching: undefined }
    const loaded = [
      { id: 1, status: 'active' },
      { id: 2, status: 'disabled' },
      { id: 4, status: 'active' },
    ]
    expect(selectedRows(selection, loaded).map(({ id }) => id)).toEqual([1])
    expect(
      selectedRows({ ...selection, matching: [{ id: 1 }, { id: 2 }, { id: 3 }] }, loaded).map(({ id }) => id),
    ).toEqual([1, 3])
  })
  test('only rows in view are rendered, and a few more', () => {
    expect(visibleSpan(140, 900, 44, 1000, 10)).toEqual({ start: 0, end: 28 })
    expect(visibleSpan(-43_860, 900, 44, 1000, 10)).toEqual({ start: 986, end: 1000 })
    expect(visibleSpan(140, 900, 44, 3, 10)).toEqual({ start: 0, end: 3 })
    expect(visibleSpan(140, 900, 44, 0, 10)).toEqual({ start: 0, end: 0 })
  })
  test('a row is scrolled clear of sticky and floating elements', () => {
    const around = { row_px: 44, window_px: 900, above_px: 150, below_px: 90 }
    expect([100, 300, 800].map((top_px) => scrollFor({ top_px, ...around }))).toEqual([-50, 0, 34])
  })
})

test('the singular of a plural', () => {
  expect(['groups', 'properties', 'voucher batches', 'addresses'].map(singular)).toEqual([
    'group',
    'property',
    'voucher batch',
    'address',
  ])
})
