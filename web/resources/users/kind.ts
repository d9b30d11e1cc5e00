// User kind: what can be done with one of the operator's people, in their row and on their page.
import type { RowOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as users from '#contract/users.ts'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { to } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

type User = RowOf<typeof users.list>

export async function inviteAgain({ name, email, user_type_id, owner_type, owner_id }: User) {
  await call(users.invite, { name, email, user_type_id, owner_type, owner_id })
  notify.success(messages.team.invited)
}

export const userKind: RecordKind<User> = {
  of: users,
  noun: 'users',
  nameOf: (user) => user.name,
  href: (user) => to.user(user.id),
  own: (user) =>
    mayCall(users.invite) && user.status === 'draft'
      ? [{ label: 'Invite again', icon: 'mail', onPick: () => inviteAgain(user) }]
      : [],
  // Users who have not accepted yet are not activated, but invited again.
  activates: (user) => user.status !== 'draft',
  whenDisabled: 'They are signed out, and cannot sign in here.',
  consequence: 'They can no longer sign in here. What they did stays in the activity log.',
}
