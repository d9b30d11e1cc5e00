// Languages: the languages of the portal, with their own names and their texts.
import { keysOf } from '#contract/keys.ts'
import type { guestLanguages } from '#contract/portals.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { he } from './texts/he.ts'
import { it } from './texts/it.ts'
import { ja } from './texts/ja.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'
import { zh } from './texts/zh.ts'

export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
  ar: 'العربية',
  he: 'עברית',
  zh: '简体中文',
  ja: '日本語',
} as const satisfies Record<(typeof guestLanguages)[number], string>
export type Language = keyof typeof languages
export const languageCodes = keysOf(languages)

export const isLanguage = (code: unknown): code is Language => languageCodes.some((known) => known === code)

export const textsOf: Record<Language, Texts> = { en, de, fr, es, it, nl, pt, pl, ar, he, zh, ja }

const from_right_to_left: readonly Language[] = ['ar', 'he']
/** The writing direction. */
export const directionOf = (language: Language): 'ltr' | 'rtl' =>
  from_right_to_left.includes(language) ? 'rtl' : 'ltr'
