// Axis: round figures from zero to a little above the highest bar.
import { nice, ticks } from 'd3-array'

const ticks_wanted = 4

/**
 * `top` is the figure at the upper edge; never 0, so that bars of nothing have a height of nothing. What is counted in
 * whole numbers has no fractions on its axis.
 */
export function axisOf(values: readonly number[]): { top: number; ticks: number[] } {
  const lowest_top = values.every(Number.isInteger) ? ticks_wanted : 0.1
  const [, top] = nice(0, Math.max(lowest_top, ...values), ticks_wanted)
  return { top, ticks: ticks(0, top, ticks_wanted) }
}
