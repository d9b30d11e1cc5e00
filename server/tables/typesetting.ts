// Typesetting: sets one line of text on a printed page, in any script that a name may have. Its fonts are embedded in the file.
import { cut, isPlain, loadFor, type Typeface, type Weight } from './typefaces.ts'

/** The document of pdfkit. */
type Document = PDFKit.PDFDocument

const black = '#111111'
/** The share of a line's free space that is before its text. */
const share = { left: 0, centre: 0.5, right: 1 }

export interface Line {
  size: number
  /** Set smaller, down to this, before it is shortened. */
  size_min?: number
  weight?: Weight
  colour?: string
  align?: 'left' | 'centre' | 'right'
}

/** Stands for a text of which no font has anything. */
const not_printable = '(cannot be printed)'

interface Stretch {
  typeface: Typeface
  text: string
}
interface Run {
  font: string
  text: string
  /** As its font takes it. */
  drawn: string
  width: number
  size: number
}

const right_to_left = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** Arabic and Hebrew: the words of a stretch are ordered from right to left. Within a word the font does it. */
function inReadingOrder({ typeface, text }: Stretch): Stretch[] {
  if (!right_to_left.test(text)) return [{ typeface, text }]
  const words = text.split(' ').toReversed()
  return words.flatMap((word, index) =>
    index === 0
      ? [{ typeface, text: word }]
      : [
          { typeface, text: ' ' },
          { typeface, text: word },
        ],
  )
}

/** Stretches of one font each, without what no font has. */
function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = []
  for (const { text: cluster, typeface } of cut(text)) {
    const last = stretches.at(-1)
    if (typeface === null || (cluster === ' ' && (last?.text ?? ' ').endsWith(' '))) continue
    if (last?.typeface === typeface) last.text += cluster
    else stretches.push({ typeface, text: cluster })
  }
  const isEmpty = stretches.every((stretch) => stretch.text.trim() === '')
  return isEmpty && text !== '' ? stretchesOf(not_printable) : stretches
}

/** The vowel am of Thai and Lao is a ring over the consonant, below its tone, and a letter behind it; pdfkit does not take it apart. */
const withSplitVowels = (text: string) =>
  text
    .replaceAll(/([\u0E48-\u0E4B]*)\u0E33/g, '\u0E4D$1\u0E32')
    .replaceAll(/([\u0EC8-\u0ECB]*)\u0EB3/g, '\u0ECD$1\u0EB2')

const tidied = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Sets lines in one document, and caches how repeated lines were cut. */
export function openType(doc: Document) {
  const registered = new Set<string>()
  const kept = new Map<string, Run[]>()

  function fontOf(typeface: Typeface, weight: Weight): string {
    const name = `${typeface.name} ${weight}`
    if (!registered.has(name)) doc.registerFont(name, typeface.bytes[weight])
    registered.add(name)
    return name
  }

  function cutAt(text: string, size: number, weight: Weight): Run[] {
    return stretchesOf(text)
      .flatMap(inReadingOrder)
      .map(({ typeface, text }) => {
        const font = fontOf(typeface, weight)
        const drawn = withSplitVowels(text)
        return { font, text, drawn, size, width: doc.font(font).fontSize(size).widthOfString(drawn) }
      })
  }

  const widthOf = (line: Run[]) => line.reduce((sum, { width }) => sum + width, 0)

  /** As much of the text as fits, cut between characters and their accents. */
  function fitted(text: string, width_max: number, size_max: number, size_min: number, weight: Weight): Run[] {
    let size = size_max
    let whole = cutAt(text, size, weight)
    while (widthOf(whole) > width_max && size > size_min) whole = cutAt(text, (size -= 0.5), weight)
    if (widthOf(whole) <= width_max) return whole
    const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
    let [longest, too_long]: [Run[], number] = [[], characters.length]
    for (let length = 0; too_long - length > 1;) {
      const tried = Math.floor((length + too_long) / 2)
      const shortened = cutAt(`${characters.slice(0, tried).join('').trimEnd()}…`, size, weight)
      if (widthOf(shortened) > width_max) too_long = tried
      else {
        longest = shortened
        length = tried
      }
    }
    return longest
  }

  /** A repeated line is cut once for all slips: a batch has a dozen such lines, and its codes a few dozen symbols. */
  function cutOnce(key: string, make: () => Run[]): Run[] {
    const line = kept.get(key) ?? make()
    if (kept.size < 1000) kept.set(key, line)
    return line
  }

  function draw(line: Run[], x: number, y: number, colour: string) {
    const text = line.map((run) => run.text).join('')
    // Glyphs of some scripts stand in another order than their letters, so a reader is told the text. Text from right to left is
    // turned round by readers themselves.
    const isSaid = !isPlain(text) && !right_to_left.test(text)
    if (isSaid) doc.markContent('Span', { actual: text })
    doc.fillColor(colour)
    for (const { font, drawn, size, width } of line) {
      doc.font(font).fontSize(size).text(drawn, x, y, { lineBreak: false, baseline: 'alphabetic' })
      x += width
    }
    if (isSaid) doc.endMarkedContent()
  }

  return {
    /** Reads the fonts of these texts. Before a line with letters of other scripts is set, or it is set without them. */
    async ready(texts: readonly string[]) {
      for (const text of texts) await loadFor(tidied(text))
    },
    /** `y` is the baseline. Text that is wider than `width` ends in an ellipsis. */
    line(
      text: string,
      x: number,
      y: number,
      width: number,
      { size, size_min = size, weight = 'regular', colour = black, align = 'left' }: Line,
    ) {
      const tidy = tidied(text)
      const line = cutOnce(`${size} ${weight} ${width} ${tidy}`, () => fitted(tidy, width, size, size_min, weight))
      draw(line, x + (width - widthOf(line)) * share[align], y, colour)
    },
    /** Spreads the symbols of a code over the whole width, so that codes are justified; a code is never shortened. */
    code(text: string, x: number, y: number, width: number, size_max: number) {
      const symbolsAt = (size: number) =>
        text.split('').map((symbol) => cutOnce(`${size} ${symbol}`, () => cutAt(symbol, size, 'bold')))
      const widthAt = (symbols: Run[][]) => symbols.reduce((sum, symbol) => sum + widthOf(symbol), 0)
      let size = size_max
      while (widthAt(symbolsAt(size)) > width) size -= 0.5
      const symbols = symbolsAt(size)
      const gap = (width - widthAt(symbols)) / (symbols.length - 1)
      for (const symbol of symbols) {
        draw(symbol, x, y, black)
        x += widthOf(symbol) + gap
      }
    },
  }
}

export type Type = ReturnType<typeof openType>
