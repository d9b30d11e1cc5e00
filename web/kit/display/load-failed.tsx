// Load failed: what stands where something could not be loaded, and the way to try again where that can help.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export const notLoaded = 'This could not be loaded'

export function LoadFailed({ error, again }: { error: unknown; again: () => void }) {
  const refused = error instanceof Refused && error.status === refusals.forbidden.status
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={refused ? 'This is not open to you' : notLoaded}
        action={
          !refused && (
            <Button icon="refresh" onClick={again}>
              Try again
            </Button>
          )
        }
      >
        {refused ? 'Ask a colleague who may change your permission.' : sentenceOf(error)}
      </EmptyState>
    </div>
  )
}
