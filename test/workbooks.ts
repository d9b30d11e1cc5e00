// Workbooks as programs write them, cell by cell, in XML.
import { aZip } from '#test/zips.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** One sheet of these rows, in XML; `says` is put at the start of the workbook, and `p` is the prefix of each name. */
export const workbookOf = (rows: string, { says = '', p = '' } = {}) => {
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
