// Connections list: all that is plugged in, of every kind: whose it is, how it does, and what to do where it does not.
import * as connections from '#contract/connections.ts'
import { call } from '#web/kit/call/call.ts'
import { useOAuthReturn, type Authorization } from '#web/kit/dialog/oauth-return.ts'
import { recentTimeOf } from '#web/kit/display/dates.ts'
import { recent_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Notice } from '#web/ui/state.tsx'
import { connectionRow } from './kind.ts'
import { useKinds } from './kinds.ts'
import { stateOptions, states, troubleOf, type Connection } from './words.ts'

const column = fieldColumns(connections)

async function finish(authorization: Authorization) {
  const { id, name } = await call(connections.connect, authorization)
  return { name, to: to.connection(id) }
}

/** `Whole company`, or the name of the group, property or package. */
export const ownerIn = ({ owner_type, owner_name }: Pick<Connection, 'owner_type' | 'owner_name'>) =>
  owner_type === 'Customer' ? 'Whole company' : owner_name

export const StateBadge = ({ state }: Pick<Connection, 'state'>) => (
  <Badge tone={states[state].tone}>{states[state].label}</Badge>
)

const columnsOf = (systemOf: (one: Connection) => string): Column<typeof connections.list>[] => [
  column('name', { width: 150, grow: 1, priority: 1 }),
  column('state', {
    cell: (one) => <StateBadge {...one} />,
    below: ({ state }) => states[state].label,
    width: 126,
    priority: 2,
  }),
  column('kind', { title: 'System', cell: systemOf, below: systemOf, width: 140, grow: 1, priority: 3 }),
  column('last_error', { cell: troubleOf, below: troubleOf, width: 240, grow: 5, priority: 4 }),
  { title: 'Belongs to', cell: ownerIn, below: ownerIn, width: 130, grow: 1, priority: 5 },
  column('last_synced_at', { cell: (one) => timeIn(one.last_synced_at), width: recent_px, priority: 6 }),
  column('connected_at', { cell: (one) => timeIn(one.connected_at), width: recent_px, priority: 7 }),
  column('created_at', { width: 118, priority: 8, sort: 'created_at', extra: true }),
]
const timeIn = (at: string | null) => (at === null ? 'Never' : recentTimeOf(at))

export function ConnectionsList() {
  const { kinds, systemOf } = useKinds()
  const { finishing, problem } = useOAuthReturn(to.connections(), finish)
  if (finishing) return <Notice>Connecting. This takes a moment.</Notice>
  return (
    <>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <ListScreen
        of={connections.list}
        title="Connections"
        kind={connectionRow}
        columns={columnsOf(systemOf)}
        filters={{
          state: { kind: 'checkbox', options: stateOptions },
          kind: {
            title: 'For',
            kind: 'checkbox',
            options: kinds.map(({ kind, name }) => ({ value: kind, label: name })),
          },
        }}
        actions={
          <CreateButton of={connections.create} href={to.newConnection()}>
            New connection
          </CreateButton>
        }
        empty={{
          icon: 'integrations',
          title: 'No connections yet',
          children:
            'Accounting, mailing lists and the systems of your properties are listed here once they are connected, each with its status.',
        }}
      />
    </>
  )
}
