// Encodings: finds the encoding of a text without a mark. The bytes do not show it, but the decoded text does: words of one script, in
// the letters of a language, below known headings.
import iconv from 'iconv-lite'
import { detectAll } from 'jschardet'

export interface DecodedText {
  text: string
  /** The common name. */
  encoding: string
  /** Another encoding gives another text that is nearly as good. */
  isInDoubt: boolean
}

/**
 * The encodings in which spreadsheet programs save CSV, by their names; and the detector's names. Older programs wrote code pages that no
 * detector knows: there the words decide.
 */
const encodings: Record<string, { called: string; detected: string[]; factor: number }> = {
  'windows-1252': { called: 'Windows-1252 (Western European)', detected: ['windows-1252'], factor: 1.15 },
  'windows-1250': { called: 'Windows-1250 (Central European)', detected: ['windows-1250'], factor: 1 },
  'windows-1251': { called: 'Windows-1251 (Cyrillic)', detected: ['windows-1251'], factor: 1 },
  'windows-1253': { called: 'Windows-1253 (Greek)', detected: ['windows-1253'], factor: 1 },
  'windows-1254': { called: 'Windows-1254 (Turkish)', detected: ['windows-1254'], factor: 1.1 },
  'windows-1255': { called: 'Windows-1255 (Hebrew)', detected: ['windows-1255'], factor: 1 },
  'windows-1256': { called: 'Windows-1256 (Arabic)', detected: ['windows-1256'], factor: 1 },
  'windows-1257': { called: 'Windows-1257 (Baltic)', detected: ['windows-1257'], factor: 0.9 },
  'windows-1258': { called: 'Windows-1258 (Vietnamese)', detected: ['windows-1258'], factor: 0.8 },
  'windows-874': { called: 'Windows-874 (Thai)', detected: ['cp874', 'tis-620'], factor: 1 },
  shift_jis: { called: 'Shift_JIS (Japanese)', detected: ['cp932', 'shift_jis'], factor: 1 },
  'euc-jp': { called: 'EUC-JP (Japanese)', detected: ['euc-jp'], factor: 0.8 },
  gb18030: { called: 'GBK (Chinese)', detected: ['gb18030'], factor: 1 },
  big5: { called: 'Big5 (Chinese)', detected: ['big5'], factor: 1 },
  'euc-kr': { called: 'EUC-KR (Korean)', detected: ['cp949', 'euc-kr'], factor: 1 },
  macintosh: { called: 'Mac Roman', detected: ['macroman'], factor: 1 },
  cp850: { called: 'code page 850 (Western European)', detected: [], factor: 1 },
  cp852: { called: 'code page 852 (Central European)', detected: [], factor: 0.9 },
  cp866: { called: 'code page 866 (Cyrillic)', detected: ['ibm866'], factor: 0.8 },
  'koi8-r': { called: 'KOI8-R (Cyrillic)', detected: ['koi8-r'], factor: 0.8 },
}
const detectable = Object.values(encodings).flatMap(({ detected }) => detected)

/** How much of the lines beyond ASCII is examined, and how many words. */
const sample_bytes_max = 64 * 1024
const words_max = 3000
/** An encoding whose score is nearer to the best one is a possible alternative. */
const doubtful_from = 0.85

