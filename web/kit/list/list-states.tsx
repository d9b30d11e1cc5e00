// List states: shown in place of rows if nothing matches.
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'
import type { ListAddress } from './list-address.ts'

export const NoMatch = ({ list }: { list: { asked: ListAddress; ask: (change: Partial<ListAddress>) => void } }) => (
  <EmptyState
    icon="search"
    title={list.asked.q ? `Nothing matches “${list.asked.q}”` : 'Nothing matches'}
    action={<Button onClick={() => list.ask({ q: '', filters: {} })}>Clear search and filters</Button>}
  >
    {list.asked.q ? 'Try another word, or fewer letters.' : 'Remove a filter.'}
  </EmptyState>
)
