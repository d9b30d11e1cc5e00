// Typesetting: sets one line of text on a printed page, in any script that a name may have. Its fonts are embedded in the file.
import fs from 'node:fs'
import { createRequire } from 'node:module'

/** The document of pdfkit. */
type Document = PDFKit.PDFDocument

const black = '#111111'
/** The share of a line's free space that is before its text. */
const share = { left: 0, centre: 0.5, right: 1 }

export type Weight = 'regular' | 'bold'
export interface Line {
  size: number
  /** Set smaller, down to this, before it is shortened. */
  size_min?: number
  weight?: Weight
  colour?: string
  align?: 'left' | 'centre' | 'right'
}

const { resolve } = createRequire(import.meta.url)

/** Inter is drawn for Latin, Greek and Cyrillic; other characters are set in DejaVu, which has some forty more scripts. */
const in_inter = /[\u0020-\u052F\u1E00-\u1FFF\u2010-\u2044\u20A0-\u20BF\u2116\u2122]/
type Face = 'inter' | 'dejavu'
const files: Record<Face, Record<Weight, string>> = {
  inter: {
    regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
    bold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  },
  dejavu: {
    regular: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
    bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  },
}

/** Each font is read once per process, and DejaVu only when a name needs it. */
const read = new Map<string, Buffer>()
function fontFile(file: string): Buffer {
  const bytes = read.get(file) ?? fs.readFileSync(resolve(file))
  read.set(file, bytes)
  return bytes
}

interface Stretch {
  face: Face
  text: string
}
interface Run {
  font: string
  text: string
  width: number
  size: number
}

/** Arabic and Hebrew: the words of a stretch are ordered from right to left. Within a word the font does it. */
function inReadingOrder({ face, text }: Stretch): Stretch[] {
  if (!/[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/.test(text)) return [{ face, text }]
  const words = text.split(' ').toReversed()
  return words.flatMap((word, index) =>
    index === 0
      ? [{ face, text: word }]
      : [
          { face, text: ' ' },
          { face, text: word },
        ],
  )
}

/** Sets lines in one document, and caches how repeated lines were cut. */
export function openType(doc: Document) {
  const registered = new Set<string>()
  const cut = new Map<string, Run[]>()

  function fontOf(face: Face, weight: Weight): string {
    const name = `${face} ${weight}`
    if (!registered.has(name)) doc.registerFont(name, fontFile(files[face][weight]))
    registered.add(name)
    return name
  }

  /** Stretches of one font each. A space belongs to the stretch before it. */
  function runs(text: string, size: number, weight: Weight): Run[] {
    const stretches: Stretch[] = []
    for (const character of text) {
      const last = stretches.at(-1)
      const face = character === ' ' && last ? last.face : in_inter.test(character) ? 'inter' : 'dejavu'
      if (last?.face === face) last.text += character
      else stretches.push({ face, text: character })
    }
    return stretches.flatMap(inReadingOrder).map(({ face, text }) => {
      const font = fontOf(face, weight)
      return { font, text, size, width: doc.font(font).fontSize(size).widthOfString(text) }
    })
  }

  const widthOf = (line: Run[]) => line.reduce((sum, { width }) => sum + width, 0)

  /** As much of the text as fits, cut between characters and their accents. */
  function fitted(text: string, width_max: number, size_max: number, size_min: number, weight: Weight): Run[] {
    let size = size_max
    let whole = runs(text, size, weight)
    while (widthOf(whole) > width_max && size > size_min) whole = runs(text, (size -= 0.5), weight)
    if (widthOf(whole) <= width_max) return whole
    const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
    let [longest, too_long]: [Run[], number] = [[], characters.length]
    for (let length = 0; too_long - length > 1;) {
      const tried = Math.floor((length + too_long) / 2)
      const shortened = runs(`${characters.slice(0, tried).join('').trimEnd()}…`, size, weight)
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
    const line = cut.get(key) ?? make()
    if (cut.size < 1000) cut.set(key, line)
    return line
  }

  function draw(line: Run[], x: number, y: number, colour: string) {
    doc.fillColor(colour)
    for (const { font, text, size, width } of line) {
      doc.font(font).fontSize(size).text(text, x, y, { lineBreak: false, baseline: 'alphabetic' })
      x += width
    }
  }

  return {
    /** `y` is the baseline. Text that is wider than `width` ends in an ellipsis. */
    line(
      text: string,
      x: number,
      y: number,
      width: number,
      { size, size_min = size, weight = 'regular', colour = black, align = 'left' }: Line,
    ) {
      const tidy = text.normalize('NFC').replace(/\s+/g, ' ').trim()
      const line = cutOnce(`${size} ${weight} ${width} ${tidy}`, () => fitted(tidy, width, size, size_min, weight))
      draw(line, x + (width - widthOf(line)) * share[align], y, colour)
    },
    /** Spreads the symbols of a code over the whole width, so that codes are justified; a code is never shortened. */
    code(text: string, x: number, y: number, width: number, size_max: number) {
      const cutAt = (size: number) =>
        text.split('').map((symbol) => cutOnce(`${size} ${symbol}`, () => runs(symbol, size, 'bold')))
      const widthAt = (symbols: Run[][]) => symbols.reduce((sum, symbol) => sum + widthOf(symbol), 0)
      let size = size_max
      while (widthAt(cutAt(size)) > width) size -= 0.5
      const symbols = cutAt(size)
      const gap = (width - widthAt(symbols)) / (symbols.length - 1)
      for (const symbol of symbols) {
        draw(symbol, x, y, black)
        x += widthOf(symbol) + gap
      }
    },
  }
}

export type Type = ReturnType<typeof openType>
