// Plain text: text in the form in which it is compared regardless of capitals and accents.

/** `Crème Brûlée` → `creme brulee`; wide letters and ligatures become plain ones (NFKD). */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
