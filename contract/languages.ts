// Languages: those that the app speaks, each by its own name. Guests' pages speak more (portals.ts).
import { keysOf } from './keys.ts'
export const languageNames = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const
export type Language = keyof typeof languageNames
export const languages = keysOf(languageNames)

export const isLanguage = (code: unknown): code is Language => languages.some((known) => known === code)
