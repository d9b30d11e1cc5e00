// Asked again: the calls before which the password is asked for again, before which of their inputs, and what the customer's editors are
// told of it by mail.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as accounting from '#contract/accounting-integrations.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as connections from '#contract/connections.ts'
import type { Endpoint, Output, Parsed } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as guests from '#contract/guests.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { allows } from '#contract/permissions.ts'
import * as propertyInterfaces from '#contract/property-interfaces.ts'
import * as scheduledReports from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import * as webhooks from '#contract/webhooks.ts'
import type { WebSession } from '#server/access/authenticate.ts'
import { rightsOfKey } from '#server/access/key-rights.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { isOurs, ownDomains } from '#server/deliveries/receivers.ts'
import { askedAgain } from '#server/errors/refused.ts'

interface Act<Q, A> {
  /** Only before these inputs; absent: before every one. */
  where?: (input: Q, scope: Scope) => boolean | Promise<boolean>
  told: (answer: A, input: Q) => string
}

const before = <E extends Endpoint>(endpoint: E, act: Act<Parsed<E>, Output<E>>): [Endpoint, Act<unknown, unknown>] => [
  endpoint,
  act as Act<unknown, unknown>,
]

const aKey: Act<Parsed<typeof apiKeys.createForUser>, Output<typeof apiKeys.createForUser>> = {
  where: isPowerful,
  told: ({ name, permissions }) =>
    `An API key with far-reaching rights has been created: ${name} (${permissions.join(', ')}).`,
}
const anEditor: Act<{ user_type_id: number }, Output<typeof users.invite>> = {
  where: ({ user_type_id }, scope) => isEditor(scope, user_type_id),
  told: (user) => `An editor has been invited: ${person(user)}.`,
}
const aGroup: Act<Membership, Output<typeof groups.create>> = {
  where: movesEditors,
  told: ({ name }) => `Editors from elsewhere have been added to the group ${name}.`,
}
const aReceiver: Act<Receiving, Output<typeof scheduledReports.create>> = {
  where: tellsOutsiders,
  told: ({ name, recipients }) =>
    `A report now goes to somebody outside the company: ${name}, to ${recipients.join(', ')}.`,
}

/** The path of an endpoint is often a secret of the receiver's. */
const hostOf = (url: string) => new URL(url).host
const aWebhook: Act<unknown, Output<typeof webhooks.update>> = {
  told: ({ url, personal_data }) =>
    `Events are now sent to ${hostOf(url)}${personal_data ? ', with names and addresses of guests' : ''}.`,
}

/** Those of one's own sign-in, which are asked before every input, are told by server/resources/user-profile/own-sign-in.ts. */
const acts = new Map([
  before(apiKeys.createForUser, aKey),
  before(apiKeys.createForGroup, aKey),
  before(apiKeys.createForProperty, aKey),
  before(webhooks.create, aWebhook),
  before(webhooks.update, { ...aWebhook, where: tellsOtherwise }),
  before(webhooks.renewSecret, { told: ({ url }) => `The secret of a webhook has been replaced: ${hostOf(url)}.` }),
  before(users.create, anEditor),
  before(users.invite, anEditor),
  before(users.inviteTeamMembers, {
    where: async ({ user_type_id, team_id }, scope) =>
      isEditor(scope, user_type_id ?? (team_id == null ? null : await typeOfTeam(scope, team_id))),
    told: (invited) => `Editors have been invited: ${invited.map(person).join('; ')}.`,
  }),
  before(users.update, { where: raisesToEditor, told: (user) => `Somebody has been made an editor: ${person(user)}.` }),
  before(users.activate, {
    where: ({ id }, scope) => raisesToEditor({ id, active: true }, scope),
    told: (user) => `An editor has been enabled again: ${person(user)}.`,
  }),
  before(groups.create, aGroup),
  before(groups.update, aGroup),
  before(scheduledReports.create, aReceiver),
  before(scheduledReports.update, aReceiver),
  before(guests.exportList, { told: () => 'A list of guests has been downloaded.' }),
  before(guests.data, { told: () => 'Everything known about a guest has been downloaded.' }),
  before(accounting.create, { told: ({ name }) => `An accounting system has been connected: ${name ?? 'Xero'}.` }),
  before(marketing.create, { told: ({ name }) => `A mailing list has been connected: ${name ?? 'Mailchimp'}.` }),
  before(connections.create, { told: ({ name }) => `A connection has been made: ${name}.` }),
  before(connections.update, {
    where: hasOtherSettings,
    told: ({ name }) => `The settings of a connection have been changed: ${name}.`,
  }),
  before(connections.connect, { told: ({ name }) => `Somebody has given consent for a connection: ${name}.` }),
  before(propertyInterfaces.connect, { told: ({ name }) => `A property’s system has been connected: ${name}.` }),
])

const person = ({ name, email, owner_name }: Output<typeof users.get>) => `${name}, ${email} (${owner_name})`

