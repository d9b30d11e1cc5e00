// Not undone: why an import was not undone: the message, and the records that prevent it.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Notice } from '#web/ui/state.tsx'
import styles from './imports.module.css'

/** Shows nothing without an error. */
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
