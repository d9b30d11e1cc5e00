// Tiles: the current figures. Tiles that count the rows of a list open it.
import { counted, fractionOf, wholeOf } from '#web/kit/display/numbers.ts'
import type { ReactNode } from 'react'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { Skeleton } from '#web/ui/state.tsx'
import type { Figures } from './figures.ts'
import { inAddress } from './figure-filters.ts'
import { sinceWeekAgo } from './shares.ts'
import styles from './dashboard.module.css'

interface Tile {
  title: string
  value: (figures: Figures) => string
  unit?: string
  /** A comparison, or a detail, below the figure. */
  note?: (figures: Figures) => string | undefined
  href?: string
}

function tilesHere(): Tile[] {
  const leads = (screen: string, href: string) => (hasScreen(appContext(), screen) ? { href } : {})
  return [
    {
      title: 'Guests online',
      value: ({ guests_online }) => wholeOf(guests_online),
      note: ({ guests_online, guests_online_before }) => sinceWeekAgo(guests_online, guests_online_before),
      ...leads('sessions', to.sessions(inAddress('guests_online'))),
    },
    {
      title: 'Sessions today',
      value: ({ sessions_today }) => wholeOf(sessions_today),
      ...leads('sessions', to.sessions(inAddress('sessions_today'))),
    },
    { title: 'Data today', value: ({ data_today_gb }) => fractionOf(data_today_gb), unit: 'GB' },
    {
      title: 'Vouchers left',
      value: ({ vouchers_left }) => wholeOf(vouchers_left),
      // The list that it opens shows batches.
      note: ({ batches_left: of }) => (of > 0 ? `in ${counted(of, 'batch', 'batches')}` : undefined),
      ...leads('vouchers', to.vouchers(inAddress('batches_left'))),
    },
    { title: 'Accounts', value: ({ accounts }) => wholeOf(accounts), ...leads('accounts', to.accounts()) },
    ...(appContext() === 'property'
      ? []
      : [
          {
            title: 'Properties',
            value: ({ properties }: Figures) => wholeOf(properties),
            ...leads('properties', to.properties()),
          },
        ]),
  ]
}

export const Tiles = ({ figures }: { figures: Figures | undefined }) => (
  <ul className={styles.tiles}>
    {tilesHere().map(({ title, value, unit, note, href }) => (
      <li key={title}>
        <Frame href={href}>
          <span className={styles.title}>{title}</span>
          <strong>
            {figures ? value(figures) : <Skeleton width={64} height={24} />}
            {figures && unit && <small>{unit}</small>}
          </strong>
          {figures && note?.(figures) && <span className={styles.note}>{note(figures)}</span>}
        </Frame>
      </li>
    ))}
  </ul>
)

const Frame = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href === undefined ? (
    <div className={styles.tile}>{children}</div>
  ) : (
    <Link href={href} className={`${styles.tile} ${styles.leads}`}>
      {children}
    </Link>
  )
