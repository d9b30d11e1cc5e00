// Teams: named sets of one owner's users.
import { sql } from 'kysely'
import * as contract from '#contract/teams.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { countOf, entity, namesOf, type Members } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows } from '#server/entities/lists.ts'
import { owner, ownerColumns } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'

const users: Members = { table: 'team_users', mine: 'team_id', theirs: 'user_id', of: 'users' }

const teams = entity({
  table: 'teams',
  row: contract.TeamRow,
  detail: contract.Team,
  fields: contract.fields,
  computed: {
    user_type: sql`(select json_build_object('id', r.id, 'name', r.name) from user_types as r where r.id = t.user_type_id)`,
    owner: sql`json_build_object('id', ${owner.id}, 'name', ${owner.name})`,
    owner_type: owner.type,
    owner_id: owner.id,
    owner_name: owner.name,
    users_string: namesOf(users),
    number_of_users: countOf(users),
  },
  members: { user_ids: users },
  filters: { owner_type: ({ is }) => is(owner.type), owner_id: ({ is }) => is(owner.id) },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

/** After a change of members: a team may only have users of its own owner, not of owners above or below. */
async function checked<R extends { id: number }>(scope: Scope, changed: Promise<R>): Promise<R> {
  const team = await changed
  const [outsider] = await scope.run(sql`
    select from teams as t
    join team_users as m on m.customer_id = t.customer_id and m.team_id = t.id
    join users as u on u.customer_id = m.customer_id and u.id = m.user_id and u.deleted_at is null
    where t.id = ${team.id} and ${scope.inReach('teams', 't')}
      and (u.group_id, u.property_id, u.package_id) is distinct from (t.group_id, t.property_id, t.package_id) limit 1`)
  if (outsider) throw invalid({ user_ids: ['A team can only hold people of its own owner.'] })
  return team
}

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, teams, input),
  exportList: (call) => exportRows(call, teams),
  get: ({ scope, input }) => oneRow(scope, teams, input.id),
  create: async ({ scope, input: { owner_type, owner_id, ...team } }) =>
    checked(scope, createRow(scope, teams, { ...team, ...(await ownerColumns(scope, { owner_type, owner_id })) })),
  update: ({ scope, input }) => checked(scope, updateRow(scope, teams, input)),
  remove: ({ scope, input }) => removeRow(scope, teams, input.id),
  toggle: ({ scope, input }) => toggleRow(scope, teams, input.id),
  deactivate: ({ scope, input }) => deactivateRows(scope, teams, input.ids),
  activate: ({ scope, input }) => activateRow(scope, teams, input.id),
})
