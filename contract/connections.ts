// Connections: what is connected to the systems of other companies, of every kind, and how each does. Those of kinds without calls of
// their own are made and changed here, by a key or by consent.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { Authorization, Callback, connectionStates } from './integrations.ts'
import { Parameter, Settings, SettingsInput } from './parameters.ts'
import { anyOf, byId, changesTo, done, id, listOf, moment, nothing, ownerTypes, page, text, yes } from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, removal, write } = callsOf('connections')

export const ConnectionKind = z
  .object({
    kind: z.string(),
    name: z.string(),
    /** Those that Foyer can be connected to, in whatever way. */
    companies: z.array(z.object({ integration_type: z.string(), name: z.string() })),
    /** Where its own calls begin; null: it is connected by `/connections-create`. */
    calls: z.string().nullable(),
    /** Those that are connected here, and what each needs to be told. */
    providers: z.array(
      z.object({
        integration_type: z.string(),
        name: z.string(),
        parameters: z.array(Parameter),
        /** `consent`: a person gives it at the provider (`/connections-authorize`) once the connection is made. */
        connected_by: z.enum(['key', 'consent']),
        /** False: whoever runs this installation has not set it up. */
        available: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ConnectionKind' })

/**
 * As of the books and audiences, and: `unheard`: it has told nothing yet; `review`: what it told waits for a person to look; `off`: it is
 * disabled, or of nothing that can be connected.
 */
export const states = [...connectionStates, 'unheard', 'review', 'off'] as const
const state = z.enum(states)

export const ConnectionInput = z.object({
  /** One of `/connection-kinds`, and one of its providers. */
  kind: text(100),
  integration_type: text(100),
  /** Without one it is named as the provider names the account. */
  name: text().nullish(),
  /** By the keys of the provider's parameters. A key that is left out stays as it is; null takes it away. */
  settings: SettingsInput.optional(),
  active: yes,
})
/** Another provider is another connection. */
export const ConnectionChanges = ConnectionInput.omit({ kind: true, integration_type: true })

export const Connection = z
  .object({
    id,
    kind: z.string(),
    integration_type: z.string(),
    /** The id by which the calls of its kind know it; null: the kind has none. */
    own_id: id.nullable(),
    owner_type: z.enum(ownerTypes),
    owner_id: id,
    owner_name: z.string(),
    name: z.string(),
    state,
    /** Since when the present key or consent stands; null: consent has not been given yet. */
    connected_at: moment.nullable(),
    last_synced_at: moment.nullable(),
    /** What went wrong last, and what helps. */
    last_error: z.string().nullable(),
    /** Without secrets. */
    settings: Settings,
    /** The keys of those secrets of its settings that are set. */
    settings_set: z.array(z.string()),
    status,
    active: z.boolean(),
    created_at: moment,
  })
  .meta({ id: 'Connection' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [ConnectionInput, Connection],
  {
    kind: 'System',
    integration_type: 'System',
    owner_id: 'Belongs to',
    connected_at: 'Connected since',
    last_synced_at: 'Last success',
    last_error: 'What to do',
  },
  { connection: ['name', 'settings'] },
)

export const kinds = lookup('/connection-kinds', nothing, z.array(ConnectionKind))
export const list = read(
  '/connections',
  listOf({ kind: anyOf(text(100)), status: anyOf(status), state: anyOf(state) }, {}, ['-created_at', 'created_at']),
  page(Connection),
)
export const get = read('/connections/{id}', byId('connections'), Connection)
/** The provider is asked whether it takes the key. */
export const create = asking(write('/connections-create', ConnectionInput, Connection))
export const update = asking(write('/connections-update', changesTo('connections', ConnectionChanges), Connection))
/** The provider's page on which a person gives consent. It sends them back to `/customer/connections`. */
export const authorize = write('/connections-authorize', byId('connections'), Authorization)
/** Takes up what the consent has given: with what the provider sent the browser back with. */
export const connect = asking(write('/connections-connect', Callback, Connection))
/** Asks the provider now whether all is well. */
export const tryNow = write('/connections-try', byId('connections'), Connection)
export const remove = removal('/connections-delete/{id}', byId('connections'), done)
