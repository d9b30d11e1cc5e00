// Breakpoints: the maximum window width of each layout, in pixels. Style sheets use them as `$phone`, and the next pixel as
// `$above-phone`; no window width is written anywhere else.

/** The first five are the specification's. */
export const breakpoints = {
  tiny: 359,
  phone: 479,
  tablet: 839,
  narrow: 959,
  desk: 1048,
  wide: 1199,
  very_wide: 1599,
} as const

/** For the style sheets. */
export const breakpointVariables = Object.fromEntries(
  Object.entries(breakpoints).flatMap(([name, width_px]) => {
    const word = name.replace('_', '-')
    return [
      [word, `${width_px}px`],
      [`above-${word}`, `${width_px + 1}px`],
    ]
  }),
)
