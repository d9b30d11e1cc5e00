// Numbers: as people read them.

/**
 * A whole number with its thousands apart: `12,500`. The browser's own formatter answers the same and takes longer to make
 * than the first list takes to draw.
 */
export const wholeOf = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
