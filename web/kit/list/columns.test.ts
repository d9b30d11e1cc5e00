// Columns: the name keeps its minimum at every width; the others are hidden by priority.
import { describe, expect, test } from 'vitest'
import * as packages from '#contract/packages.ts'
import { fitColumns, name_px_min, type Placed } from './columns.ts'
import { fieldColumns } from './field-columns.ts'

const columns: Placed[] = [
  { title: 'Name', width: 160, priority: 1 },
  { title: 'Status', width: 104, priority: 2 },
  { title: 'City', width: 112, grow: 1, priority: 4 },
  { title: 'Group', width: 140, priority: 3 },
  { title: 'Reference', width: 120, priority: 5, extra: true },
]
const titles = (room_px: number, chosen?: string[]) =>
  fitColumns(columns, room_px, chosen).shown.map(({ column }) => column.title)

describe('columns', () => {
  test('are hidden by priority, and stay in the order of the list', () => {
    expect(titles(1000)).toEqual(['Name', 'Status', 'City', 'Group'])
    expect(titles(515)).toEqual(['Name', 'Status', 'Group'])
    expect(titles(263)).toEqual(['Name'])
    expect(fitColumns(columns, 515).hidden.map(({ title }) => title)).toEqual(['City'])
    // Hidden ones are listed by importance, as they are shown below the name.
    expect(fitColumns(columns, 263).hidden.map(({ title }) => title)).toEqual(['Status', 'Group', 'City'])
  })
  test('a narrow one is not shown in place of a more important wide one', () => {
    expect(titles(403)).toEqual(['Name', 'Status'])
    expect(titles(404)).toEqual(['Name', 'Status', 'Group'])
  })
  test('at any width, the name keeps its minimum, and together they fill the space without exceeding it', () => {
    for (let room_px = 160; room_px < 1600; room_px++) {
      const { shown } = fitColumns(columns, room_px)
      const sum = shown.reduce((total, { width_px }) => total + width_px, 0)
      expect(shown[0]?.width_px).toBeGreaterThanOrEqual(name_px_min)
      expect(sum).toBeLessThanOrEqual(room_px)
      expect(sum).toBeGreaterThan(room_px - 3)
    }
  })
  test('remaining space goes first to columns below their usual width, including the name, and then by the shares', () => {
    const places: Placed[] = [
      { title: 'Name', width: 160, usual: 200, priority: 1 },
      { title: 'City', width: 100, grow: 1, priority: 2 },
      { title: 'Group', width: 140, usual: 180, priority: 3 },
    ]
    const widths = (room_px: number) => fitColumns(places, room_px).shown.map(({ width_px }) => width_px)
    expect(widths(440)).toEqual([180, 100, 160])
    expect(widths(480)).toEqual([200, 100, 180])
    expect(widths(510)).toEqual([220, 110, 180])
  })
  test('only the chosen ones are shown, and always the name', () => {
    expect(titles(1000, ['Reference', 'City'])).toEqual(['Name', 'City', 'Reference'])
    expect(titles(1000, [])).toEqual(['Name'])
  })
})

test('figures stand at the end of their column, unless a list says otherwise, and names at its beginning', () => {
  const column = fieldColumns(packages)
  const placing = { width: 100, priority: 2 }
  expect([column('volume_gb', placing).align, column('name', placing).align]).toEqual(['end', undefined])
})
