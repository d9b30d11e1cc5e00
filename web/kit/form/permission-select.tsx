// Permission: what a person may do here. Changing it asks first and takes effect at once, not with the form around it.
import { useState } from 'react'
import * as reference from '#contract/reference.ts'
import type { Reply, RowOf } from '#contract/endpoint.ts'
import * as users from '#contract/users.ts'
import { messages } from '#contract/messages.ts'
import { call, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { useNames } from '#web/kit/call/names.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { useMayCall } from '#web/session/may.ts'
import { session } from '#web/session/session.ts'
import { Select } from '#web/ui/select.tsx'

type User = Reply<typeof users.get>['data']

type UserType = RowOf<typeof reference.userTypes>
type Role = UserType['role']

/** From the one who may do most. Going down is a downgrade. */
const rank: readonly Role[] = ['editor', 'front_desk', 'viewer']

/** What the kinds of user may do, in a line. */
export const permissionHint = 'Viewers look, the front desk serves guests, editors change.'

export function Permission({ user }: { user: User }) {
  const mayChange = useMayCall(users.update)
  const types = useNames(reference.userTypes) as UserType[]
  const [refused, setRefused] = useState<string>()
  const [saving, setSaving] = useState(false)
  const change = async (user_type_id: number) => {
    const before = types.find(({ id }) => id === user.user_type_id)
    const after = types.find(({ id }) => id === user_type_id)
    if (!after || after.id === before?.id || !(await agreed(user, before, after))) return
    setSaving(true)
    setRefused(undefined)
    try {
      const changed = await call(users.update, { id: user.id, user_type_id })
      showChange({ one: users.get.path, list: users.list.path }, user.id, changed)
      if (user.id === session.get().user?.id) session.questionRights()
      notify.success(messages.team.permissionsUpdated)
    } catch (error) {
      setRefused(sentenceOf(error))
      if (!(error instanceof Refused)) throw error
    } finally {
      setSaving(false)
    }
  }
  return (
    <Select
      label="Permission"
      name="user_type_id"
      hint={`${permissionHint} It holds from their next click.`}
      options={types.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(user.user_type_id)}
      onChange={(value) => value !== null && void change(Number(value))}
      error={refused}
      required
      disabled={!mayChange || saving}
    />
  )
}

/** What they will be able to do, for the question before it. */
const means: Record<Role, (place: string) => string> = {
  editor: (place) => `They will be able to change everything in ${place}.`,
  front_desk: (place) => `They will be able to serve guests in ${place}: vouchers, check-in, passwords.`,
  viewer: (place) => `They will be able to look at everything in ${place}.`,
}

/** Changing a member's permission asks for confirmation first; a downgrade in the specification's words. */
const agreed = (user: User, before: UserType | undefined, after: UserType) =>
  before && rank.indexOf(before.role) < rank.indexOf(after.role)
    ? confirm({
        title: `Change ${user.name} to ${after.name}?`,
        description: messages.team.downgradeWarning,
        accept: messages.team.downgrade,
        cancel: messages.team.cancel,
        danger: true,
      })
    : confirm({
        title: `Change ${user.name} to ${after.name}?`,
        description: means[after.role](user.owner_name),
      })
