// Bidi isolate: a word of any writing direction, isolated so that it does not change the order of its sentence (Unicode UAX #9).
const first_strong_isolate = '\u2068'
const pop_directional_isolate = '\u2069'

export const isolated = (word: string) => `${first_strong_isolate}${word}${pop_directional_isolate}`
