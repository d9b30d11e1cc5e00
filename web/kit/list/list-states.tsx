// List states: what stands where rows do not: no match, a failure with another try, no permission.
import { refusals } from '#contract/errors.ts'
import { Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import type { Asked } from './list-address.ts'

export const NoMatch = ({ list }: { list: { asked: Asked; ask: (change: Partial<Asked>) => void } }) => (
  <EmptyState
    icon="search"
    title={list.asked.q ? `Nothing matches “${list.asked.q}”` : 'Nothing matches'}
    action={<Button onClick={() => list.ask({ q: '', filters: {} })}>Clear search and filters</Button>}
  >
    {list.asked.q ? 'Try another word, or fewer letters.' : 'Take a filter away.'}
  </EmptyState>
)

export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const refused = error instanceof Refused && error.status === refusals.forbidden.status
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={refused ? 'This is not open to you' : 'This could not be loaded'}
        action={
          !refused && (
            <Button icon="refresh" onClick={retry}>
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
