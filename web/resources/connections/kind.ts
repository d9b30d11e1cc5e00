// Connection kind: what a connection is called and where it opens: those of kinds with screens of their own open there.
import type { RowOf } from '#contract/endpoint.ts'
import * as connections from '#contract/connections.ts'
import { call } from '#web/kit/call/call.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { hasScreen, to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { session } from '#web/session/session.ts'

export type Connection = RowOf<typeof connections.list>

const toIntegrations = () => to.userProfile(session.get().user?.id ?? 0, 'integrations')

/** The screens of kinds that have some, by their words. */
const own: Partial<Record<string, (own_id: number) => string>> = {
  accounting: toIntegrations,
  marketing: toIntegrations,
  property: (own_id) => to.propertyInterface(own_id),
}
/** Where one is kept that has calls of its own; undefined: here. */
export const ownAddress = ({ kind, own_id }: Pick<Connection, 'kind' | 'own_id'>) =>
  own_id === null ? undefined : own[kind]?.(own_id)

/** Where connections of a kind are made that has screens of its own. */
export const whereMade: Partial<Record<string, () => string>> = {
  accounting: toIntegrations,
  marketing: toIntegrations,
  property: () => to.newPropertyInterface(),
}

const isOpen = () => hasScreen(appContext(), 'connections/update')

/** In the list: what can be done depends on the kind, and stands on its page. */
export const connectionRow: RecordKind<Connection> = {
  of: { list: connections.list, get: connections.get, fields: connections.fields },
  noun: 'connections',
  nameOf: ({ name }) => name,
  href: (one) => ownAddress(one) ?? (isOpen() ? to.connection(one.id) : undefined),
  consequence: '',
  live_ms: 10_000,
}

/** On its page: one that is kept here. */
export const connectionKind: RecordKind<Connection> = {
  ...connectionRow,
  of: { ...connectionRow.of, update: connections.update, remove: connections.remove },
  consequence:
    'Data is no longer exchanged with the other company, and its key or consent is deleted here. This cannot be undone.',
}

export async function tryNow({ id }: Pick<Connection, 'id'>) {
  const now = await call(connections.tryNow, { id })
  showChange({ list: connections.list.path, one: connections.get.path }, id, now)
  if (now.state === 'connected') notify.success('It works')
  else notify.error(now.last_error ?? 'It does not work yet')
}

/** Opens the other company's page of consent. */
export async function leaveFor({ id }: Pick<Connection, 'id'>) {
  const { url } = await call(connections.authorize, { id })
  window.location.assign(url)
}
