// Desk words: the sentences of what is done for guests at the desk.
import { desk } from '#catalogue/en/desk.ts'
import { sayer, type PlainKey } from '#catalogue/sentences.ts'
import { locale, translated } from './language.ts'

export type DeskWord = PlainKey<typeof desk>
export const say = sayer<typeof desk>(() => ({ sentences: translated()?.desk ?? desk, locale: locale() }))
