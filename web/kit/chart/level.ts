// Level: how strongly a cell is coloured, in proportion to the fullest one.

const strongest = 5

/** 0 only for empty cells: the smallest value is still distinguishable from none. */
export const levelOf = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.max(1, Math.ceil((value / most) * strongest))
