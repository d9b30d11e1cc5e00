// Numbered: a statement about many rows that were asked for answers each with `n`, its place among them.

/** The answers in the order of what was asked; undefined where there is none. */
export function inOrder<R extends { n: number }>(asked: readonly unknown[], answers: readonly R[]): (R | undefined)[] {
  const numbered = new Map(answers.map((answer) => [answer.n, answer]))
  return asked.map((_, n) => numbered.get(n))
}

export const numbersOf = (asked: readonly unknown[]): number[] => asked.map((_, n) => n)
