// Users: the operator's own people, their invitations, and the rule that keeps a customer from locking itself out.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import * as contract from '#contract/users.ts'
import type { Parsed } from '#contract/endpoint.ts'
import { selectedInvalid } from '#contract/errors.ts'
import type { OwnerType } from '#contract/shapes.ts'
import { hashOf, newToken } from '#server/access/authenticate.ts'
import type { Services } from '#server/services.ts'
import { invitation } from '#server/deliveries/mail-templates.ts'
import { queueMail } from '#server/deliveries/mails.ts'
import { phoneNumber } from '#server/deliveries/phone-number.ts'
import { isUndelivered } from '#server/deliveries/undelivered.ts'
import { logActivity } from '#server/entities/activity-log.ts'
import { invalid } from '#server/errors/refused.ts'
import { refusedFor } from '#server/api/refusals.ts'
import { serve } from '#server/api/serve.ts'
import { spendQuota } from '#server/fairness/quotas.ts'
import { userIdOf } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { owner, ownerColumns } from '#server/entities/owner.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import { keepAnEditor } from './named-users.ts'

const users = entity({
  table: 'users',
  row: contract.UserRow,
  detail: contract.User,
  fields: contract.fields,
  computed: {
    owner_type: owner.type,
    owner_id: owner.id,
    owner_name: owner.name,
    owner_removed: owner.removed,
    quiet_from: sql`to_char(t.quiet_from, 'HH24:MI')`,
    quiet_until: sql`to_char(t.quiet_until, 'HH24:MI')`,
    invitation_undelivered: isUndelivered('invitation'),
  },
  filters: {
    owner_type: ({ is }) => is(owner.type),
    owner_id: ({ is }) => is(owner.id),
    collection_id: ({ is }) => sql`
      exists (select from collection_users as m
        where m.customer_id = t.customer_id and m.user_id = t.id and ${is(sql`m.collection_id`)})`,
    team_id: ({ is }) => sql`
      exists (select from team_users as m
        where m.customer_id = t.customer_id and m.user_id = t.id and ${is(sql`m.team_id`)})`,
  },
  candidates: {
    team_id: ({ is }) => sql`
      exists (select from teams as c where c.customer_id = t.customer_id and ${is(sql`c.id`)}
        and (c.group_id, c.property_id, c.package_id) is not distinct from (t.group_id, t.property_id, t.package_id))`,
    collection_id: ({ is }) => sql`
      not exists (select from collections as c
        where c.customer_id = t.customer_id and ${is(sql`c.id`)} and c.group_id <> coalesce(t.group_id,
          (select p.group_id from properties as p where p.customer_id = t.customer_id and p.id = t.property_id), 0))`,
  },
  belongs: { group_id: 'group_id', property_id: 'property_id' },
})

export default ({ queue, public_url }: Pick<Services, 'queue' | 'public_url'>) => {
  const contextOf = (user: { owner_type: OwnerType }) => user.owner_type.toLowerCase()

  /** What an invitation does not say keeps its default. */
  type Invited = Omit<Parsed<typeof contract.create>, WantedTold> &
    Partial<Pick<Parsed<typeof contract.create>, WantedTold>>
  /** Creates the user, or finds the one still invited, and mails a link that works once, for 7 days. */
  async function inviteOne(scope: Scope, { owner_type, owner_id, ...person }: Invited) {
    const columns = await ownerColumns(scope, { owner_type, owner_id })
    const [waiting] = await scope.run(sql<ColumnsOf<'users', 'id'>>`
      select t.id from users as t
      where t.email = ${person.email} and t.draft and ${scope.inReach('users', 't')}
        and t.group_id is not distinct from ${columns.group_id ?? null}
        and t.property_id is not distinct from ${columns.property_id ?? null}`)
    const id = waiting?.id ?? (await scope.insert('users', { ...person, ...columns, draft: true }))
    // As a new one would be, also where somebody has disabled it meanwhile.
    if (waiting) await scope.change('users', [id], person)
    const user = await oneRow(scope, users, id)
    await spendQuota(scope, 'invitations', 1)
    const token = newToken()
    // Only the newest link works.
    await scope.unlink('invitations', { user_id: id })
    await scope.insert('invitations', {
      token_hash: hashOf(token),
      user_id: id,
      email: user.email,
      invited_by_user_id: userIdOf(scope),
      expires_at: sql`now() + interval '7 days'`,
    })
    const link = `${public_url}/${contextOf(user)}/reset-password?token=${token}&invite=1`
    await queueMail(scope, queue, invitation(user, { inviter: scope.principal.name, owner: user.owner_name, link }))
    await logActivity(scope, {
      action: 'invite',
      entity: users,
      row: user,
      before: null,
      after: { email: user.email, user_type_id: user.user_type_id },
    })
    return user
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, users, input),
    exportList: (call) => exportRows(call, users),
    names: ({ scope }) => nameRows(scope, users, contract.UserName),
    nameList: ({ scope, input }) => listRows(scope, users, input, contract.UserName),
    get: ({ scope, input }) => oneRow(scope, users, input.id),
    create: async ({ scope, input }) => toldSomewhere(await inviteOne(scope, withNumber(input))),
    update: async ({ scope, input }) => {
      const { user_type_id: before } = await oneRow(scope, users, input.id)
      const permission = input.user_type_id !== undefined && input.user_type_id !== before
      await updateRow(scope, users, withNumber(input), permission ? 'permission' : 'update')
      await keepAnEditor(scope, permission ? 'user_type_id' : 'active')
      return toldSomewhere(await oneRow(scope, users, input.id))
    },
    deactivate: async ({ scope, input }) => {
      const changed = await deactivateRows(scope, users, input.ids)
      await keepAnEditor(scope, 'ids')
      return changed
    },
    activate: async ({ scope, input }) => {
      const { draft } = await oneRow(scope, users, input.id)
      if (draft) throw invalid({ id: ['This person has not accepted the invitation yet. Invite them again.'] })
      return activateRow(scope, users, input.id)
    },
    remove: async ({ scope, input }) => {
      await refuseWrongHints(scope, input)
      const removed = await removeRow(scope, users, input.id)
      await keepAnEditor(scope, 'id')
      return removed
    },
    invite: async ({ scope, input }) => oneRow(scope, users, (await inviteOne(scope, { ...input, active: true })).id),
    inviteTeamMembers: async ({ scope, input: { emails, names, team_id, ...rest } }) => {
      if (emails.length !== names.length) throw invalid({ names: ['Give one name for each e-mail address.'] })
      const asked = team_id == null ? withDefaults(rest) : await fromTeam(scope, team_id, rest)
      const invited = []
      for (const [index, email] of emails.entries())
        invited.push(
          await inviteOne(scope, { ...asked, email, name: names[index] ?? email, active: true }).catch(
            refuseAsOneOf(index),
          ),
        )
      const ids = [...new Set(invited.map((user) => user.id))]
      if (team_id != null) {
        await scope.unlink('team_users', { team_id, user_id: ids })
        await scope.insertMany(
          'team_users',
          ids.map((user_id) => ({ team_id, user_id })),
        )
      }
      return Promise.all(ids.map((id) => oneRow(scope, users, id)))
    },
  })
}

