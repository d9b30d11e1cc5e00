// Entities: characters that an HTML page writes by name. Those of markup itself are left to the parser.

/** The names of the characters from U+00A0 on, in order. */
const latin = `
  nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
  middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
  Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
  Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
  eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
  .trim()
  .split(/\s+/)
  .map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)])
const letters = new Map([
  ...latin,
  ...Object.entries({ euro: '€', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…' }),
  ...Object.entries({ bull: '•', Scaron: 'Š', scaron: 'š', OElig: 'Œ', oelig: 'œ', Yuml: 'Ÿ', numero: '№' }),
])

/** & < > and quotation marks, which would be read as markup. */
const markupCodes = new Set([34, 38, 60, 62])

export const withoutEntities = (markup: string) =>
  markup.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+\d*));/gi, (entity, decimal, hex, name) => {
    if (typeof name === 'string') return letters.get(name) ?? entity
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
    return code < 32 || code > 0x10ffff || markupCodes.has(code) ? entity : String.fromCodePoint(code).toWellFormed()
  })
