// Words: lists of names and numbers as a sentence holds them.

/** `A, B and C`. */
export const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `“A”, “B” and “C”`. */
export const quoted = (names: readonly string[]) => listed(names.map((name) => `“${name}”`))

const ranges_max = 6
/** Numbers in ascending order as `3, 5–9 and 12`; of many, the first few. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  const told = ranges.slice(0, ranges_max).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return listed(ranges.length > ranges_max ? [...told, 'more'] : told)
}
