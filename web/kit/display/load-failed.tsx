// Load failed: shown in place of content that could not be loaded, with a way to try again if that can help. Where the server was away it
// goes on by itself.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { isAway, useHealing } from '#web/kit/call/use-healing.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import { say } from '#web/words/frame.ts'

/** For users who may not read what they have opened. */
export const NotOpen = () => (
  <EmptyState icon="warning" title={say('not-open')}>
    {say('not-open-ask')}
  </EmptyState>
)

export function LoadFailed({ error, again }: { error: unknown; again: () => void }) {
  useHealing(error, again)
  const refused = error instanceof Refused && error.status === refusals.forbidden.status
  return (
    <div role="alert">
      {refused ? (
        <NotOpen />
      ) : (
        <EmptyState
          icon="warning"
          title={say('not-loaded')}
          action={
            <Button icon="refresh" onClick={again}>
              {say('try-again')}
            </Button>
          }
        >
          {sentenceOf(error)} {isAway(error) && say('goes-on')}
        </EmptyState>
      )}
    </div>
  )
}
