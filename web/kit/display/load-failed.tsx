// Load failed: shown in place of content that could not be loaded, with a way to try again if that can help. Where the server was away it
// goes on by itself.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { isAway, useHealing } from '#web/kit/call/use-healing.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export const goesOn = 'This goes on by itself once Foyer answers.'
export const notLoaded = 'This could not be loaded'

/** For users who may not read what they have opened. */
export const NotOpen = () => (
  <EmptyState icon="warning" title="This is not open to you">
    Ask a colleague who may change your permission.
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
          title={notLoaded}
          action={
            <Button icon="refresh" onClick={again}>
              Try again
            </Button>
          }
        >
          {sentenceOf(error)} {isAway(error) && goesOn}
        </EmptyState>
      )}
    </div>
  )
}
