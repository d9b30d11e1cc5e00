// Isolated: a word in whichever direction it is written, which leaves the order of the sentence around it alone (Unicode UAX #9).
const first_strong_isolate = '\u2068'
const pop_directional_isolate = '\u2069'

export const isolated = (word: string) => `${first_strong_isolate}${word}${pop_directional_isolate}`
