// Workbooks that a program wrote and nobody has opened since: formulas without a result, and 1904 dates.
import { expect, test } from 'vitest'
import { workbookOf } from '#test/workbooks.ts'
import { uncalculated } from './formulas.ts'
import { sheetsOfWorkbook } from './workbook.ts'

async function cellsIn(bytes: Buffer) {
  const [sheet] = await sheetsOfWorkbook(bytes)
  return [...(sheet?.rows() ?? [])].map(([, cells]) => cells)
}

test.each(['', 'x:'])(
  'a formula without a value is marked, one with an empty text as its value is empty (%j)',
  async (p) => {
    const cell = (at: string, inside: string, more = '') => `<${p}c r="${at}"${more}>${inside}</${p}c>`
    const row = (number: number, cells: string) => `<${p}row r="${number}">${cells}</${p}row>`
    const f = `<${p}f>A1+1</${p}f>`
    const rows =
      row(1, cell('A1', `<${p}v>101</${p}v>`) + cell('B1', f)) +
      row(2, cell('A2', `${f}<${p}v></${p}v>`) + cell('B2', `${f}<${p}v/>`) + cell('C2', `${f}<${p}v>0</${p}v>`)) +
      row(3, cell('A3', `${f}<${p}v></${p}v>`, ' t="str"') + cell('B3', `${f}<${p}v>103</${p}v>`)) +
      row(4, cell('B4', `<${p}f t="shared" si="0"/>`))
    const gap = uncalculated
    expect(await cellsIn(workbookOf(rows, { p }))).toEqual([
      ['101', gap, ''],
      [gap, gap, '0'],
      ['', '103', ''],
      ['', gap, ''],
    ])
    // A program that writes 0 for all of them requests a recalculation.
    const says = `<${p}calcPr calcId="1" fullCalcOnLoad="1"/>`
    expect((await cellsIn(workbookOf(rows, { says, p })))[1]).toEqual([gap, gap, gap])
  },
)

test('days are counted from 1904 if the workbook says so', async () => {
  const rows = '<row r="1"><c r="A1" s="1"><v>44914</v></c><c r="B1" s="1"><v>44914.5</v></c></row>'
  expect(await cellsIn(workbookOf(rows))).toEqual([['2022-12-19', '2022-12-19T12:00:00']])
  const says = '<workbookPr date1904="1"/>'
  expect(await cellsIn(workbookOf(rows, { says }))).toEqual([['2026-12-20', '2026-12-20T12:00:00']])
})
