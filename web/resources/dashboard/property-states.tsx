// Property states: the state of each property, the worst first; those without problems are collapsed.
import { useState } from 'react'
import { SmallLine } from '#web/kit/chart/small-line.tsx'
import { ageOf, dayOf, timeOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Figures } from './figures.ts'
import { fewerThanBefore, isRefusing, shareOf } from './shares.ts'
import styles from './property-states.module.css'

type Property = Figures['standings'][number]

/** The problems of a property, the worst first. */
function troublesOf(property: Property): { word: string; tone: 'wrong' | 'waiting' }[] {
  const { silent_gateways: silent, tries, refused, online, online_before } = property
  return [
    { when: silent > 0, word: silent === 1 ? 'Gateway silent' : `${silent} gateways silent`, tone: 'wrong' as const },
    {
      when: isRefusing(refused, tries),
      word: `${shareOf(refused, tries)}% refused`,
      tone: 'waiting' as const,
    },
    { when: fewerThanBefore(online, online_before), word: 'Fewer guests', tone: 'waiting' as const },
    { when: property.codes_run_out, word: 'Codes run out', tone: 'waiting' as const },
  ].filter(({ when }) => when)
}

export function PropertyStates({ properties }: { properties: Property[] }) {
  const [open, setOpen] = useState(false)
  const troubled = properties.filter((property) => property.troubled)
  const fine = properties.length - troubled.length
  const shown = open ? properties : troubled
  return (
    <>
      {troubled.length === 0 && <p className={styles.well}>All {wholeOf(fine)} are well.</p>}
      {shown.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Property</th>
              <th scope="col">Down since</th>
              <th scope="col">Refused, 24 hours</th>
              <th scope="col">Online now</th>
              <th scope="col">Sessions, 7 days</th>
              <th scope="col">Codes left</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((property) => (
              <Row key={property.id} property={property} />
            ))}
          </tbody>
        </table>
      )}
      {fine > 0 && (
        <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide those that are well' : `Show ${wholeOf(fine)} that ${fine === 1 ? 'is' : 'are'} well`}
        </Button>
      )}
    </>
  )
}

function Row({ property }: { property: Property }) {
  const { id, name, silent_gateways, down_since, tries, refused, tries_before, refused_before } = property
  const share = shareOf(refused, tries)
  const before = shareOf(refused_before, tries_before)
  return (
    <tr>
      <th scope="row">
        {hasScreen(appContext(), 'properties/update') ? (
          <Link href={to.property(id, silent_gateways > 0 ? 'gateways' : 'sessions')}>{name}</Link>
        ) : (
          name
        )}
        <span className={styles.troubles}>
          {troublesOf(property).map(({ word, tone }) => (
            <Badge key={word} tone={tone}>
              {word}
            </Badge>
          ))}
        </span>
      </th>
      <td data-title="Down since">
        {down_since && (
          <time dateTime={down_since} title={timeOf(down_since)}>
            {ageOf(down_since)}
          </time>
        )}
      </td>
      <td data-title="Refused, 24 hours">
        {share !== undefined && (
          <>
            {share}% of {wholeOf(tries)} {before !== undefined && <small>{before}% a week ago</small>}
          </>
        )}
      </td>
      <td data-title="Online now">
        {wholeOf(property.online)}{' '}
        {property.online_before !== null && <small>{wholeOf(property.online_before)} a week ago</small>}
      </td>
      <td data-title="Sessions, 7 days">
        <SmallLine label="Sessions of the last 7 days" values={property.days} />
      </td>
      <td data-title="Codes left">
        {property.codes_left !== null && (
          <>
            {wholeOf(property.codes_left)}{' '}
            {property.codes_last_until && <small>until {dayOf(property.codes_last_until)}</small>}
          </>
        )}
      </td>
    </tr>
  )
}
