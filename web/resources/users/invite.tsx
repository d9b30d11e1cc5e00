// Invite user: a dialog with an address, `?modal=invite-user&group_id=4`. The ids in the address determine the owner of the new
// users. Several people can be invited at once, all with the same permission.
import { z } from 'zod'
import { constants } from '#contract/constants.ts'
import type { Output } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import { email, ref, text } from '#contract/shapes.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import { messages } from '#contract/messages.ts'
import { call, Refused, sentenceOf } from '#web/kit/call/call.ts'
import { Field } from '#web/kit/form/field.tsx'
import { useLeaveGuard } from '#web/kit/form/leave-guard.ts'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { permissionHint } from '#web/kit/form/permission-select.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { General } from '#web/kit/form/resource-form.tsx'
import { useTypedState } from '#web/kit/form/typed.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { useMayCall } from '#web/session/may.ts'
import { session } from '#web/session/session.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { ownerOf, placeOf } from './invite-owner.ts'
import styles from './invite.module.css'

export interface InviteUserProps {
  property_id?: number
  group_id?: number
  /** The team to invite into: users get its owner and its permission. */
  team_id?: number
  close: () => void
}

/** Fields of forms are flat: the second person's are `name_2` and `email_2`. */
const schemaFor = (people: readonly number[]) =>
  z.object({
    user_type_id: ref('user_types'),
    ...Object.fromEntries(
      people.flatMap((n) => [
        [`name_${n}`, text()],
        [`email_${n}`, email],
      ]),
    ),
  })

/** Maps the server's errors, `email` for one person and `emails.1` for several, to the fields of the form. */
function fieldsOf(errors: FieldErrors, people: readonly number[]): FieldErrors {
  const fields = Object.entries(errors).map(([path, sentences]): [string, string[]] => {
    const [, name, at = '0'] = /^(email|name)s?(?:\.(\d+))?$/.exec(path) ?? []
    return [name ? `${name}_${people[Number(at)] ?? people[0]}` : path, sentences]
  })
  return Object.fromEntries(fields)
}

const people_max = 20

type Values = Record<string, unknown>
const typedIn = (values: Values, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value.trim() : ''
}

async function send(values: Values, people: readonly number[], props: InviteUserProps) {
  const emails = people.map((n) => typedIn(values, `email_${n}`))
  const names = people.map((n) => typedIn(values, `name_${n}`))
  const rest = { user_type_id: Number(values['user_type_id']), ...ownerOf(props, session.get().user) }
  if (props.team_id) await call(users.inviteTeamMembers, { emails, names, team_id: props.team_id })
  else if (people.length > 1) await call(users.inviteTeamMembers, { emails, names, ...rest })
  else await call(users.invite, { email: emails[0] ?? '', name: names[0] ?? '', ...rest })
}

export function InviteUser(props: InviteUserProps) {
  const mayInvite = useMayCall(users.invite)
  if (mayInvite)
    return props.team_id ? <InviteIntoTeam {...props} team_id={props.team_id} /> : <InviteForm {...props} />
  return (
    <Dialog open onClose={props.close} title="Invite user" width={constants.widths.invite_min_px}>
      <NotPermitted icon="mail" />
    </Dialog>
  )
}

function InviteIntoTeam({ team_id, close }: { team_id: number; close: () => void }) {
  const team = useRecord(teams, team_id)
  return <InviteForm team_id={team_id} close={close} into={team} />
}

function InviteForm({ into, ...props }: InviteUserProps & { into?: Output<typeof teams.get> | undefined }) {
  const [people, setPeople] = useTypedState<readonly number[]>('people', [1])
  const form = useForm(schemaFor(people), { user_type_id: 1 }, async (values) => {
    try {
      await send(values, people, props)
    } catch (error) {
      notify.error(error instanceof Refused && error.fromServer ? sentenceOf(error) : messages.team.inviteFailed)
      if (!(error instanceof Refused)) throw error
      throw new Refused(error.status, error.message, fieldsOf(error.errors, people), error.retry_after_s)
    }
    forgetLists(users.list.path)
    if (props.team_id) forgetLists(teams.list.path)
    invalidateOthers()
    notify.success(messages.team.invited)
    props.close()
  })
  useLeaveGuard(form)
  const typed = (name: string) => typedIn(form.values, name)
  const filled = people.every((n) => typed(`name_${n}`) !== '' && typed(`email_${n}`) !== '')
  return (
    <Dialog
      open
      onClose={props.close}
      title={props.team_id ? `Invite into ${into?.name ?? 'the team'}` : 'Invite user'}
      width={constants.widths.invite_min_px}
    >
      <form {...form.bind} className={styles.form}>
        <p className={styles.lead}>They get an e-mail with a link that works for 7 days.</p>
        <General sentences={form.general} />
        {people.map((n, index) => (
          <div key={n} className={styles.person}>
            <Field form={form} name={`name_${n}`} label="Full name" first />
            <Field form={form} name={`email_${n}`} label="E-mail" type="email" />
            {index > 0 && (
              <IconButton
                icon="close"
                label={`Leave out ${typed(`name_${n}`) || `person ${index + 1}`}`}
                onClick={() => setPeople(people.filter((other) => other !== n))}
              />
            )}
          </div>
        ))}
        {people.length < people_max && (
          <div className={styles.more}>
            <Button kind="quiet" icon="add" onClick={() => setPeople([...people, Math.max(...people) + 1])}>
              Another person
            </Button>
            {people.length === 1 && !props.team_id && (
              <LinkButton kind="quiet" href={to.newUser(placeOf(props))}>
                One person, with all details
              </LinkButton>
            )}
          </div>
        )}
        {!props.team_id && <InvitedTo {...props} />}
        {props.team_id ? (
          <FieldFact label="Permission">{into?.user_type.name}</FieldFact>
        ) : (
          <Lookup form={form} name="user_type_id" label="Permission" to="user_types" hint={permissionHint} />
        )}
        <div className={styles.buttons}>
          <Button onClick={props.close}>{messages.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving} disabled={!filled}>
            {messages.team.sendInvite}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The owner of the new users, if the address names one. */
function InvitedTo({ property_id, group_id }: Pick<InviteUserProps, 'property_id' | 'group_id'>) {
  if (property_id) return <NameOf of={properties} id={property_id} label="Property" />
  return group_id ? <NameOf of={groups} id={group_id} label="Group" /> : null
}
const NameOf = ({ of, id, label }: { of: typeof properties | typeof groups; id: number; label: string }) => (
  <FieldFact label={label}>{useRecord<typeof properties | typeof groups>(of, id)?.name}</FieldFact>
)
