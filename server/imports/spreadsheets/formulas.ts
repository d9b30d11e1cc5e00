// Formulas that no program has calculated: a program wrote them, and nobody has opened the file since. The parser skips such cells, so
// they would look empty; here each gets a marker, which is reported when the cell is read.

/** The marker in the cell of a formula without a result. */
export const uncalculated = '#NOT-CALCULATED!'

/** The parts of an .xlsx, with the marker in each formula cell without a result. Takes time in proportion to their length. */
export function markUncalculated(parts: Map<string, Buffer>): Map<string, Buffer> {
  const isStale = [...parts].some(
    ([name, content]) => /(^|\/)workbook\.xml$/i.test(name) && content.includes('fullCalcOnLoad="1"'),
  )
  return new Map([...parts].map(([name, content]) => [name, hasFormula(content) ? marked(content, isStale) : content]))
}

const hasFormula = (content: Buffer) => ['<f>', '<f ', ':f>', ':f '].some((tag) => content.includes(tag))

/** One byte is one character here, so that all other content is unchanged. */
function marked(content: Buffer, isStale: boolean): Buffer {
  const markup = content.toString('latin1')
  const prefix = /<(\w{1,40}:)?worksheet[\s>]/.exec(markup.slice(0, 2000))?.[1] ?? ''
  const end = `</${prefix}c>`
  const pieces = markup.split(end)
  const cells = pieces.map((piece, index) => (index < pieces.length - 1 ? cell(piece, prefix, isStale) : piece))
  return Buffer.from(cells.join(end), 'latin1')
}

function cell(piece: string, prefix: string, isStale: boolean): string {
  const start = Math.max(piece.lastIndexOf(`<${prefix}c `), piece.lastIndexOf(`<${prefix}c>`))
  const formula = piece.indexOf(`<${prefix}f`, start)
  if (start < 0 || formula < 0) return piece
  const tag = piece.slice(start, piece.indexOf('>', start) + 1)
  const [, value] = new RegExp(`<${prefix}v(?:\\s[^<>]*)?>([^<]*)<`).exec(piece.slice(formula)) ?? []
  // An empty text is a result, too. A program that does not calculate writes 0, and requests a recalculation.
  const isText = /\bt=["']str["']/.test(tag)
  if (value ? !(isStale && value === '0' && !isText) : isText) return piece
  const place = /\br=["'][A-Za-z]+\d+["']/.exec(tag)?.[0] ?? ''
  return `${piece.slice(0, start)}<${prefix}c ${place} t="str"><${prefix}v>${uncalculated}</${prefix}v>`
}
