// User detail: one of the operator's people: who they are, whom they work for, and what they may do.
import { useState } from 'react'
import * as activity from '#contract/activity.ts'
import * as users from '#contract/users.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { MailLink } from '#web/kit/display/mail-link.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { PermissionSelect } from '#web/kit/form/permission-select.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { TimeField } from '#web/kit/form/time-field.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { hasScreen, to } from '#web/paths.ts'
import { inviteAgain, userKind } from './kind.ts'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import type { Reply } from '#contract/endpoint.ts'
import { NewUser } from './create.tsx'
import styles from './users.module.css'

type User = Reply<typeof users.get>['data']

/** The e-mail address is the login and cannot be changed, and neither can the owner. */
const UserFields = users.UserInput.omit({
  email: true,
  user_type_id: true,
  owner_type: true,
  owner_id: true,
  active: true,
})

/** The list that this person is in: all users, or the tab of the property that they belong to. */
function listOf(user: User | undefined): { title: string; href: string } {
  if (hasScreen(appContext(), 'users')) return { title: 'Users', href: to.users() }
  if (user?.owner_type === 'Property' && !user.owner_removed && hasScreen(appContext(), 'properties/update'))
    return { title: user.owner_name, href: to.property(user.owner_id, 'users') }
  return { title: 'Dashboard', href: to.dashboard() }
}

export const UserScreen = ({ id, ...place }: { id?: number; property_id?: number; group_id?: number }) =>
  id === undefined ? <NewUser {...place} /> : <UserDetail id={id} />

function UserDetail({ id }: { id: number }) {
  const user = useRecord(users, id)
  const back = listOf(user)
  const isMe = useSession().user?.id === id
  return (
    <DetailTabs
      of="User"
      name={user?.name}
      status={user?.status}
      back={back}
      actions={
        <>
          {isMe && hasScreen(appContext(), 'user-profile') && (
            <LinkButton icon="user" href={to.userProfile(id, 'profile')}>
              Your profile
            </LinkButton>
          )}
          <RecordActions kind={userKind} record={user} back={back.href} />
        </>
      }
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={users} id={id}>
              {(person) => <UserOverview user={person} />}
            </WhenLoaded>
          ),
        },
        details: { title: 'Details', body: () => <UserForm id={id} back={back.href} /> },
      }}
    />
  )
}

function InviteAgain({ user }: { user: User }) {
  const [busy, setBusy] = useState(false)
  const invite = async () => {
    setBusy(true)
    await inviteAgain(user).catch(notify.failure)
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={() => void invite()}>
      Invite again
    </Button>
  )
}

function UserOverview({ user }: { user: User }) {
  const mayInvite = useMayCall(users.invite)
  return (
    <Overview
      log={{ of: activity.list, object_type: 'users', object_id: user.id }}
      todo={[
        user.draft && {
          ...(user.invitation_undelivered
            ? { title: 'The invitation was not delivered', text: 'Check the address, and invite them again.' }
            : { title: 'Has not accepted the invitation yet', text: 'The link in the mail works for 7 days.' }),
          action: mayInvite && <InviteAgain user={user} />,
        },
        !user.draft && !user.active && { title: 'This user is disabled', text: 'They cannot sign in here.' },
      ]}
    >
      <Panel title="Person">
        <FieldFacts
          fields={users.fields}
          of={user}
          first={[
            ['email', [<MailLink key="mail" address={user.email} />]],
            ['owner_name', [<Owner key="owner" user={user} />]],
            ['logged_in_at', [timeOf(user.logged_in_at), 'Never']],
          ]}
          sections={['person', 'contact']}
          own={{
            name: null,
            username: null,
            contact_email: [user.contact_email && <MailLink key="contact" address={user.contact_email} />],
          }}
          last={[['created_at']]}
        />
      </Panel>
      <Panel title="Access">
        <PermissionSelect of={users} user={user} />
      </Panel>
    </Overview>
  )
}

function UserForm({ id, back }: { id: number; back: string }) {
  const form = useResource(users, UserFields, id)
  return (
    <ResourceForm form={form} noun="user" back={back}>
      <FieldSection
        form={form}
        fields={users.fields}
        section="person"
        title="Person"
        hint="Their e-mail address is their login and cannot be changed here."
        own={{ email: <FieldFact label={form.labelOf('email')}>{form.record?.email}</FieldFact> }}
      />
      <FieldSection
        form={form}
        fields={users.fields}
        section="contact"
        title="Contact"
        hint="For your own records."
        rows={[['company_name', 'username']]}
        own={{
          contact_email: (
            <Field form={form} name="contact_email" type="email" hint="If it differs from the one they sign in with." />
          ),
        }}
      />
      <FieldSection
        form={form}
        fields={users.fields}
        section="told"
        title="Outages"
        hint="One message when it begins, one when it has been over for half an hour. Times are the company’s."
        rows={[['quiet_from', 'quiet_until']]}
        own={{
          outage_mails: <SwitchField form={form} name="outage_mails" />,
          outage_texts: <SwitchField form={form} name="outage_texts" />,
          mobile_number: <Field form={form} name="mobile_number" type="tel" placeholder="+44 7700 900123" />,
          quiet_from: <TimeField form={form} name="quiet_from" />,
          quiet_until: <TimeField form={form} name="quiet_until" />,
        }}
      />
    </ResourceForm>
  )
}

/** The name of the group or property, as a link if it can be opened in this context. */
function Owner({ user: { owner_type, owner_id, owner_name, owner_removed } }: { user: User }) {
  const context = appContext()
  const href = owner_removed
    ? undefined
    : owner_type === 'Group' && hasScreen(context, 'groups/update')
      ? to.group(owner_id, 'users')
      : owner_type === 'Property' && hasScreen(context, 'properties/update')
        ? to.property(owner_id, 'users')
        : undefined
  return (
    <>
      {href ? <Link href={href}>{owner_name}</Link> : owner_name}
      <span className={styles.kind}>{owner_type}</span>
    </>
  )
}
