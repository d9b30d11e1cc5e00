// Present rights: what somebody who asked for something earlier may do now. A right is asked when it is used: what waited in a queue or a
// schedule meanwhile is asked again by this.
import { sql } from 'kysely'
import { allows, type Action, type Area } from '#contract/permissions.ts'
import { reachOfKey, rightsOfKey, type Key } from '#server/access/key-rights.ts'
import { rightsOf, type Role } from '#server/access/policies.ts'
import { callerOfJob, userIdOf, type Asked, type Caller } from '#server/access/principal.ts'
import { ownerOf, reachOf } from '#server/access/reach.ts'
import type { Scope } from '#server/access/tenancy.ts'

/** The user who acts, also by a key of theirs; null: nobody is behind it. */
export async function userBehind(scope: Scope): Promise<number | null> {
  if (scope.principal.kind !== 'api_key') return userIdOf(scope)
  const [key] = await scope.run(sql<{ user_id: number | null }>`
    select coalesce(k.user_id, k.created_by_user_id) as user_id from api_keys as k
    where k.id = ${scope.principal.id} and k.customer_id = ${scope.customer_id}`)
  return key?.user_id ?? null
}

/** `left`: the user or the key is gone. `lowered`: they are there, and may not do this any more. */
export type Lost = 'left' | 'lowered'

type Standing = Pick<Caller, 'owner' | 'reach' | 'can'> & { name: string }

interface Placed {
  group_id: number | null
  property_id: number | null
  role: Role
  name: string
}

/** The group and the property that somebody belongs to are there. */
const placeIsThere = (scope: Scope, group: string, property: string) => sql`
  (${sql.ref(group)} is null or exists (select from groups as g where g.id = ${sql.ref(group)} and ${scope.inReach('groups', 'g')}))
  and (${sql.ref(property)} is null
    or exists (select from properties as p where p.id = ${sql.ref(property)} and ${scope.inReach('properties', 'p')}))`

/** A second factor that is due keeps people from signing in, and takes no right away. */
const userIsThere = (scope: Scope) => sql`
  u.login_id is not null and u.active and not u.draft and u.package_id is null and ${scope.inReach('users', 'u')}
  and ${placeIsThere(scope, 'u.group_id', 'u.property_id')}`

async function userStanding(scope: Scope, id: number): Promise<Standing | null> {
  const [user] = await scope.run(sql<Placed>`
    select u.group_id, u.property_id, t.role, u.name from users as u join user_types as t on t.id = u.user_type_id
    where u.id = ${id} and ${userIsThere(scope)}`)
  if (!user) return null
  const owner = ownerOf({ ...user, customer_id: scope.customer_id })
  return { owner, reach: reachOf(owner), can: rightsOf(owner.owner_type, user.role), name: user.name }
}

async function keyStanding(scope: Scope, id: number): Promise<Standing | null> {
  const [found] = await scope.run(sql<Placed & Pick<Key, 'permissions' | 'property_ids'>>`
    select coalesce(k.group_id, u.group_id) as group_id, coalesce(k.property_id, u.property_id) as property_id,
      coalesce(t.role, 'editor') as role, k.name, k.permissions,
      case when k.property_ids <> '{}' then array(
        select p.id from properties as p where p.id = any(k.property_ids) and ${scope.inReach('properties', 'p')}
          and (coalesce(k.group_id, u.group_id) is null or p.group_id = coalesce(k.group_id, u.group_id))
          and (coalesce(k.property_id, u.property_id) is null or p.id = coalesce(k.property_id, u.property_id))) end as property_ids
    from api_keys as k left join users as u on u.customer_id = k.customer_id and u.id = k.user_id
    left join user_types as t on t.id = u.user_type_id
    where k.id = ${id} and (k.expires_at is null or k.expires_at > now())
      and num_nonnulls(k.user_id, k.group_id, k.property_id) = 1 and ${scope.inReach('api_keys', 'k')}
      and (k.user_id is null or ${userIsThere(scope)}) and ${placeIsThere(scope, 'k.group_id', 'k.property_id')}`)
  if (!found) return null
  const owner = ownerOf({ ...found, customer_id: scope.customer_id })
  const key: Key = { ...found, owner }
  return { owner, reach: reachOfKey(key), can: rightsOfKey(key), name: found.name }
}

/** Of a job's scope: what they may do at present who asked. Where a key belongs to somebody, both must be there. */
export async function presentOf(scope: Scope, request: Asked): Promise<Caller | Lost> {
  const { user_id, key_id, area, action } = request
  const user = user_id === null ? undefined : await userStanding(scope, user_id)
  const key = key_id === null ? undefined : await keyStanding(scope, key_id)
  const standing = key ?? user
  if (user === null || key === null || !standing) return 'left'
  if ([user, key].some((one) => one && !allows(one.can, area, action))) return 'lowered'
  const { owner, reach, can, name } = standing
  const job = callerOfJob(scope.customer_id, name)
  return { ...job, principal: { ...job.principal, name }, owner, reach, can, asked: request }
}

/** Who asked for it, as `askedColumns` stored it. */
export interface AskedFor {
  asked_by_user_id: number | null
  asked_by_key_id: number | null
  asked_right: string | null
}

/** How a right is stored: `accounts:desk`. */
export const askedColumns = ({ asked }: Pick<Scope, 'asked'>) => ({
  asked_by_user_id: asked?.user_id ?? null,
  asked_by_key_id: asked?.key_id ?? null,
  asked_right: asked ? `${asked.area}:${asked.action}` : null,
})

export function askedOf({ asked_by_user_id, asked_by_key_id, asked_right }: AskedFor): Asked | null {
  if (asked_right === null) return null
  const [area, action] = asked_right.split(':') as [Area, Action]
  return { user_id: asked_by_user_id, key_id: asked_by_key_id, area, action }
}

export const lostSentences: Record<Lost, string> = {
  left: 'The person who asked for it no longer has access.',
  lowered: 'The person who asked for it may no longer do that.',
}
/** Null: whoever asked for it still may, or nobody did. Of a job's scope. */
export async function whyLost(scope: Scope, queued: AskedFor): Promise<string | null> {
  const asked = askedOf(queued)
  const present = asked && (await presentOf(scope, asked))
  return typeof present === 'string' ? lostSentences[present] : null
}
