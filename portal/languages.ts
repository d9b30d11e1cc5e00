// Languages: those that guests read the portal in, each by its own name, and its words.
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { it } from './texts/it.ts'
import { nl } from './texts/nl.ts'

export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
} as const
export type Language = keyof typeof languages
export const languageCodes = Object.keys(languages) as Language[]

export const isLanguage = (code: unknown): code is Language => languageCodes.some((known) => known === code)

export const textsOf: Record<Language, Texts> = { en, de, fr, es, it, nl }