/** What is wrong with the address of one of several is said of theirs. */
const refuseAsOneOf = (index: number) => (error: unknown) => {
  const { email } = refusedFor(error).errors ?? {}
  throw email ? invalid({ [`emails.${index}`]: email }) : error
}

type WantedTold = 'outage_mails' | 'outage_texts'

/** A colleague's number belongs to no property whose country would complete it. */
function withNumber<I extends { mobile_number?: string | null | undefined }>(input: I): I {
  const { mobile_number } = input
  if (mobile_number == null) return input
  const number = phoneNumber(mobile_number, null)
  if (number === null)
    throw invalid({ mobile_number: ['Give the number with its country code, such as +44 7700 900123.'] })
  return { ...input, mobile_number: number }
}

function toldSomewhere<U extends { outage_texts: boolean; mobile_number: string | null }>(user: U): U {
  if (user.outage_texts && user.mobile_number === null)
    throw invalid({ mobile_number: ['Enter the number for text messages.'] })
  return user
}

export async function disableUser(scope: Scope, id: number) {
  await deactivateRows(scope, users, [id])
  await keepAnEditor(scope, 'end.users')
}

type InvitationInput = Pick<Parsed<typeof contract.inviteTeamMembers>, 'user_type_id' | 'owner_type' | 'owner_id'>
const withDefaults = ({ user_type_id, ...owner }: InvitationInput) => ({ ...owner, user_type_id: user_type_id ?? 1 })

/** Users invited into a team get its owner and user type; a request that gives others is refused. */
async function fromTeam(scope: Scope, team_id: number, invitation: InvitationInput) {
  const [team] = await scope.run(sql<{ user_type_id: number; owner_type: OwnerType; owner_id: number; status: string }>`
    select t.user_type_id, ${owner.type} as owner_type, ${owner.id} as owner_id, t.status
    from teams as t where t.id = ${team_id} and ${scope.inReach('teams', 't')}`)
  if (!team) throw invalid({ team_id: [selectedInvalid('team_id')] })
  if (team.status !== 'active') throw invalid({ team_id: ['People can only be invited into a team that is active.'] })
  if (invitation.user_type_id != null && invitation.user_type_id !== team.user_type_id)
    throw invalid({ user_type_id: ['People invited into this team get the team’s permission.'] })
  const elsewhere =
    (invitation.owner_type != null && invitation.owner_type !== team.owner_type) ||
    (invitation.owner_id != null && invitation.owner_id !== team.owner_id)
  if (elsewhere) throw invalid({ team_id: ['This team belongs to another owner.'] })
  const { status: _, ...settings } = team
  return settings
}

/** An owner given with the id decides nothing, but one that differs from the user's own is refused as a mistake. */
async function refuseWrongHints(scope: Scope, { id, ...hints }: Parsed<typeof contract.remove>) {
  const user = await oneRow(scope, users, id)
  const wrong = Object.entries({
    owner_type: hints.owner_type != null && hints.owner_type !== user.owner_type,
    owner_id: hints.owner_id != null && hints.owner_id !== user.owner_id,
    property_id: hints.property_id != null && !(user.owner_type === 'Property' && user.owner_id === hints.property_id),
    group_id: hints.group_id != null && !(user.owner_type === 'Group' && user.owner_id === hints.group_id),
  }).flatMap(([field, differs]) => (differs ? [field] : []))
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map((field) => [field, [selectedInvalid(field)]])))
}
