// Differences: where the property's own system says other than the desk, in a line that leads to them.
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Icon } from '#web/ui/icons.tsx'
import { say } from '#web/words/desk.ts'
import styles from './today.module.css'

export function DifferencesLine({ property_id, count }: { property_id: number; count: number }) {
  if (count === 0) return null
  return (
    <section className={styles.waiting} aria-label={say('waiting.label')}>
      <Icon name="integrations" size={16} />
      <p>
        <Link href={to.stayDifferences(property_id)}>{say('waiting.differences', { count })}</Link>
      </p>
    </section>
  )
}
