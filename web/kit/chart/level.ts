// Level: how strongly a cell is coloured, by its part of the fullest one.

const strongest = 5

/** 0 is nothing at all; whatever is something can be told from it. */
export const levelOf = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.max(1, Math.ceil((value / most) * strongest))
