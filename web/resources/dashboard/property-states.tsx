// Property states: how many properties are in each state, and those where something is wrong, the ones where most guests suffer first.
import { useState } from 'react'
import { propertyStates } from '#contract/status.ts'
import { SmallLine } from '#web/kit/chart/small-line.tsx'
import { dayOf, recentTimeOf, timeOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { StateBadge } from '#web/kit/display/status-badge.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Figures } from './figures.ts'
import { fewerThanBefore, shareOf } from './shares.ts'
import styles from './property-states.module.css'

type Property = Figures['standings'][number]

/** The list has them all. */
const shown_first = 10

/** What is worth a look although it is no state. */
const notesOf = ({ online, online_before, codes_run_out, state }: Property) => [
  ...(fewerThanBefore(online, online_before) ? ['Fewer guests'] : []),
  ...(codes_run_out && state.word !== 'codes_out' ? ['Codes run out'] : []),
]

export function PropertyStates({ states, properties }: { states: Figures['states']; properties: Property[] }) {
  const [open, setOpen] = useState(false)
  const all = states.reduce((sum, { count }) => sum + count, 0)
  const worth_a_look = properties.filter(({ troubled }) => troubled)
  const shown = open || all === 1 ? properties : worth_a_look.slice(0, shown_first)
  return (
    <>
      {all > 1 && <Counts states={states} />}
      {shown.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Property</th>
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
      {all > shown.length && !open && (
        <Button kind="quiet" aria-expanded={false} onClick={() => setOpen(true)}>
          Show {wholeOf(all - shown.length)} more
        </Button>
      )}
      {open && (
        <Button kind="quiet" aria-expanded onClick={() => setOpen(false)}>
          Hide properties without problems
        </Button>
      )}
      {open && all > properties.length && (
        <p className={styles.well}>The list of properties shows the other {wholeOf(all - properties.length)}.</p>
      )}
    </>
  )
}

/** Each active property is in one of them. */
const Counts = ({ states }: Pick<Figures, 'states'>) => (
  <ul className={styles.counts}>
    {states.map(({ word, count }) => (
      <li key={word}>
        {hasScreen(appContext(), 'properties') ? (
          <Link href={to.properties({ 'filter.state': word })}>
            <strong>{wholeOf(count)}</strong> {propertyStates[word]}
          </Link>
        ) : (
          <>
            <strong>{wholeOf(count)}</strong> {propertyStates[word]}
          </>
        )}
      </li>
    ))}
  </ul>
)

function Row({ property }: { property: Property }) {
  const { id, name, state, suffering, tries, refused, tries_before, refused_before } = property
  const share = shareOf(refused, tries)
  const before = shareOf(refused_before, tries_before)
  return (
    <tr>
      <th scope="row">
        {hasScreen(appContext(), 'properties/update') ? <Link href={to.property(id)}>{name}</Link> : name}
        <span className={styles.troubles}>
          <StateBadge of={state.word} />
          {notesOf(property).map((note) => (
            <Badge key={note} tone="waiting">
              {note}
            </Badge>
          ))}
        </span>
        {state.word !== 'served' && (
          <p className={styles.sentence}>
            {state.sentence}{' '}
            <small title={timeOf(state.since)}>
              Since {recentTimeOf(state.since)}
              {suffering > 0 && `, ${wholeOf(suffering)} ${suffering === 1 ? 'guest affected' : 'guests affected'}`}.
            </small>
          </p>
        )}
      </th>
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
