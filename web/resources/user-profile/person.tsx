// Profile section: the user's name and contact, the theme of the app, and switching to another user of the same login.
import { useState } from 'react'
import * as users from '#contract/users.ts'
import { switchTo } from '#web/frame/switch-to.ts'
import { Field } from '#web/kit/form/field.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import { TimeField } from '#web/kit/form/time-field.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { session, useSession, type User } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import { Row, Section } from '#web/ui/page.tsx'
import { useScheme, type Scheme } from '#web/ui/provider.tsx'
import { Select } from '#web/ui/select.tsx'
import styles from './user-profile.module.css'

export function Person() {
  const { user, users: others } = useSession()
  const mayRead = useMayCall(users.get)
  if (!user) return null
  return (
    <div className={styles.person}>
      {mayRead ? <PersonForm user={user} /> : <PersonFacts user={user} />}
      <Section title="Look" hint="For this browser.">
        <Theme />
      </Section>
      {others.length > 0 && (
        <Section title="Work as" hint="Your e-mail address belongs to several users. Each sees its own part.">
          <ul className={styles.others}>
            {others.map((other) => (
              <Other key={other.id} user={other} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

/** For those who may not read users, not even themselves. */
const PersonFacts = ({ user }: { user: User }) => (
  <Section title="You" hint="An editor can change this for you.">
    <FieldFact label="Full name">{user.name}</FieldFact>
    <OwnEmail user={user} />
    <FieldFact label="Works for">{user.owner_name}</FieldFact>
  </Section>
)

const OwnEmail = ({ user }: { user: User }) => (
  <FieldFact label="E-mail" reason="Your login. It cannot be changed here.">
    {user.email}
  </FieldFact>
)

const OwnFields = users.UserInput.pick({
  name: true,
  company_name: true,
  contact_email: true,
  username: true,
  outage_mails: true,
  outage_texts: true,
  mobile_number: true,
  quiet_from: true,
  quiet_until: true,
})

function PersonForm({ user }: { user: User }) {
  const form = useResource(users, OwnFields, user.id)
  const showName = () => {
    const { user: now, users: others } = session.get()
    const name = form.saved()?.name
    if (now && name) session.enter({ ...now, name }, others)
  }
  return (
    <ResourceForm form={form} noun="profile" back={to.dashboard()} onDone={showName}>
      <Section
        title="You"
        hint={
          form.readOnly
            ? 'An editor of the whole company or group can change this for you.'
            : 'Your colleagues see your name beside what you do.'
        }
      >
        <Row>
          <Field form={form} name="name" autoComplete="name" />
          <Field form={form} name="company_name" autoComplete="organization" />
        </Row>
        <OwnEmail user={user} />
        <Row>
          <Field form={form} name="contact_email" type="email" autoComplete="email" />
          <Field form={form} name="username" />
        </Row>
      </Section>
      <Section
        title="Outages"
        hint="One message when it begins, one when it has been over for half an hour. Times are the company's."
      >
        <SwitchField form={form} name="outage_mails" />
        <SwitchField form={form} name="outage_texts" />
        <Field form={form} name="mobile_number" type="tel" autoComplete="tel" placeholder="+44 7700 900123" />
        <Row>
          <TimeField form={form} name="quiet_from" />
          <TimeField form={form} name="quiet_until" />
        </Row>
      </Section>
    </ResourceForm>
  )
}

const schemes: { value: Scheme; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const isScheme = (value: string | null): value is Scheme => schemes.some((scheme) => scheme.value === value)

function Theme() {
  const [scheme, setScheme] = useScheme()
  return (
    <Select
      label="Theme"
      name="theme"
      options={schemes}
      value={scheme}
      clearable={false}
      onChange={(value) => isScheme(value) && setScheme(value)}
    />
  )
}

function Other({ user }: { user: User }) {
  const [busy, setBusy] = useState(false)
  const change = async () => {
    setBusy(true)
    try {
      await switchTo(user.id)
    } catch (error) {
      notify.failure(error)
      setBusy(false)
    }
  }
  return (
    <li>
      <span>
        <strong>{user.owner_name}</strong>
        {user.owner_type}
      </span>
      <Button busy={busy} onClick={() => void change()}>
        Switch
      </Button>
    </li>
  )
}
