// Overtaken notice: somebody else has changed what is being edited here. Saving keeps what is typed; or theirs is taken.
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import type { Schema } from './form-state.ts'
import type { ResourceFormState } from './use-resource.ts'
import styles from './resource-form.module.css'

/** A value that says something by itself; an id of another record does not. */
const readable = (name: string, value: unknown): string | undefined => {
  if (value === null || value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (/(_ids?|password)$/.test(name) || (typeof value !== 'string' && typeof value !== 'number')) return undefined
  return `“${value}”`
}

export function OvertakenNotice<S extends Schema, R>({ form }: { form: ResourceFormState<S, R> }) {
  if (!form.overtaken) return null
  const { said, theirs } = form.overtaken
  const told = Object.entries(theirs).map(([name, value]) => {
    const now = readable(name, value)
    return now === undefined ? form.labelOf(name) : `${form.labelOf(name)} is now ${now}`
  })
  return (
    <div className={styles.general}>
      <Notice tone="error">
        <p>
          {said} {told.join('; ')}. Here it is still as you typed it.
        </p>
        <div className={styles.choice}>
          <Button onClick={form.takeTheirs}>Take theirs</Button>
          <Button onClick={form.keepMine}>Keep mine</Button>
        </div>
      </Notice>
    </div>
  )
}
