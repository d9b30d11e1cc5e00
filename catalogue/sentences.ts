// Sentences: what the catalogue is made of: sentences in ICU MessageFormat by key, in English, and their translations. The compiler
// reads the arguments of each sentence out of its English text, so that a key or an argument that is missing does not compile.
import { IntlMessageFormat } from 'intl-messageformat'

export type Sentences = Readonly<Record<string, string>>
/** All sentences of an area in another language; `catalogue.test.ts` compares their arguments. */
export type Translation<E extends Sentences> = Readonly<Record<keyof E, string>>

type Place = 'sentence' | 'options'
/** The arguments that stand in `S`, as pairs of name and kind: `['count', ' plural']`. A sentence within an option has its own. */
type ArgumentsIn<S extends string, Places extends readonly Place[], Found> = S extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Rest}`
    ? Places extends readonly [Place, ...infer Outer extends Place[]]
      ? ArgumentsIn<`${Rest}{${After}`, Outer, Found>
      : Found
    : Places extends readonly ['options', ...Place[]]
      ? ArgumentsIn<After, ['sentence', ...Places], Found>
      : After extends `${infer Head}}${infer Tail}`
        ? Head extends `${infer Name},${string}`
          ? After extends `${Name},${infer Kind},${infer Options}`
            ? ArgumentsIn<Options, ['options', ...Places], Found | [Name, Kind]>
            : never
          : ArgumentsIn<Tail, Places, Found | [Head, '']>
        : Found
  : Found
type Named<S extends string> = ArgumentsIn<S, ['sentence'], never>

/** What a sentence is said with: what is counted is a number, everything else is shown as it is. */
export type Arguments<S extends string> = {
  [P in Named<S> as P extends [infer Name extends string, unknown] ? Name : never]: P extends [unknown, ' plural']
    ? number
    : P extends [unknown, ' select']
      ? string
      : string | number
}

/** A sentence by its key; with arguments if it has any. */
export type Say<E extends Sentences> = <K extends keyof E & string>(
  key: K,
  ...given: [Named<E[K]>] extends [never] ? [] : [Arguments<E[K]>]
) => string

/** Keys of sentences that stand by themselves, for tables of words. */
export type PlainKey<E extends Sentences> = {
  [K in keyof E & string]: [Named<E[K]>] extends [never] ? K : never
}[keyof E & string]

const formats = new Map<string, IntlMessageFormat>()

/** @param locale decides about plurals, and how numbers in them are written */
export function formatted(sentence: string, locale: string, given: Record<string, string | number>): string {
  const known = `${locale} ${sentence}`
  const format = formats.get(known) ?? new IntlMessageFormat(sentence, locale, undefined, { ignoreTag: true })
  formats.set(known, format)
  return String(format.format(given))
}

/** @param current the sentences now, and the locale whose plurals they have */
export const sayer =
  <E extends Sentences>(current: () => { sentences: Translation<E>; locale: string }): Say<E> =>
  (key, ...[given]) => {
    const { sentences, locale } = current()
    return given === undefined ? sentences[key] : formatted(sentences[key], locale, given)
  }
