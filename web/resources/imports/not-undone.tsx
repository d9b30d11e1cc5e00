// Not undone: why an import was not taken back: the sentence, and the records that stand in the way.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Notice } from '#web/ui/state.tsx'
import styles from './imports.module.css'

/** Nothing, where nothing has failed. */
export function NotUndone({ error }: { error: unknown }) {
  if (error === undefined) return null
  const named = error instanceof Refused && error.status === refusals.clash.status ? (error.errors['id'] ?? []) : []
  return (
    <Notice tone="error">
      {sentenceOf(error)}
      {named.length > 0 && (
        <ul className={styles.named}>
          {named.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
