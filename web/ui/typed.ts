// Typed: how an entry is held against what somebody types, before any server has answered.

/** Without its accents, as people type in a hurry. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Whether it holds each word that is typed, in any order. */
export function fits(label: string, typed: string): boolean {
  const text = plain(label)
  return plain(typed)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Enter takes the first: those that are called just what is typed stand before all others, which keep their order. */
export function exactFirst<T>(rows: readonly T[], typed: string, called: (row: T) => string): T[] {
  const wanted = plain(typed)
  const isExact = (row: T) => plain(called(row)) === wanted
  return wanted === '' ? [...rows] : rows.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)))
}