/** The most likely reading. `understood` counts the headings in a text that the caller knows. */
export function readingOf(bytes: Buffer, understood: (text: string) => number): DecodedText {
  const sample = linesBeyondAscii(bytes)
  const found = new Map<string, number>()
  for (const { encoding, confidence, language } of detectAll(sample, {
    detectEncodings: detectable,
    minimumThreshold: 0,
  })) {
    const known = Object.entries(encodings).find(([, { detected }]) => detected.includes(encoding?.toLowerCase() ?? ''))
    // Turkish and Icelandic letters have the same codes, and Turkish is more likely.
    const likely = language === 'is' ? confidence * 0.85 : confidence
    if (known) found.set(known[0], Math.max(likely, found.get(known[0]) ?? 0))
  }
  const read = Object.entries(encodings).map(([name, { called, factor }]) => {
    const shown = iconv.decode(sample, name)
    const likely = (found.get(name) ?? 0) + 0.01
    return { name, called, shown, score: likely * factor * plausibilityOf(shown) ** 3 }
  })
  const best = Math.max(...read.map(({ score }) => score))
  // Reading headings takes longer, so it is done only for the likely encodings.
  const judged = read
    .filter(({ score }) => score > best / 50)
    .map(({ score, ...one }) => ({ ...one, score: score * 5 ** understood(iconv.decode(bytes, one.name)) }))
    .toSorted((one, other) => other.score - one.score)
  const [first] = judged
  if (!first) return { text: iconv.decode(bytes, 'windows-1252'), encoding: 'Windows-1252', isInDoubt: true }
  const others = judged.filter(({ shown }) => shown !== first.shown)
  return {
    text: iconv.decode(bytes, first.name),
    encoding: first.called,
    isInDoubt: others.some(({ score }) => score > first.score * doubtful_from) || plausibilityOf(first.shown) < 0.6,
  }
}

/** The lines with a byte beyond ASCII: the others give no evidence and would dilute that of these. */
function linesBeyondAscii(bytes: Buffer): Buffer {
  const lines: Buffer[] = []
  let length = 0
  for (let from = 0; from < bytes.length && length < sample_bytes_max;) {
    const end = bytes.indexOf(0x0a, from)
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1).subarray(0, sample_bytes_max)
    if (line.some((byte) => byte > 127)) length += lines.push(line) && line.length
    from = end < 0 ? bytes.length : end + 1
  }
  return Buffer.concat(lines)
}

/** Signs that also occur in correctly decoded texts. */
const punctuation = '‘’‚“”„–—…€£§°«»·•¿¡ºª²³½´™®©、。・「」（）ー々〆\u00a0\u3000\ufeff\u200e\u200f'
const beyondAscii = /\P{ASCII}/u
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
]

/** The share of the words beyond ASCII that look like words, from 0 to 1. */
function plausibilityOf(text: string): number {
  const words = text.split(/[\s,;|"()/\\:.@_\-\d]+/).filter((word) => beyondAscii.test(word))
  const seen = words.slice(0, words_max)
  const sum = seen.reduce((total, word) => total + wordPlausibility(word), 0)
  return seen.length === 0 ? 1 : sum / seen.length
}

function wordPlausibility(word: string): number {
  // Never in a text: control characters, unassigned ones, and those that could not be decoded.
  if (/[\u0080-\u009f\ufffd\p{Cn}\p{Co}]/u.test(word)) return 0
  const letters = word.replace(/[^\p{L}\p{M}]/gu, '')
  const others = Array.from(word).filter((sign) => !/[\p{L}\p{M}\p{N}]/u.test(sign) && beyondAscii.test(sign))
  if (others.some((sign) => !punctuation.includes(sign))) return 0
  if (/\p{L}[¿¡£§°«»·•€²³½´™®©ºª]\p{L}/u.test(word) || /^[£€²³´®©ªº°]\p{L}/u.test(word)) return 0
  // An opening quotation mark at the end of a word.
  if (/\p{L}[‘“„‚]$/u.test(word)) return 0.2
  if (letters === '') return 0.5
  if (scripts.filter((script) => script.test(letters)).length > 1) return 0
  const isCased = /\p{Lu}/u.test(letters) || /\p{Ll}/u.test(letters)
  // A capital after a small letter, with letters beyond ASCII.
  if (isCased && /\p{Ll}\p{M}*[\p{Lu}--[A-Z]]|[\p{Ll}--[a-z]]\p{Lu}|[A-Z][\p{Lu}--[A-Z]]\p{Ll}/v.test(letters)) return 0
  if (/\p{Script=Latin}/u.test(letters)) {
    // Hardly any language of Latin letters has three beyond ASCII in a row.
    if (/\P{ASCII}{3}/u.test(letters)) return 0
    if (/\P{ASCII}{2}/u.test(letters)) return 0.6
  }
  return 1
}
