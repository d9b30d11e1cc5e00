// Copyable: a value that users often need elsewhere, with a button that copies it.
import { notify } from '#web/kit/dialog/notify.ts'
import { IconButton } from '#web/ui/button.tsx'
import { copy } from './copy.ts'
import styles from './copyable.module.css'

/** `what`: the noun for the messages: "username". */
export function Copyable({ what, children }: { what: string; children: string }) {
  const press = async () => {
    try {
      await copy(children)
      notify.success(`The ${what} has been copied`)
    } catch {
      notify.error('This browser blocked copying. Select it and copy it by hand')
    }
  }
  return (
    <span className={styles.value}>
      <span translate="no">{children}</span>
      <IconButton icon="copy" label={`Copy the ${what}`} onClick={() => void press()} />
    </span>
  )
}
