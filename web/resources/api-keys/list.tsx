// API keys list: the user's own in their profile, or those of a group or a property in its tab.
import * as apiKeys from '#contract/api-keys.ts'
import type { Endpoint, RowOf } from '#contract/endpoint.ts'
import { dateOf, timeOf } from '#web/kit/display/dates.ts'
import { StatusBadge } from '#web/kit/display/status-badge.tsx'
import { moment_px } from '#web/kit/list/columns.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { to } from '#web/paths.ts'
import { callsOf, kindOfOwner, type KeyOwner } from './owner.ts'
import { permissionsText } from './words.ts'

type Key = RowOf<typeof apiKeys.listOfUser>

const column = fieldColumns({ list: apiKeys.listOfGroup, fields: apiKeys.fields })

const kindOf = (list: Endpoint, remove: Endpoint): RecordKind<Key> => ({
  of: { list, remove },
  noun: 'API keys',
  nameOf: (key) => key.name,
  consequence: 'Programs that use it will be refused. This cannot be undone.',
})

const propertyCount = (count: number) => (count === 1 ? '1 property' : `${count} properties`)

const columns: Column<typeof apiKeys.listOfGroup>[] = [
  column('name', { width: 150, priority: 1, sort: 'name' }),
  column('status', { cell: (key) => <StatusBadge of={key.status} />, width: 104, priority: 2 }),
  column('permissions', { cell: (key) => permissionsText(key.permissions), width: 180, grow: 2, priority: 3 }),
  column('last_used_at', {
    cell: (key) => timeOf(key.last_used_at) || 'Never',
    below: (key) => (key.last_used_at ? `used ${timeOf(key.last_used_at)}` : 'never used'),
    width: moment_px,
    priority: 4,
  }),
  column('property_ids', {
    cell: (key) => key.property_ids.length > 0 && propertyCount(key.property_ids.length),
    width: 110,
    priority: 6,
  }),
  column('expires_at', { cell: (key) => dateOf(key.expires_at) || 'Never', width: 110, priority: 5 }),
  {
    title: 'Begins with',
    cell: (key) => <code>{key.token_start}…</code>,
    below: (key) => `${key.token_start}…`,
    width: 126,
    priority: 7,
  },
  column('created_by', { width: 130, priority: 8, extra: true }),
  column('created_at', { width: 110, priority: 9, sort: 'created_at', extra: true }),
]

const explanations = {
  user: 'A program that uses one of your keys can do what you can, or less.',
  group: 'A program that uses a key of the group works in its properties, whoever created the key.',
  property: 'A program that uses a key of the property works only there, whoever created the key.',
}

export function ApiKeysList({ group_id, property_id }: KeyOwner) {
  const owner: KeyOwner = { ...(group_id ? { group_id } : {}), ...(property_id ? { property_id } : {}) }
  const { list, create, remove } = callsOf(owner)
  return (
    <ListScreen
      of={list as typeof apiKeys.listOfGroup}
      title="API keys"
      where={owner}
      kind={kindOf(list, remove)}
      columns={columns}
      actions={
        <CreateButton of={create} href={to.newApiKey(owner)}>
          New API key
        </CreateButton>
      }
      empty={{ icon: 'apiKeys', title: 'No API keys yet', children: explanations[kindOfOwner(owner)] }}
    />
  )
}
