// Spoken: the sentences that the server says, in the language of whoever reads them.
import { languages, type Language } from '#contract/languages.ts'
import { guests as guestsInGerman } from './de/guests.ts'
import { help as helpInGerman } from './de/help.ts'
import { guests as guestsInEnglish } from './en/guests.ts'
import { help as helpInEnglish } from './en/help.ts'
import { guests as guestsInSpanish } from './es/guests.ts'
import { help as helpInSpanish } from './es/help.ts'
import { guests as guestsInFrench } from './fr/guests.ts'
import { help as helpInFrench } from './fr/help.ts'
import { sayer, type Say, type Sentences, type Translation } from './sentences.ts'

export type SayHelp = Say<typeof helpInEnglish>
export type SayToGuests = Say<typeof guestsInEnglish>

const byLanguage = <E extends Sentences>(all: Record<Language, Translation<E>>) =>
  Object.fromEntries(
    languages.map((locale) => [locale, sayer<E>(() => ({ sentences: all[locale], locale }))]),
  ) as Record<Language, Say<E>>

const help = byLanguage<typeof helpInEnglish>({
  en: helpInEnglish,
  de: helpInGerman,
  fr: helpInFrench,
  es: helpInSpanish,
})
const guests = byLanguage<typeof guestsInEnglish>({
  en: guestsInEnglish,
  de: guestsInGerman,
  fr: guestsInFrench,
  es: guestsInSpanish,
})

/** Programs and jobs have no language: they are told in English. */
export const helpIn = (language: Language = 'en'): SayHelp => help[language]
export const toGuestsIn = (language: Language = 'en'): SayToGuests => guests[language]

/** British dates in English, as ever. */
export const localeOf = (language: Language = 'en'): string => (language === 'en' ? 'en-GB' : language)
