// Statistics of measured samples: the median, and whether two samples differ significantly.

const ascending = (one: number, other: number) => one - other

export function median(values: readonly number[]): number {
  const sorted = values.toSorted(ascending)
  const middle = sorted.length / 2
  const [lower = Number.NaN, upper = lower] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (lower + upper) / 2
}

/**
 * The probability that samples of the same distribution differ as much as these (Mann-Whitney U, two-sided, by the normal
 * approximation, which needs some dozens of samples; ties share their ranks).
 */
export function chanceOfNoDifference(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, own: true })), ...other.map((value) => ({ value, own: false }))]
  const groups = Map.groupBy(
    all.toSorted((a, b) => a.value - b.value),
    ({ value }) => value,
  )
  let [ranked, rank_sum, ties] = [0, 0, 0]
  for (const group of groups.values()) {
    const rank = ranked + (group.length + 1) / 2
    rank_sum += rank * group.filter(({ own }) => own).length
    ranked += group.length
    ties += group.length ** 3 - group.length
  }
  const pairs = one.length * other.length
  const u = rank_sum - (one.length * (one.length + 1)) / 2
  const variance = (pairs / 12) * (ranked + 1 - ties / (ranked * (ranked - 1)))
  return 2 * (1 - normal(Math.abs(u - pairs / 2) / Math.sqrt(variance)))
}

/** The cumulative normal distribution at `z` standard deviations, to seven digits (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (sum, part) => sum * t + part,
    0,
  )
  return 1 - (tail * t * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}
