// Billing gaps: the nights that cannot be billed yet, with a button to enter missing figures.
import { useState } from 'react'
import * as nights from '#contract/occupancy-nights.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/state.tsx'
import { GiveFigures, nightsIn } from './billing-figures.tsx'
import type { Gap } from './billing-words.tsx'
import { periodOf } from './words.ts'
import styles from './billing.module.css'

const shown_max = 6

export function Gaps({ gaps: { unknown, not_over } }: { gaps: { unknown: Gap[]; not_over: Gap[] } }) {
  const [given, setGiven] = useState<Gap>()
  const mayCorrect = useMayCall(nights.correctNight)
  return (
    <>
      {unknown.length > 0 && (
        <Notice>
          <b>Nobody knows what was let in these nights.</b> A run over them is approved once somebody has given their
          figures.
          <ul className={styles.gaps}>
            {unknown.slice(0, shown_max).map((gap) => (
              <li key={`${gap.property.id} ${gap.from}`}>
                <span>
                  {gap.property.name}: {periodOf(gap.from, gap.to)} ({nightsIn(gap.nights)}). {gap.because}
                </span>
                {mayCorrect && (
                  <Button onClick={() => setGiven(gap)}>
                    Give figures
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
      {not_over.length > 0 && (
        <Notice>
          Not over yet, and not in these figures:{' '}
          {not_over
            .slice(0, shown_max)
            .map((gap) => `${gap.property.name}, ${periodOf(gap.from, gap.to)}`)
            .join('; ')}
          {not_over.length > shown_max && `, and ${not_over.length - shown_max} more`}. A run is approved when its
          period is over.
        </Notice>
      )}
      {given && <GiveFigures asked={given} close={() => setGiven(undefined)} />}
    </>
  )
}
