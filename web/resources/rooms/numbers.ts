// Room numbers: expands what is typed for many rooms at once: `101–140, A-01…A-12, Garden suite`.

export interface Numbers {
  numbers: string[]
  /** The part with which there are more rooms than allowed. */
  tooMany?: string
}

/** An ellipsis or a long dash is always a range; a hyphen is one unless it belongs to the number, as in `A-12`. */
const separator = /\s*(?:…|\.{2,}|–|—|\s-\s|\s(?:to|bis|à)\s)\s*/i
const tail = /^(.*?)(\d+)(\D?)$/

/** The distinct numbers that `101–140, A-01…A-12` stands for. Quotation marks keep a number as it is: `"1-20"`. */
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

/** Separated by commas and lines. Numbers that were copied from a column are separated by spaces: `101 102 103`. */
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
  const sides = part.split(separator)
  if (sides.length === 2) return between(sides[0] ?? '', sides[1] ?? '')
  // In `A-01-A-12`, finds the hyphen whose two sides have the same pattern.
  for (let at = part.indexOf('-'); at > 0; at = part.indexOf('-', at + 1)) {
    const range = between(part.slice(0, at), part.slice(at + 1))
    if (range) return range
  }
  return undefined
}

/** From `A-01` to `A-12`, or `12` for short: ascending, with the same text before and after the digits. */
function between(from: string, to: string): Range | undefined {
  const [, prefix = '', first = '', suffix = ''] = tail.exec(from.trim()) ?? []
  const [, prefixTo = '', last = '', suffixTo = ''] = tail.exec(to.trim()) ?? []
  const alike = (prefixTo === '' || prefixTo.toLowerCase() === prefix.toLowerCase()) && suffix === suffixTo
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
