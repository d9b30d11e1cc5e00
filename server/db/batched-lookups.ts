// Batched look-ups: for statements that look up many things at once and return `n`, the index of each.

/** The results in the order of what was asked; undefined where there is none. */
export function inOrder<R extends { n: number }>(keys: readonly unknown[], results: readonly R[]): (R | undefined)[] {
  const numbered = new Map(results.map((result) => [result.n, result]))
  return keys.map((_, n) => numbered.get(n))
}

export const numbersOf = (keys: readonly unknown[]): number[] => keys.map((_, n) => n)
