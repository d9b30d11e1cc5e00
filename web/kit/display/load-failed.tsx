// Load failed: what stands where something could not be loaded, and the way to try again.
import { sentenceOf } from '#web/kit/call/call.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

export const LoadFailed = ({ error, again }: { error: unknown; again: () => void }) => (
  <EmptyState
    icon="warning"
    title="This could not be loaded"
    action={
      <Button icon="refresh" onClick={again}>
        Try again
      </Button>
    }
  >
    {sentenceOf(error)}
  </EmptyState>
)
