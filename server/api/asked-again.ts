// Asked again: before which inputs of the calls marked by `asks` the password is asked for again. A marked call without a line here asks
// before every input.
import { sql } from 'kysely'
import * as apiKeys from '#contract/api-keys.ts'
import type { Endpoint, Parsed } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as guests from '#contract/guests.ts'
import { allows } from '#contract/permissions.ts'
import * as scheduledReports from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import type { Session } from '#server/access/authenticate.ts'
import { rightsOfKey } from '#server/access/key-rights.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { isOurs, ownDomains } from '#server/deliveries/receivers.ts'
import { askedAgain } from '#server/errors/refused.ts'

type Condition<Q> = (input: Q, scope: Scope) => boolean | Promise<boolean>

const before = <E extends Endpoint>(endpoint: E, where: Condition<Parsed<E>>): [Endpoint, Condition<unknown>] => [
  endpoint,
  where as Condition<unknown>,
]

const onlyBefore = new Map([
  before(apiKeys.createForUser, isPowerful),
  before(apiKeys.createForGroup, isPowerful),
  before(apiKeys.createForProperty, isPowerful),
  before(users.create, ({ user_type_id }, scope) => isEditor(scope, user_type_id)),
  before(users.invite, ({ user_type_id }, scope) => isEditor(scope, user_type_id)),
  before(users.inviteTeamMembers, async ({ user_type_id, team_id }, scope) =>
    isEditor(scope, user_type_id ?? (team_id == null ? null : await typeOfTeam(scope, team_id))),
  ),
  before(users.update, raisesToEditor),
  before(users.activate, ({ id }, scope) => raisesToEditor({ id, active: true }, scope)),
  before(groups.create, movesEditors),
  before(groups.update, movesEditors),
  before(scheduledReports.create, namesOutsiders),
  before(scheduledReports.update, namesOutsiders),
])

/** May delete, or hand out guests' data, before which a person is asked. */
function isPowerful({ permissions }: { permissions: readonly string[] }): boolean {
  const owner = { owner_type: 'Customer', owner_id: 0 } as const
  const can = rightsOfKey({ owner, role: 'editor', permissions, property_ids: null })
  const { area, action } = guests.exportList
  return permissions.some((permission) => permission.split(':')[0] === 'full') || allows(can, area, action)
}

async function isEditor(scope: Scope, user_type_id: number | null): Promise<boolean> {
  const found = await scope.run(sql`select from user_types as y where y.id = ${user_type_id} and y.role = 'editor'`)
  return found.length > 0
}

async function typeOfTeam(scope: Scope, team_id: number): Promise<number | null> {
  const [team] = await scope.run(sql<{ user_type_id: number }>`
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

/** Editors of a property or of another group come to reach this one. */
async function movesEditors(
  { id, user_ids = [] }: { id?: number; user_ids?: number[] | undefined },
  scope: Scope,
): Promise<boolean> {
  const found = await scope.run(sql`
    select from users as t join user_types as y on y.id = t.user_type_id and y.role = 'editor'
    where t.id = any(${user_ids}) and ${scope.inReach('users', 't')}
      and (t.property_id is not null or t.group_id <> coalesce(${id ?? null}::integer, 0))`)
  return found.length > 0
}

/** Somebody outside comes to receive a report who did not receive it before. */
async function namesOutsiders(
  { id, recipients = [] }: { id?: number; recipients?: string[] | undefined },
  scope: Scope,
): Promise<boolean> {
  if (recipients.length === 0) return false
  const email = sql`named.email`
  const found = await scope.run(sql`
    select from unnest(${recipients}::text[]) as named(email)
    where not ${isOurs(scope, email, await ownDomains(scope))} and lower(named.email) not in (
      select lower(r) from reports as t, unnest(t.recipients) as r where t.id = ${id ?? null}::integer and ${scope.inReach('reports', 't')})`)
  return found.length > 0
}

/** Refuses a person whose proof is too old. Programs have none, and are not asked. */
export async function insistOnProof(scope: Scope, endpoint: Endpoint, input: unknown, session: Session | null) {
  if (!endpoint.asks || !session || session.proven) return
  const where = onlyBefore.get(endpoint)
  if (!where || (await where(input, scope))) throw askedAgain()
}
