// Plain text: as people compare it who tell neither capitals nor accents apart.

/** `Crème Brûlée` → `creme brulee`; wide letters and ligatures become their plain ones (NFKD). */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
