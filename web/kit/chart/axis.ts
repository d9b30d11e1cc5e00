// Axis: round figures from zero, or from below the lowest negative bar, to a little above the highest; and the width that they and
// the labels below the bars need.
import { nice, ticks } from 'd3-array'

const ticks_wanted = 4

export interface Axis {
  /** The figure at the lower edge: 0, or less if there are negative values. */
  bottom: number
  top: number
  ticks: number[]
}

/**
 * The two edges are never equal, so that bars of zero have no height. An axis of whole numbers has no fractions.
 */
export function axisOf(values: readonly number[]): Axis {
  const lowest = Math.min(0, ...values)
  const least = values.every(Number.isInteger) ? ticks_wanted : 0.1
  const [bottom, top] = nice(lowest, Math.max(lowest < 0 ? 0 : least, ...values), ticks_wanted)
  return { bottom, top, ticks: ticks(bottom, top, ticks_wanted) }
}

/** The width of a letter of the small type next to and below the bars. */
const letter_px = 6.5
const spacing_px = 14

/** The width of the margin that these figures need. */
export const gutterOf = (figures: readonly string[]): number =>
  Math.ceil(Math.max(2, ...figures.map(({ length }) => length)) * letter_px + spacing_px)

/** Natural divisions of a day, a month and a year. */
const steps = [1, 2, 3, 4, 6, 7, 12, 14, 28]

/** Every how many bars one is labelled, so that labels do not overlap. */
export function labelStep(bars: number, longest: number, width_px: number): number {
  const fit = Math.max(1, Math.floor(width_px / (longest * letter_px + spacing_px)))
  const fitting = steps.filter((step) => Math.ceil(bars / step) <= fit)
  // A divisor of the number of bars is preferred: four weeks are labelled every seventh day, not every sixth.
  return fitting.find((step) => bars % step === 0) ?? fitting[0] ?? Math.ceil(bars / fit)
}
