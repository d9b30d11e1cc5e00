// Try: a link to a property's system played step by step, for those who have none yet: each record, what it means, and who is in house.
import { useEffect, useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './property-interfaces.module.css'

type Step = Output<typeof interfaces.tryOut>['steps'][number]

const step_ms = 1600

export function TryPanel({ property_id, onEnd }: { property_id: number; onEnd: () => void }) {
  const [steps, setSteps] = useState<readonly Step[]>()
  const [shown, setShown] = useState(1)
  useEffect(() => {
    let isGone = false
    call(interfaces.tryOut, { property_id })
      .then((answer) => !isGone && setSteps(answer.steps))
      .catch((error: unknown) => {
        if (isGone) return
        notify.failure(error)
        onEnd()
      })
    return () => {
      isGone = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each property
  }, [property_id])
  const count = steps?.length ?? 0
  useEffect(() => {
    if (shown >= count) return undefined
    const timer = setTimeout(() => setShown(shown + 1), step_ms)
    return () => clearTimeout(timer)
  }, [shown, count])
  const some = steps?.slice(0, shown) ?? []
  const house = some.at(-1)?.house ?? []
  const end = () => {
    const names = [...new Set(steps?.flatMap((step) => step.house.map(({ name }) => name)))]
    notify.success(names.length > 0 ? `Nothing about ${names.join(', ')} was saved` : 'Nothing was kept')
    onEnd()
  }
  return (
    <Panel title="An invented system" actions={<Button onClick={end}>End it</Button>}>
      <p>This is what a link to Oracle FIAS would do here. None of it is saved, and none of it counts.</p>
      {steps ? (
        <>
          <ol className={styles.told} aria-live="polite" aria-label="What the system says">
            {some.map(({ records, sentences }) => (
              <li key={records.join()}>
                <code>{records.join(' ')}</code>
                {sentences.map((sentence, at) => (
                  <div key={sentence}>{at === 0 ? <strong>{sentence}</strong> : sentence}</div>
                ))}
              </li>
            ))}
          </ol>
          <p>
            <strong>In house then: </strong>
            {house.length === 0
              ? 'nobody'
              : house.map(({ room, name, departs_on }) => `${name} in ${room}, until ${departs_on ?? '?'}`).join(' · ')}
          </p>
          {shown < count && (
            <Button kind="quiet" onClick={() => setShown(count)}>
              Show all at once
            </Button>
          )}
        </>
      ) : (
        <Skeleton height={160} />
      )}
    </Panel>
  )
}
