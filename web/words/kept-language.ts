// Kept language: the one of the last visit in this browser, else the browser's own.
import { isLanguage, type Language } from '#contract/languages.ts'

const key = 'foyer-language'

const baseOf = (tag: string) => tag.toLowerCase().split('-')[0]

/** What the user has chosen, else the first of the browser's that the app speaks, else English. */
export const languageOf = (chosen: Language | null): Language =>
  chosen ?? navigator.languages.map(baseOf).find(isLanguage) ?? 'en'

/** As the browser writes dates and numbers, where it is of that language: `en-GB` for English. */
export const localeOf = (language: Language): string =>
  navigator.languages.find((tag) => baseOf(tag) === language) ?? language

/** Whoever signed in last may have chosen another than the browser's. */
export function keptLanguage(): Language {
  const kept = localStorage.getItem(key)
  return languageOf(isLanguage(kept) ? kept : null)
}
export const keepLanguage = (language: Language) => localStorage.setItem(key, language)
