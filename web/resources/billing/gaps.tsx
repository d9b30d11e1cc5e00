// Billing gaps: the nights that cannot be billed yet, with a button to enter missing figures, and those that come to nothing.
import { useState } from 'react'
import * as nights from '#contract/occupancy-nights.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { GiveFigures, nightsIn } from './figures.tsx'
import type { DrawnLine, Gap, OneRun } from './words.tsx'
import { periodOf } from '#web/kit/display/months.ts'
import styles from './billing.module.css'

const shown_max = 6

type AllGaps = Pick<OneRun, 'unknown' | 'not_written' | 'not_over'>
export const hasGaps = ({ unknown, not_written, not_over }: AllGaps) =>
  unknown.length + not_written.length + not_over.length > 0

const listed = (gaps: Gap[]) => {
  const shown = gaps.slice(0, shown_max).map(({ property, from, to }) => `${property.name}, ${periodOf(from, to)}`)
  return `${shown.join('; ')}${gaps.length > shown_max ? `, and ${gaps.length - shown_max} more` : ''}`
}

export function Gaps({ gaps: { unknown, not_written, not_over } }: { gaps: AllGaps }) {
  const [given, setGiven] = useState<Gap>()
  const mayCorrect = useMayCall(nights.correctNight)
  return (
    <>
      {unknown.length > 0 && (
        <Notice>
          <b>The number of rooms let is missing for these nights.</b> Enter the figures, and the run can be approved.
          <ul className={styles.gaps}>
            {unknown.slice(0, shown_max).map((gap) => (
              <li key={`${gap.property.id} ${gap.from}`}>
                <span>
                  {gap.property.name}: {periodOf(gap.from, gap.to)} ({nightsIn(gap.nights)}). {gap.because}
                </span>
                {mayCorrect && (
                  <Button onClick={() => setGiven(gap)}>
                    Enter figures
                    <span className="unseen">
                      : {gap.property.name}, {dayOf(gap.from)}
                    </span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {unknown.length > shown_max && `And ${unknown.length - shown_max} more.`}
        </Notice>
      )}
      {not_written.length > 0 && (
        <Notice>
          Over, but not recorded yet, and not in these figures: {listed(not_written)}. Foyer writes nights down within
          minutes of midnight, and catches up after an outage. A run is approved when all of its nights are there.
        </Notice>
      )}
      {not_over.length > 0 && (
        <Notice>
          Not over yet, and not in these figures: {listed(not_over)}. A run is approved when its period is over.
        </Notice>
      )}
      {given && <GiveFigures asked={given} close={() => setGiven(undefined)} />}
    </>
  )
}

/** Those who have never billed often have properties without a rate, or whose rate was entered late. */
export function NoRate({ lines }: { lines: readonly Pick<DrawnLine, 'property' | 'unrated_nights'>[] }) {
  const properties = Map.groupBy(
    lines.filter(({ unrated_nights }) => unrated_nights > 0),
    ({ property }) => property.id ?? property.name,
  )
  const without = [...properties.values()].flatMap(([first, ...more]) =>
    first
      ? [{ ...first.property, nights: more.reduce((sum, line) => sum + line.unrated_nights, first.unrated_nights) }]
      : [],
  )
  if (without.length === 0) return null
  return (
    <Notice>
      {without.length === 1 ? 'One property has' : `${without.length} properties have`} nights that come to nothing,
      without a rate or without units:{' '}
      {without.slice(0, 3).map(({ id, name, nights: unrated }, index) => (
        <span key={id ?? name}>
          {index > 0 && ', '}
          {id === null ? name : <Link href={to.property(id, 'details')}>{name}</Link>} ({nightsIn(unrated)})
        </span>
      ))}
      {without.length > 3 && `, and ${without.length - 3} more`}. Set the rate and the total units there. Nights keep
      the terms they were recorded with: open the line below to bill them by the current ones.
    </Notice>
  )
}
