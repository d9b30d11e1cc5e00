// Words: lists of names and numbers as text for sentences.

/** `A, B and C`. */
export const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `“A”, “B” and “C”`; with more than `names_max`, the first ones and `others`. */
export const quoted = (names: readonly string[], names_max = Infinity) =>
  listed([...names.slice(0, names_max).map((name) => `“${name}”`), ...(names.length > names_max ? ['others'] : [])])

const ranges_max = 6
/** Ascending numbers as `3, 5–9 and 12`; with many, the first few ranges. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  const texts = ranges.slice(0, ranges_max).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  return listed(ranges.length > ranges_max ? [...texts, 'more'] : texts)
}
