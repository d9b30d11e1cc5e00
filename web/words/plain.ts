// Plain words: sentences in which nothing is counted are put together here, so that what loads first comes without the library for plurals.
import type { Say, Sentences, Translation } from '#catalogue/sentences.ts'

/** @param current the sentences now */
export const plainSayer =
  <E extends Sentences>(current: () => Translation<E>): Say<E> =>
  (key, ...[given]) => {
    let sentence = current()[key]
    for (const [name, value] of Object.entries<string | number>(given ?? {}))
      sentence = sentence.replaceAll(`{${name}}`, () => String(value))
    return sentence
  }
