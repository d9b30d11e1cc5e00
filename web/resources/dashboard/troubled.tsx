// Troubled: the properties that somebody should look at, the worst first, each against the week before.
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { Badge } from '#web/ui/badge.tsx'
import type { Figures } from './figures.ts'
import { fewerThanBefore, shareOf } from './shares.ts'
import styles from './dashboard.module.css'

type Property = Figures['troubled'][number]

const refusalsOf = ({ tries, refused, tries_before, refused_before }: Property): string => {
  const now = shareOf(refused, tries)
  const before = shareOf(refused_before, tries_before)
  return [`${now}% of sign-ins refused`, before !== undefined && `${before}% a week ago`].filter(Boolean).join(', ')
}

const onlineOf = ({ online, online_before }: Property): string =>
  [`${wholeOf(online)} online`, online_before !== null && `${wholeOf(online_before)} a week ago`]
    .filter(Boolean)
    .join(', ')

/** What is wrong, the worst of it first. */
function troublesOf(property: Property): { word: string; tone: 'wrong' | 'waiting' }[] {
  const { silent_gateways: silent, tries, refused, online, online_before } = property
  const refusals = shareOf(refused, tries) ?? 0
  return [
    ...(silent > 0
      ? [{ word: silent === 1 ? 'Silent gateway' : `${silent} silent gateways`, tone: 'wrong' as const }]
      : []),
    ...(refusals > 20 ? [{ word: `${refusals}% refused`, tone: 'waiting' as const }] : []),
    ...(fewerThanBefore(online, online_before) ? [{ word: 'Fewer guests', tone: 'waiting' as const }] : []),
  ]
}

export function Troubled({ properties }: { properties: Property[] }) {
  const leads = hasScreen(appContext(), 'properties/update')
  return (
    <ul className={styles.list}>
      {properties.map((property) => (
        <li key={property.id} className={styles.troubled}>
          <span>
            {leads ? (
              <Link href={to.property(property.id, property.silent_gateways > 0 ? 'gateways' : 'sessions')}>
                {property.name}
              </Link>
            ) : (
              property.name
            )}{' '}
            <small>
              {[onlineOf(property), property.tries > 0 && refusalsOf(property)].filter(Boolean).join(' · ')}
            </small>
          </span>
          <span className={styles.troubles}>
            {troublesOf(property).map(({ word, tone }) => (
              <Badge key={word} tone={tone}>
                {word}
              </Badge>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
