// Finder: what a sentence is in another language, found by its English text.
import type { Sentences, Translation } from './sentences.ts'

/** `Please use at most {max} characters` as an expression that finds the number. */
const patternOf = (sentence: string) =>
  new RegExp(`^${sentence.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`)

/** Sentences that are not among them stay as they are. */
export function finderOf<E extends Sentences>(english: E, translation: Translation<E>) {
  const known = Object.entries(english).map(([key, sentence]) => [key, patternOf(sentence)] as const)
  return (sentence: string): string => {
    for (const [key, pattern] of known) {
      const found = pattern.exec(sentence)
      if (found)
        return translation[key]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => found.groups?.[name] ?? '') ?? sentence
    }
    return sentence
  }
}
