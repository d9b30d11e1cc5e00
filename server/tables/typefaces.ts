// Typefaces: which font draws a piece of text, and that font's bytes. What a script needs is read the first time a name has it, and
// once per process. The fonts of East Asia come in some hundred parts by character, so only a name's own parts are read.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { create } from 'fontkit'
import subsetFont from 'subset-font'

export type Weight = 'regular' | 'bold'

/** A font: a piece of text is drawn by the first that has all of it. */
export interface Typeface {
  name: string
  bytes: Record<Weight, Buffer>
  has: (code: number) => boolean
}

const { resolve } = createRequire(import.meta.url)
const file = (name: string) => fs.readFileSync(resolve(name))

function typeface(name: string, bytes: Record<Weight, Buffer>): Typeface {
  const font = create(bytes.regular)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is not one font`)
  return { name, bytes, has: (code) => font.hasGlyphForCodePoint(code) }
}
const once = <Value>(make: () => Value) => {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Latin, Greek and Cyrillic: what nearly all text is. */
const inter = once(() =>
  typeface('inter', {
    regular: file('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    bold: file('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  }),
)
const in_inter = /^[\u0020-\u052F\u1E00-\u1FFF\u2010-\u2044\u20A0-\u20BF\u2116\u2122]*$/

/** Whether Inter has it all. */
export const isPlain = (text: string) => in_inter.test(text)

/** Some forty more scripts, among them Arabic and Hebrew. */
const dejavu = once(() =>
  typeface('dejavu', {
    regular: file('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
    bold: file('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
  }),
)

/** One file of a family: it draws some of the family's characters. */
interface Part {
  claims: (code: number) => boolean
  /** Once it is read. */
  typeface: Typeface | null
  read: () => Promise<Typeface>
}

/** Of `U+4E00-4E0F,U+5317`: each code point. */
const codesIn = (ranges: string) =>
  ranges.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range
      .trim()
      .slice('U+'.length)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16))
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })

const latin = new Set(['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'])

/** A family of Noto: variable fonts in a compressed form, of which a printed file takes neither. */
function partsOf(family: string): Part[] {
  const subsets: Record<string, string> = JSON.parse(file(`@fontsource-variable/${family}/unicode.json`).toString())
  return Object.entries(subsets)
    .filter(([subset]) => !latin.has(subset))
    .map(([subset, ranges]) => {
      const codes = new Set(codesIn(ranges))
      const name = `${family}-${subset.replaceAll(/[[\]]/g, '')}`
      const part: Part = { claims: (code) => codes.has(code), typeface: null, read }
      async function read() {
        const characters = String.fromCodePoint(...codes)
        const packed = file(`@fontsource-variable/${family}/files/${name}-wght-normal.woff2`)
        const atWeight = (wght: number) =>
          subsetFont(packed, characters, { targetFormat: 'truetype', variationAxes: { wght } })
        return (part.typeface ??= typeface(name, { regular: await atWeight(400), bold: await atWeight(600) }))
      }
      return part
    })
}
const families = new Map<string, Part[]>()
function familyOf(name: string): Part[] {
  const parts = families.get(name) ?? partsOf(name)
  families.set(name, parts)
  return parts
}

const scripts: [RegExp, string][] = [
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
  [/\p{Script=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
]
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const hangul = /\p{Script=Hangul}/u
const east_asian = /[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u30FF\uFE30-\uFE4F\uFF00-\uFFEF]/u

/** The families to look in, best first: the same character is drawn in other ways in China, Japan and Korea. */
function familiesFor(text: string): string[] {
  const named = scripts.filter(([script]) => script.test(text)).map(([, family]) => family)
  if (kana.test(text)) return [...named, 'noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr']
  if (hangul.test(text)) return [...named, 'noto-sans-kr', 'noto-sans-sc', 'noto-sans-jp']
  if (east_asian.test(text)) return [...named, 'noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr']
  return named
}

/** Joiners and variation selectors: they change how their neighbours are drawn, and are not drawn themselves. */
const invisible = /^\p{Default_Ignorable_Code_Point}$/u
const codesOf = (cluster: string) =>
  Array.from(cluster)
    .filter((character) => !invisible.test(character))
    .map((character) => character.codePointAt(0) ?? 0)

/** Reads what is needed to draw a text, so that `cut` finds it. The fonts of one name take some hundredths of a second. */
export async function loadFor(text: string): Promise<void> {
  if (isPlain(text)) return
  const parts = familiesFor(text).flatMap(familyOf)
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const codes = codesOf(segment)
    if (codes.every(inter().has)) continue
    for (const part of parts)
      if (codes.every(part.claims) && codes.every((part.typeface ?? (await part.read())).has)) break
  }
}

/** A letter with its accents, and the font that has all of it; null: no font has it, as with most emoji. */
export interface Cluster {
  text: string
  typeface: Typeface | null
}

/** Cuts a text that is loaded into what belongs together. A space is drawn in the font before it. */
export function cut(text: string): Cluster[] {
  if (isPlain(text)) return [{ text, typeface: inter() }]
  const loaded = familiesFor(text)
    .flatMap(familyOf)
    .flatMap((part) => part.typeface ?? [])
  const typefaces = [inter(), ...loaded, dejavu()]
  const clusters: Cluster[] = []
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const codes = codesOf(segment)
    if (codes.length === 0) continue
    const before = clusters.at(-1)?.typeface
    const found = typefaces.find(({ has }) => codes.every(has)) ?? null
    clusters.push({ text: segment, typeface: segment === ' ' && before?.has(32) ? before : found })
  }
  return clusters
}
