// Troubles: the properties where something is wrong, the worst first, on the first screen of a phone. Nothing while all are served.
import type { ReactNode } from 'react'
import * as properties from '#contract/properties.ts'
import { propertyWords } from '#contract/status.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { StateBadge } from '#web/kit/display/status-badge.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import styles from './mobile-layout.module.css'

const shown_max = 3
const every_ms = 30_000
const wrong = propertyWords.filter((word) => word !== 'served')

export function Troubles() {
  const { data: worst } = useLiveQuery(
    properties.list,
    { filters: { state: wrong }, sort: 'state', per_page: shown_max },
    { key: ['troubles'], every_ms },
  )
  if (!worst || worst.data.length === 0) return null
  const more = worst.meta.total - worst.data.length
  return (
    <section aria-label="Properties with problems">
      <ul className={styles.menu}>
        {worst.data.map(({ id, name, state }) => (
          <li key={id}>
            <Frame href={hasScreen(appContext(), 'properties/update') ? to.property(id) : undefined}>
              <span>
                {name}
                <small>{state?.sentence}</small>
              </span>
              {state && <StateBadge of={state.word} />}
            </Frame>
          </li>
        ))}
        {more > 0 && (
          <li>
            <Link href={to.properties({ sort: 'state' })} className={styles.entry}>
              <span>{wholeOf(more)} more</span>
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}

const Frame = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href === undefined ? (
    <div className={styles.trouble}>{children}</div>
  ) : (
    <Link href={href} className={styles.trouble}>
      {children}
    </Link>
  )
