// Named users: moving users into a group by naming them in it, and the rule that keeps a customer from locking itself out.
import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { fieldUnwritable } from '#contract/unknown-fields.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { logActivityOfMany } from '#server/entities/activity-log.ts'

/** Somebody must always be able to run the customer: at least one active editor on customer level must remain. */
export async function keepAnEditor(scope: Scope, field: string) {
  // Two editors who disable each other at once wait for each other here. Not `for update`: every row that they have written holds
  // a key-share lock on its customer by its foreign key, so the two would deadlock.
  await scope.run(sql`select from customers where id = ${scope.customer_id} for no key update`)
  const [left] = await scope.run(sql`
    select from users as t join user_types as y on y.id = t.user_type_id and y.role = 'editor'
    where t.customer_id = ${scope.customer_id} and t.deleted_at is null and t.active and not t.draft
      and t.group_id is null and t.property_id is null and t.package_id is null limit 1`)
  if (!left) throw invalid({ [field]: ['The last active editor must stay. Make someone else an editor first.'] })
}

const viewer = 1

/**
 * A group's users become exactly these. Named users leave their former owner and keep their permission; users who are left out move
 * to the customer as viewers, so that nobody gains a right to write that way. All of them are signed out, by a trigger, and leave
 * the teams and collections that are restricted to users of their former owner.
 */
export async function setUsersOf(scope: Scope, group_id: number, user_ids: number[]): Promise<void> {
  const moved = await scope.run(sql<{ id: number; joins: boolean }>`
    select t.id, t.id = any(${user_ids}) as joins from users as t
    where t.deleted_at is null and (t.group_id = ${group_id}) is distinct from (t.id = any(${user_ids}))
      and (t.group_id = ${group_id} or t.id = any(${user_ids})) and ${scope.inReach('users', 't')}
    order by t.id for no key update`)
  if (moved.length === 0) return
  // API keys may change groups, but not users.
  if (!allows(scope.can, 'users', 'write')) throw invalid({ user_ids: [fieldUnwritable] })
  const joining = moved.filter(({ joins }) => joins).map(({ id }) => id)
  const leaving = moved.filter(({ joins }) => !joins).map(({ id }) => id)
  if (joining.length > 0) await scope.change('users', joining, { group_id, property_id: null, package_id: null })
  if (leaving.length > 0) await scope.change('users', leaving, { group_id: null, user_type_id: viewer })
  const ids = [...joining, ...leaving]
  await scope.run(sql`
    delete from team_users as m where m.user_id = any(${ids}) and ${scope.inReach('team_users', 'm')}`)
  await scope.run(sql`
    delete from collection_users as m using collections as c
    where m.user_id = any(${ids}) and c.customer_id = m.customer_id and c.id = m.collection_id
      and c.group_id is not null and (c.group_id <> ${group_id} or m.user_id = any(${leaving}))
      and ${scope.inReach('collection_users', 'm')}`)
  const of = { table: 'users', belongs: { group_id: 'group_id', property_id: 'property_id' } } as const
  const log = (some: number[], after: object) =>
    some.length > 0
      ? logActivityOfMany(scope, { action: 'permission', entity: of, ids: some, after: { ...after } })
      : undefined
  await log(joining, { owner_type: 'Group', owner_id: group_id })
  await log(leaving, { owner_type: 'Customer', owner_id: scope.customer_id, user_type_id: viewer })
  await keepAnEditor(scope, 'user_ids')
}
