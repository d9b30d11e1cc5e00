// Parts of an .xlsx other than its sheets: the lists of its parts, and the styles of its cells.

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
export const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaging = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** XML 1.0 cannot contain most control characters or lone surrogates, not even escaped. */
const unwritable = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
/** Office reads `_x0041_` as a letter, so the underscore of such text is escaped in the same way. */
const taken_for_a_code = /_(?=x[\da-fA-F]{4}_)/g
/** Almost no text needs escaping. */
const needs_care = /[\p{Cc}&<>"\uFFFE\uFFFF\uD800-\uDFFF]|_x/u

export const escaped = (text: string) =>
  needs_care.test(text)
    ? text
        .toWellFormed()
        .replace(unwritable, '')
        .replace(taken_for_a_code, '_x005F_')
        .replace(/[&<>"\r]/g, (sign) => entities[sign] ?? '')
    : text

/** `formats`: one for each column. Style 0 is plain, 1 bold; column `n` has 2 + 2n, and the one after it for its total. */
const styles = (formats: readonly string[]) =>
  `<styleSheet xmlns="${main}">` +
  `<numFmts count="${formats.length}">` +
  formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`).join('') +
  '</numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  `<cellXfs count="${2 + 2 * formats.length}"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>` +
  formats
    .flatMap((_, index) =>
      ['', ' fontId="1" applyFont="1"'].map(
        (font) => `<xf xfId="0" numFmtId="${164 + index}" applyNumberFormat="1"${font}/>`,
      ),
    )
    .join('') +
  '</cellXfs></styleSheet>'

export const xlsxParts = (sheets: readonly string[], formats: readonly string[]): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${packaging}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>` +
    sheets
      .map((_, index) => `<Override PartName="/${sheetPath(index + 1)}" ContentType="${type}.worksheet+xml"/>`)
      .join('') +
    '</Types>',
  '_rels/.rels':
    `<Relationships xmlns="${packaging}/relationships">` +
    `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>` +
    '</Relationships>',
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
    sheets
      .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="r${index + 1}"/>`)
      .join('') +
    '</sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packaging}/relationships">` +
    sheets
      .map(
        (_, index) =>
          `<Relationship Id="r${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join('') +
    `<Relationship Id="r${sheets.length + 1}" Type="${office}/styles" Target="styles.xml"/>` +
    '</Relationships>',
  'xl/styles.xml': styles(formats),
})

export const sheetPath = (number: number) => `xl/worksheets/sheet${number}.xml`
