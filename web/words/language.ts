// Language: which one the app speaks, and its sentences. English comes with the screens; another one is loaded before anything is drawn.
import { useSyncExternalStore } from 'react'
import type { Language } from '#contract/languages.ts'
import type { desk } from '#catalogue/en/desk.ts'
import type { forms } from '#catalogue/en/forms.ts'
import type { frame } from '#catalogue/en/frame.ts'
import type { limits } from '#catalogue/en/limits.ts'
import type { phone } from '#catalogue/en/phone.ts'
import type { Translation } from '#catalogue/sentences.ts'
import { keepLanguage, localeOf } from './kept-language.ts'

interface Translated {
  find: (sentence: string) => string
  forms: Translation<typeof forms>
  frame: Translation<typeof frame>
  limits: Translation<typeof limits>
  phone: Translation<typeof phone>
  desk: Translation<typeof desk>
}
const translations: Record<Exclude<Language, 'en'>, () => Promise<Translated>> = {
  de: () => import('#catalogue/de/screens.ts'),
  fr: () => import('#catalogue/fr/screens.ts'),
  es: () => import('#catalogue/es/screens.ts'),
}

let spoken: { language: Language; translated?: Translated } = { language: 'en' }
const listeners = new Set<() => void>()
/** Called before anything is drawn in the other language. */
export const onLanguage = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const language = (): Language => spoken.language
export const translated = (): Translated | undefined => spoken.translated
export const locale = (): string => localeOf(spoken.language)
/** For what is drawn anew in another language. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, language)

/** Resolves once its sentences are there. Where they cannot be loaded, the app goes on in the language that it speaks. */
export async function speak(next: Language): Promise<void> {
  if (next === spoken.language) return
  try {
    spoken = next === 'en' ? { language: next } : { language: next, translated: await translations[next]() }
  } catch {
    return
  }
  document.documentElement.lang = next
  keepLanguage(next)
  for (const listener of listeners) listener()
}
