// Fixed words: a sentence of the contract, such as what is wrong with a field, in the language of the app. Others stay as they are.
import { translated } from './language.ts'

export const inLanguage = (sentence: string): string => translated()?.find(sentence) ?? sentence
