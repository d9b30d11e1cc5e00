// Account form: for a new guest account and for an existing one. Only rooms of its property can be chosen.
import * as accounts from '#contract/accounts.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { MomentField } from '#web/kit/form/moment-field.tsx'
import { useMomentsIn } from '#web/kit/form/moments-in.ts'
import { usePlace, type Place } from '#web/kit/form/place.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Unkept, whereIn } from '#web/limits/unkept.tsx'
import { useZoneOf } from '#web/limits/zone-of.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'
import { easyPassword } from '#web/kit/made/easy-password.ts'
import { easyUsername, GuestPassword } from './guest-password.tsx'
import styles from './accounts.module.css'

export function AccountForm({ id, preset = {}, back }: { id?: number; preset?: Place; back: string }) {
  const place = usePlace(preset, id)
  const form = useResource(accounts, accounts.AccountInput, id, place.preset)
  const property_id = Number(form.values['property_id']) || undefined
  const times = useMomentsIn(form, id === undefined ? ['expires_at'] : [], useZoneOf(property_id))
  return (
    <ResourceForm
      form={form}
      noun="account"
      back={back}
      onDone={(account) => id === undefined && go(to.account(account.id), { replace: true })}
    >
      <FieldSection
        form={form}
        fields={accounts.fields}
        section="guest"
        title="Guest"
        hint="Who it is, and where they stay."
        rows={[['name'], ['property_id', 'room_id'], ['email', 'mobile_number'], ['external_reference']]}
        own={{
          name: <Field form={form} name="name" first={id === undefined} autoComplete="off" />,
          property_id: place.isAsked && (
            <Lookup form={place.isFixed ? { ...form, readOnly: true } : form} name="property_id" />
          ),
          email: <Field form={form} name="email" type="email" />,
          mobile_number: <Field form={form} name="mobile_number" type="tel" placeholder="+44 20 7946 0000" />,
          external_reference: (
            <Field form={form} name="external_reference" placeholder="The guest’s number in another system" />
          ),
        }}
      />
      <FieldSection
        form={form}
        fields={accounts.fields}
        section="sign_in"
        title="Sign-in"
        hint="What the guest types at the portal."
        rows={[['username', 'password']]}
        own={{
          username: <Field form={form} name="username" autoComplete="off" hint="Must be unique within the property." />,
          password: <GuestPassword form={form} />,
        }}
      >
        <SignInMissing form={form} />
      </FieldSection>
      <FieldSection
        form={form}
        fields={accounts.fields}
        section="service"
        title="Service"
        hint="What the guest gets, and for how long."
        rows={[['package_id', 'account_type_id']]}
        own={{
          expires_at: (
            <MomentField
              form={form}
              name="expires_at"
              empty="Never"
              zone={times.zone}
              hint={['Leave it empty for an account that never expires.', times.hint].filter(Boolean).join(' ')}
            />
          ),
        }}
      >
        <Unkept package_id={form.values['package_id']} where={whereIn(form.values)} />
      </FieldSection>
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'The guest can sign in.',
            disabled: 'The guest cannot sign in. Everything is kept.',
            draft: 'Still being set up. The guest cannot sign in yet.',
          }}
        />
      </Section>
    </ResourceForm>
  )
}

/** Warns before saving, as such a guest would only find out at the portal. */
function SignInMissing({ form }: { form: Form<typeof accounts.AccountInput> }) {
  const { username, password, room_id, name } = form.values
  if (form.readOnly || (username && password)) return null
  const missing = [!username && 'a username', !password && 'a password'].filter(Boolean).join(' and ')
  const make = () => {
    if (!username) form.set('username', easyUsername(typeof name === 'string' ? name : ''))
    if (!password) form.set('password', easyPassword())
  }
  return (
    <Notice>
      <p>
        Without {missing}, this guest cannot sign in
        {room_id ? ', except with the room number where the portal offers that.' : '.'}
      </p>
      <div className={styles.make}>
        <Button onClick={make}>Make {missing}</Button>
      </div>
    </Notice>
  )
}
