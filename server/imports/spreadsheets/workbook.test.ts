// Workbooks that a program wrote and nobody has opened since: formulas without a result, and days that are counted from 1904.
import { expect, test } from 'vitest'
import { aZip } from '#test/zips.ts'
import { uncalculated } from './formulas.ts'
import { sheetsOfWorkbook } from './workbook.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** One sheet of these rows, in XML; `says` stands at the start of the workbook, and `p` before each name. */
const workbook = (rows: string, { says = '', p = '' } = {}) => {
  const of = p === '' ? `xmlns="${main}"` : `xmlns:${p.slice(0, -1)}="${main}"`
  return aZip(
    Object.entries({
      '[Content_Types].xml': `<Types xmlns="${packages}/content-types">
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Override PartName="/xl/workbook.xml"
          ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
        <Override PartName="/xl/worksheets/sheet1.xml"
          ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
        <Override PartName="/xl/styles.xml"
          ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
      '_rels/.rels': `<Relationships xmlns="${packages}/relationships">
        <Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<${p}workbook ${of} xmlns:r="${office}">${says}
        <${p}sheets><${p}sheet name="Rooms" sheetId="1" r:id="r1"/></${p}sheets></${p}workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">
        <Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>
        <Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
      'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders>
        <cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<${p}worksheet ${of}><${p}sheetData>${rows}</${p}sheetData></${p}worksheet>`,
    }).map(([name, content]) => ({ name, content })),
  )
}
async function cellsIn(bytes: Buffer) {
  const [sheet] = await sheetsOfWorkbook(bytes)
  return [...(sheet?.rows() ?? [])].map(([, cells]) => cells)
}

test.each(['', 'x:'])('a formula without a result is told, one that gave an empty text is empty (%j)', async (p) => {
  const cell = (at: string, inside: string, more = '') => `<${p}c r="${at}"${more}>${inside}</${p}c>`
  const row = (number: number, cells: string) => `<${p}row r="${number}">${cells}</${p}row>`
  const f = `<${p}f>A1+1</${p}f>`
  const rows =
    row(1, cell('A1', `<${p}v>101</${p}v>`) + cell('B1', f)) +
    row(2, cell('A2', `${f}<${p}v></${p}v>`) + cell('B2', `${f}<${p}v/>`) + cell('C2', `${f}<${p}v>0</${p}v>`)) +
    row(3, cell('A3', `${f}<${p}v></${p}v>`, ' t="str"') + cell('B3', `${f}<${p}v>103</${p}v>`)) +
    row(4, cell('B4', `<${p}f t="shared" si="0"/>`))
  const gap = uncalculated
  expect(await cellsIn(workbook(rows, { p }))).toEqual([
    ['101', gap, ''],
    [gap, gap, '0'],
    ['', '103', ''],
    ['', gap, ''],
  ])
  // A program that writes 0 for all of them asks for them to be calculated.
  const says = `<${p}calcPr calcId="1" fullCalcOnLoad="1"/>`
  expect((await cellsIn(workbook(rows, { says, p })))[1]).toEqual([gap, gap, gap])
})

test('days are counted from 1904 where the workbook says so', async () => {
  const rows = '<row r="1"><c r="A1" s="1"><v>44914</v></c><c r="B1" s="1"><v>44914.5</v></c></row>'
  expect(await cellsIn(workbook(rows))).toEqual([['2022-12-19', '2022-12-19T12:00:00']])
  const says = '<workbookPr date1904="1"/>'
  expect(await cellsIn(workbook(rows, { says }))).toEqual([['2026-12-20', '2026-12-20T12:00:00']])
})
