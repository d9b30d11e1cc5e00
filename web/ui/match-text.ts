// Match text: how entries are matched against typed text in the browser, before the server has answered.

/** Without accents and in lower case, as people type in a hurry. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Whether the label contains every typed word, in any order. */
export function fits(label: string, typed: string): boolean {
  const text = plain(label)
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Enter picks the first, so exact matches come before all others, which keep their order. */
export function exactFirst<T>(rows: readonly T[], typed: string, called: (row: T) => string): T[] {
  const wanted = plain(typed)
  const isExact = (row: T) => plain(called(row)) === wanted
  return wanted === '' ? [...rows] : rows.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)))
}
