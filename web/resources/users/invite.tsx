// Invite user: a dialog with an address, `?modal=invite-user&group_id=4`. The ids of its address say whose user it will be.
import * as reference from '#contract/reference.ts'
import { words } from '#contract/words.ts'
import * as users from '#contract/users.ts'
import { call, Refused, sentenceOf } from '#web/kit/call.ts'
import { Field } from '#web/kit/field.tsx'
import { Lookup } from '#web/kit/lookup.tsx'
import { notify } from '#web/kit/notify.ts'
import { forgetLists, staleOthers } from '#web/kit/query-client.ts'
import { useForm } from '#web/kit/use-form.ts'
import { constants } from '#contract/constants.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './invite.module.css'

export interface InviteUserProps {
  property_id?: number
  group_id?: number
  close: () => void
}

/** Without an id of the address, the server takes the owner of the one who invites. */
const ownerOf = ({ property_id, group_id }: InviteUserProps) =>
  property_id
    ? { owner_type: 'properties', owner_id: property_id }
    : group_id
      ? { owner_type: 'groups', owner_id: group_id }
      : {}

export function InviteUser(props: InviteUserProps) {
  const form = useForm(users.Invitation, { email: '', name: '', user_type_id: 1 }, async (values) => {
    try {
      await call(users.invite, { ...values, ...ownerOf(props) } as never)
    } catch (error) {
      notify.error(error instanceof Refused ? sentenceOf(error) : words.team.inviteFailed)
      throw error
    }
    forgetLists(users.list.path)
    staleOthers()
    notify.success(words.team.invited)
    props.close()
  })
  const filled = String(form.values['email'] ?? '').trim() !== '' && String(form.values['name'] ?? '').trim() !== ''
  return (
    <Dialog open onClose={props.close} title="Invite user" width={constants.widths.invite_min_px}>
      <form {...form.bind} className={styles.form}>
        <p className={styles.lead}>They get an e-mail with a link that is good for 7 days.</p>
        <Field form={form} name="name" label="Full name" autoFocus autoComplete="off" />
        <Field form={form} name="email" label="E-mail" type="email" />
        <Lookup
          form={form}
          name="user_type_id"
          label="Permission"
          from={reference.userTypes}
          hint="Viewers look, editors change."
        />
        <div className={styles.buttons}>
          <Button onClick={props.close}>{words.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving} disabled={!filled}>
            {words.team.sendInvite}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
