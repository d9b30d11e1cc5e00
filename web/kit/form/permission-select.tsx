// Permission select: what a user may do. A change is confirmed and takes effect at once, not when a surrounding form is saved;
// if it fails, the select shows the reason and the old value. Users who may not change it see it as text.
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { references } from '#web/kit/display/references.ts'
import { callKind, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { useNames, type Name } from '#web/kit/call/names.ts'
import { showChange } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { useMayCall } from '#web/session/may.ts'
import { session } from '#web/session/session.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Select } from '#web/ui/select.tsx'

export interface Member {
  id: number
  name: string
  user_type_id: number
  owner_name: string
}

/** From most to least rights. Moving down is a downgrade. */
const rank = ['editor', 'front_desk', 'viewer'] as const
type Role = (typeof rank)[number]
type UserType = Name & { role: Role }

/** What each user type may do, in one line. */
export const permissionHint = 'Viewers can look, the front desk serves guests, and editors can make changes.'

export interface PermissionSelectProps {
  /** The endpoints of users. */
  of: { get: Endpoint; list: Endpoint; update: Endpoint }
  user: Member
  /** In a row, where its label is for screen readers only. */
  inRow?: boolean
}

export function PermissionSelect({ of, user, inRow = false }: PermissionSelectProps) {
  const mayChange = useMayCall(of.update)
  const types = useNames(references.user_types.names) as UserType[]
  const [refused, setRefused] = useState<string>()
  const [saving, setSaving] = useState(false)
  const change = async (user_type_id: number) => {
    const before = types.find(({ id }) => id === user.user_type_id)
    const after = types.find(({ id }) => id === user_type_id)
    if (!after || after.id === before?.id || !(await confirmed(user, before, after))) return
    setSaving(true)
    setRefused(undefined)
    try {
      const changed = await callKind<object>(of.update, { id: user.id, user_type_id })
      showChange({ one: of.get.path, list: of.list.path }, user.id, changed)
      if (user.id === session.get().user?.id) session.recheckRights()
      notify.success(messages.team.permissionsUpdated)
    } catch (error) {
      setRefused(sentenceOf(error))
      if (!(error instanceof Refused)) throw error
    } finally {
      setSaving(false)
    }
  }
  if (!mayChange) {
    const name = types.find(({ id }) => id === user.user_type_id)?.name
    return inRow ? <span>{name}</span> : <FieldFact label="Permission">{name}</FieldFact>
  }
  return (
    <Select
      label={inRow ? `Permission of ${user.name}` : 'Permission'}
      unseenLabel={inRow}
      name="user_type_id"
      hint={inRow ? undefined : `${permissionHint} It takes effect with their next click.`}
      options={types.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(user.user_type_id)}
      onChange={(value) => value !== null && void change(Number(value))}
      error={refused}
      required={!inRow}
      disabled={saving}
    />
  )
}

/** What they will be able to do, for the confirmation. */
const effects: Record<Role, (place: string) => string> = {
  editor: (place) => `They will be able to change everything in ${place}.`,
  front_desk: (place) => `They will be able to serve guests in ${place}: vouchers, check-in, passwords.`,
  viewer: (place) => `They will be able to look at everything in ${place}.`,
}

/** Asks for confirmation; for a downgrade in the specification's words. */
const confirmed = (user: Member, before: UserType | undefined, after: UserType) =>
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
        description: effects[after.role](user.owner_name),
      })
