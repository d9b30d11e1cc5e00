// Batched look-ups: for statements that look up many things at once and return `n`, the index of each.

/** The results in the order of what was asked; undefined where there is none. */
export function inOrder<R extends { n: number }>(asked: readonly unknown[], results: readonly R[]): (R | undefined)[] {
  const numbered = new Map(results.map((result) => [result.n, result]))
  return asked.map((_, n) => numbered.get(n))
}

export const numbersOf = (asked: readonly unknown[]): number[] => asked.map((_, n) => n)
