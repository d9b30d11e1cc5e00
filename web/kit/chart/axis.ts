// Axis: round figures from zero, or the lowest bar below it, to a little above the highest; and what they, and the words below
// the bars, need of the width.
import { nice, ticks } from 'd3-array'

const ticks_wanted = 4

export interface Axis {
  /** The figure at the lower edge: 0, or less where something is negative. */
  bottom: number
  top: number
  ticks: number[]
}

/**
 * The two edges are never the same, so that bars of nothing have a height of nothing. What is counted in whole numbers has no
 * fractions on its axis.
 */
export function axisOf(values: readonly number[]): Axis {
  const lowest = Math.min(0, ...values)
  const least = values.every(Number.isInteger) ? ticks_wanted : 0.1
  const [bottom, top] = nice(lowest, Math.max(lowest < 0 ? 0 : least, ...values), ticks_wanted)
  return { bottom, top, ticks: ticks(bottom, top, ticks_wanted) }
}

/** Of the small type beside and below the bars. */
const letter_px = 6.5
const beside_px = 14

/** How wide the margin is that these figures stand in. */
export const gutterOf = (figures: readonly string[]): number =>
  Math.ceil(Math.max(2, ...figures.map(({ length }) => length)) * letter_px + beside_px)

/** As people divide a day, a month and a year. */
const steps = [1, 2, 3, 4, 6, 7, 12, 14, 28]

/** Every how many bars one is named, so that no name runs into the next. */
export function labelStep(bars: number, longest: number, width_px: number): number {
  const fit = Math.max(1, Math.floor(width_px / (longest * letter_px + beside_px)))
  const fitting = steps.filter((step) => Math.ceil(bars / step) <= fit)
  // Four weeks are named by the week, and not every sixth day.
  return fitting.find((step) => bars % step === 0) ?? fitting[0] ?? Math.ceil(bars / fit)
}
