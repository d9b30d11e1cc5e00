// Room numbers: what somebody types for many rooms at once, written out: `101–140, A-01…A-12, Garden suite`.

export interface Numbers {
  numbers: string[]
  /** What stands for so many rooms that it must be a slip. */
  tooMany?: string
}

/** An ellipsis or a long dash is always a range; a hyphen is one unless it belongs to the number, as in `A-12`. */
const surely = /\s*(?:…|\.{2,}|–|—|\s-\s|\s(?:to|bis|à)\s)\s*/i
const tail = /^(.*?)(\d+)(\D?)$/

/** `101–140, A-01…A-12` as the numbers that it means, each once. Quotation marks keep a number as it is: `"1-20"`. */
export function numbersIn(typed: string, count_max: number): Numbers {
  const numbers: string[] = []
  for (const part of partsOf(typed)) {
    const quoted = /^["“'](.*)["”']$/.exec(part)?.[1]
    const range = quoted === undefined ? rangeOf(part) : undefined
    const count = range ? range.last - range.first + 1 : 1
    if (numbers.length + count > count_max) return { numbers: [], tooMany: part }
    if (range) for (let n = range.first; n <= range.last; n++) numbers.push(range.numberOf(n))
    else numbers.push(quoted ?? part)
  }
  const seen = new Set<string>()
  return {
    numbers: numbers.filter((number) => {
      const folded = number.toLowerCase()
      return !seen.has(folded) && seen.add(folded)
    }),
  }
}

/** Between commas and lines. Numbers that were copied from a column stand between spaces: `101 102 103`. */
const partsOf = (typed: string): string[] =>
  typed
    .split(/[,;\n\t]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const words = part.split(/\s+/)
      return words.length > 1 && words.every((word) => /^\w*\d\w*$/.test(word)) ? words : [part]
    })

interface Range {
  first: number
  last: number
  numberOf: (n: number) => string
}

function rangeOf(part: string): Range | undefined {
  const sides = part.split(surely)
  if (sides.length === 2) return between(sides[0] ?? '', sides[1] ?? '')
  // Of `A-01-A-12`, the hyphen in the middle, where both sides are built alike.
  for (let at = part.indexOf('-'); at > 0; at = part.indexOf('-', at + 1)) {
    const range = between(part.slice(0, at), part.slice(at + 1))
    if (range) return range
  }
  return undefined
}

/** From `A-01` to `A-12`, or shorter to `12`: alike before and after the digits, and upwards. */
function between(from: string, till: string): Range | undefined {
  const [, prefix = '', first = '', suffix = ''] = tail.exec(from.trim()) ?? []
  const [, prefixTill = '', last = '', suffixTill = ''] = tail.exec(till.trim()) ?? []
  const alike = (prefixTill === '' || prefixTill.toLowerCase() === prefix.toLowerCase()) && suffix === suffixTill
  if (!first || !last || !alike || first.length > 9 || last.length > 9 || Number(first) >= Number(last))
    return undefined
  // `01…12` keeps its zeros.
  const width = first.startsWith('0') ? first.length : 0
  return {
    first: Number(first),
    last: Number(last),
    numberOf: (n) => prefix + String(n).padStart(width, '0') + suffix,
  }
}