/** May delete, or hand out guests' data, before which a person is asked. */
function isPowerful({ permissions }: { permissions: readonly string[] }): boolean {
  const owner = { owner_type: 'Customer', owner_id: 0 } as const
  const can = rightsOfKey({ owner, role: 'editor', permissions, property_ids: null })
  const { area, action } = guests.exportList
  return permissions.some((permission) => permission.split(':')[0] === 'full') || allows(can, area, action)
}

/** Settings that are sent back as they were read change nothing. A secret is not among them, so one that is given does. */
async function hasOtherSettings({ id, settings }: Parsed<typeof connections.update>, scope: Scope): Promise<boolean> {
  if (settings === undefined) return false
  const same = await scope.run(sql`
    select from connections as t where t.id = ${id} and t.settings @> ${JSON.stringify(settings)}::jsonb
      and ${scope.inReach('connections', 't')}`)
  return same.length === 0
}

async function isEditor(scope: Scope, user_type_id: number | null): Promise<boolean> {
  const found = await scope.run(sql`select from user_types as y where y.id = ${user_type_id} and y.role = 'editor'`)
  return found.length > 0
}

async function typeOfTeam(scope: Scope, team_id: number): Promise<number | null> {
  const [team] = await scope.run(sql<ColumnsOf<'teams', 'user_type_id'>>`
    select t.user_type_id from teams as t where t.id = ${team_id} and ${scope.inReach('teams', 't')}`)
  return team?.user_type_id ?? null
}

interface UserChange {
  id: number
  user_type_id?: number | undefined
  active?: boolean | undefined
}
/** Somebody becomes an editor, or an editor who was disabled comes back. */
async function raisesToEditor({ id, user_type_id, active = false }: UserChange, scope: Scope): Promise<boolean> {
  const found = await scope.run(sql`
    select from users as t join user_types as present on present.id = t.user_type_id
    join user_types as next on next.id = coalesce(${user_type_id ?? null}::integer, t.user_type_id) and next.role = 'editor'
    where t.id = ${id} and (present.role <> 'editor' or (${active} and not t.active)) and ${scope.inReach('users', 't')}`)
  return found.length > 0
}

interface Membership {
  id?: number
  user_ids?: number[] | undefined
}
/** Editors of a property or of another group come to reach this one. */
async function movesEditors({ id, user_ids = [] }: Membership, scope: Scope): Promise<boolean> {
  const found = await scope.run(sql`
    select from users as t join user_types as y on y.id = t.user_type_id and y.role = 'editor'
    where t.id = any(${user_ids}) and ${scope.inReach('users', 't')}
      and (t.property_id is not null or t.group_id <> coalesce(${id ?? null}::integer, 0))`)
  return found.length > 0
}

/** Another address is told, of other events, or with names of guests. */
async function tellsOtherwise(
  { id, url, events, personal_data }: Parsed<typeof webhooks.update>,
  scope: Scope,
): Promise<boolean> {
  const found = await scope.run(sql`
    select from webhooks as t where t.id = ${id} and ${scope.inReach('webhooks', 't')}
      and (t.url, t.events, t.personal_data) is distinct from (coalesce(${url ?? null}::text, t.url),
        coalesce(${events ?? null}::text[], t.events), coalesce(${personal_data ?? null}::boolean, t.personal_data))`)
  return found.length > 0
}

interface Receiving {
  id?: number
  recipients?: string[] | undefined
  kind?: string | undefined
  columns?: string[] | undefined
}
/** Somebody outside comes to receive a report who did not receive it before, or to read in it who the guests are. */
async function tellsOutsiders({ id, recipients, kind, columns }: Receiving, scope: Scope): Promise<boolean> {
  const email = sql`named.email`
  const found = await scope.run(sql`
    with before as (select t.recipients, t.kind, t.columns, t.kind = 'session' and 'identifier' = any(t.columns) as names_guests
      from reports as t where t.id = ${id ?? null}::integer and ${scope.inReach('reports', 't')})
    select from unnest(coalesce(${recipients ?? null}::text[], (select b.recipients from before as b))) as named(email)
    left join before as b on true
    where not ${isOurs(scope, email, await ownDomains(scope))}
      and (not coalesce(lower(named.email) = any(array(select lower(r) from unnest(b.recipients) as r)), false)
        or coalesce(${kind ?? null}::text, b.kind) = 'session' and 'identifier' = any(coalesce(${columns ?? null}::text[], b.columns))
          and not b.names_guests)`)
  return found.length > 0
}

/**
 * Refuses a person whose proof is too old. Answers what the customer's editors are to be told once it is done; null where nothing is
 * given away. Programs have no password: they are not asked, and what their key may do was told when it was made.
 */
export async function insistOnProof(scope: Scope, endpoint: Endpoint, input: unknown, session: WebSession | null) {
  const act = session && acts.get(endpoint)
  if (!act || (act.where && !(await act.where(input, scope)))) return null
  if (!session.proven) throw askedAgain()
  return (answer: unknown) => act.told(answer, input)
}
