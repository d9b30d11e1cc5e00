// Billing gaps: the nights that cannot be billed yet, with a button to enter missing figures.
import { useState } from 'react'
import * as nights from '#contract/occupancy-nights.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { GiveFigures, nightsIn } from './billing-figures.tsx'
import type { Gap, OneRun } from './billing-words.tsx'
import { periodOf } from './words.ts'
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
          <b>It is not known what was let on these nights.</b> A run over them can be approved once their figures have
          been entered.
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
