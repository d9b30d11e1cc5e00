// Webhooks list: the addresses that are told what happens, with what they want and whether they listen.
import * as webhooks from '#contract/webhooks.ts'
import { activityOptions } from '#web/kit/display/status-badge.tsx'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { webhookKind, type Webhook } from './kind.tsx'

const column = fieldColumns(webhooks)

const eventsOf = ({ events }: Webhook) =>
  events.length <= 2 ? events.join(', ') : `${events[0]} and ${events.length - 1} more`
const ownerOf = ({ owner_type, owner_name }: Webhook) => (owner_type === 'Customer' ? 'Whole company' : owner_name)

export function stateOf({
  active,
  paused_for,
  failing_since,
}: Pick<Webhook, 'active' | 'paused_for' | 'failing_since'>) {
  if (paused_for !== null) return { word: 'Paused', tone: 'wrong' } as const
  if (!active) return { word: 'Disabled', tone: 'off' } as const
  return failing_since === null
    ? ({ word: 'Listens', tone: 'good' } as const)
    : ({ word: 'Fails', tone: 'waiting' } as const)
}
const Standing = ({ one }: { one: Webhook }) => {
  const { word, tone } = stateOf(one)
  return <Badge tone={tone}>{word}</Badge>
}

const columns: Column<typeof webhooks.list>[] = [
  column('url', { cell: (one) => one.url, width: 200, grow: 3, priority: 1 }),
  { title: 'State', cell: (one) => <Standing one={one} />, below: (one) => stateOf(one).word, width: 104, priority: 2 },
  { title: 'Belongs to', cell: ownerOf, below: ownerOf, width: 140, grow: 1, priority: 4 },
  column('events', { cell: eventsOf, width: 180, grow: 2, priority: 3 }),
  column('waiting', { cell: ({ waiting }) => wholeOf(waiting), width: 84, align: 'end', priority: 5 }),
  column('personal_data', { cell: (one) => (one.personal_data ? 'Told' : 'Not told'), width: 116, priority: 6 }),
  column('created_at', { cell: (one) => recentTimeOf(one.created_at), width: recent_px, priority: 7, extra: true }),
]

export function WebhooksList() {
  return (
    <ListScreen
      of={webhooks.list}
      title="Webhooks"
      kind={webhookKind}
      columns={columns}
      filters={{ status: { kind: 'checkbox', options: activityOptions } }}
      actions={
        <CreateButton of={webhooks.create} href={to.newWebhook()}>
          New webhook
        </CreateButton>
      }
      empty={{
        icon: 'integrations',
        title: 'No webhooks yet',
        children:
          'A webhook tells another program what happens here as it happens: who checked in, which code is used up, that a report is ready.',
      }}
    />
  )
}
