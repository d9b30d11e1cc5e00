// Overtaken notice: somebody else has changed the record that is being edited. The user takes their values or keeps their own.
import type { Field } from '#contract/fields.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { textOfField } from '#web/kit/display/field-value.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { say } from '#web/words/forms.ts'
import type { Schema } from './form-state.ts'
import type { ResourceFormState } from './use-resource.ts'
import styles from './resource-form.module.css'

/** The value as its field shows it; undefined for ids of other records and passwords, which cannot be shown. */
export const readable = (name: string, value: unknown, field: Field | undefined): string | undefined => {
  if (value === null || value === '') return say('overtaken-empty')
  if (typeof value === 'boolean') return say(value ? 'overtaken-on' : 'overtaken-off')
  if (/(_ids?|password)$/.test(name) || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  // Elsewhere the day is enough; here two people may differ by an hour.
  if (field?.kind === 'moment') return `“${timeOf(String(value))}”`
  return `“${field === undefined ? value : textOfField(field, value)}”`
}

export function OvertakenNotice<S extends Schema, R>({ form }: { form: ResourceFormState<S, R> }) {
  if (!form.overtaken) return null
  const { sentence, theirs } = form.overtaken
  const changes = Object.entries(theirs).map(([name, value]) => {
    const now = readable(name, value, form.fields[name])
    return now === undefined ? form.labelOf(name) : say('overtaken-now', { field: form.labelOf(name), value: now })
  })
  return (
    <div className={styles.general}>
      <Notice tone="error">
        <p>
          {sentence} {changes.join('; ')}. {say('overtaken-still')}
        </p>
        <div className={styles.choice}>
          <Button onClick={form.takeTheirs}>{say('overtaken-take')}</Button>
          <Button onClick={form.keepMine}>{say('overtaken-keep')}</Button>
        </div>
      </Notice>
    </div>
  )
}
