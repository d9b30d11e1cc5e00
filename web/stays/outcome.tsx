// Outcome: what was just done to a stay, with Undo and, after a check-in from a list, Print. It takes the focus where the button that
// was pressed is gone: on its sentence, where pressing Enter again does nothing.
import { useEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/desk.ts'
import { hold, release, takeBack, type Outcome } from './acts.ts'
import styles from './stays.module.css'

interface OutcomeLineProps {
  outcome: Outcome
  onChanged: () => unknown
  /** Further buttons. */
  children?: ReactNode
}

export function OutcomeLine({ outcome, onChanged, children }: OutcomeLineProps) {
  const sentence = useRef<HTMLParagraphElement>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (document.activeElement === document.body) sentence.current?.focus()
  }, [outcome])
  const undo = async () => {
    setBusy(true)
    await takeBack(outcome)
    setBusy(false)
    onChanged()
  }
  const isWithin = ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget)
  return (
    <div
      className={styles.outcome}
      role={outcome.act === null ? 'alert' : undefined}
      onFocus={() => hold(outcome)}
      onBlur={(event) => !isWithin(event) && release(outcome)}
    >
      <p ref={sentence} tabIndex={-1}>
        {outcome.sentence}
      </p>
      {children}
      {outcome.act !== null && (
        <Button
          icon="undo"
          busy={busy}
          label={say('act.of', { act: say('undo'), sentence: outcome.sentence })}
          onClick={() => void undo()}
        >
          {say('undo')}
        </Button>
      )}
    </div>
  )
}
