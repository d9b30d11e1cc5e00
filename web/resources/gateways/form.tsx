// Gateway form: for an existing gateway; its sections are also the steps of the wizard for a new one.
import { useEffect } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { ParameterFields } from '#web/kit/form/parameter-fields.tsx'
import { asksFor, useSettingsOfKind } from '#web/kit/form/parameter-kind.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Row, Section } from '#web/ui/page.tsx'
import { takeCertificate } from './certificate.ts'
import { healthOf } from './health.ts'
import { schemaOf, useKinds, type GatewaySchema, type KnownKind } from './kinds.ts'

interface Fields {
  form: Form<GatewaySchema>
}
interface OfKind {
  kind: KnownKind
}

/** Of what is kept for makes whose guests are not let in from the portal yet. */
const notUsed = 'Not used yet.'
/** Makes that are served and ask for them are called with them. */
const signInHint = (kind: KnownKind) =>
  kind?.served && kind.fields.includes('username') ? 'What Foyer signs in to the controller with.' : notUsed

export const GatewayFields = ({ form, locked, first = false }: Fields & { locked: boolean; first?: boolean }) => (
  <FieldSection
    form={form}
    fields={gateways.fields}
    section="gateway"
    title="Gateway"
    hint="What kind of box it is, and where it stands."
    rows={[['name', 'gateway_type_id']]}
    own={{
      name: <Field form={form} name="name" placeholder="Named after its type" first={first} />,
      property_id: <Lookup form={locked ? { ...form, readOnly: true } : form} name="property_id" />,
    }}
  />
)

export const NetworkFields = ({ form, kind, made }: Fields & OfKind & { made: boolean }) => (
  <FieldSection
    form={form}
    fields={gateways.fields}
    section="network"
    title="Network"
    hint="How Foyer recognises what it sends. You can fill this in later."
    rows={[
      ['mac_address', 'ip_address'],
      ['dns_name', 'gateway_dns_setting'],
    ]}
    own={{
      mac_address: <Field form={form} name="mac_address" placeholder="00:00:5e:00:53:01" autoComplete="off" />,
      ip_address: <Field form={form} name="ip_address" placeholder="192.0.2.1" autoComplete="off" />,
      dns_name: <Field form={form} name="dns_name" placeholder="wifi.example.com" autoComplete="off" />,
      gateway_dns_setting: asksFor(kind, 'gateway_dns_setting', form.values['gateway_dns_setting']) && (
        <Field form={form} name="gateway_dns_setting" hint={notUsed} autoComplete="off" />
      ),
      nas_identifier: (
        <Field
          form={form}
          name="nas_identifier"
          hint={
            made
              ? 'The name it gives in RADIUS requests, so that Foyer knows which gateway it is. It must be the same on the gateway.'
              : 'The name it gives in RADIUS requests, so that Foyer knows which gateway it is. Leave it empty to have one made.'
          }
          autoComplete="off"
        />
      ),
    }}
  />
)

const loginMethods = [
  { value: 'post', label: 'As a form (POST)' },
  { value: 'get', label: 'In an address (GET)' },
]

interface Secrets {
  hasPassword: boolean
  /** The keys of the settings' secrets that are set. */
  secretsSet: readonly string[]
}

/** What the kind needs to be told, and nothing else. */
export function AccessFields({ form, kind, hasPassword, secretsSet }: Fields & OfKind & Secrets) {
  const { values } = form
  const parameters = kind?.parameters ?? []
  const isAsked = {
    username: asksFor(kind, 'username', values['username']),
    password: hasPassword || asksFor(kind, 'password', values['password']),
    counts_from_gateway_side: asksFor(kind, 'counts_from_gateway_side'),
    takes_unsigned: asksFor(kind, 'takes_unsigned'),
    login_method: asksFor(kind, 'login_method'),
    disconnect_port: asksFor(kind, 'disconnect_port'),
  }
  if (kind && parameters.length === 0 && !Object.values(isAsked).some(Boolean))
    return (
      <Section title="Access">
        <p>{kind.name} needs no further settings.</p>
      </Section>
    )
  return (
    <FieldSection
      form={form}
      fields={gateways.fields}
      section="access"
      title="Access"
      hint="What this kind of gateway needs. Secrets are stored encrypted."
      rows={[['username', 'password']]}
      own={{
        username: isAsked.username && <Field form={form} name="username" hint={signInHint(kind)} autoComplete="off" />,
        password: isAsked.password && !form.readOnly && (
          <PasswordField
            form={form}
            name="password"
            label={hasPassword ? 'New password' : 'Password'}
            placeholder={hasPassword ? 'Unchanged' : ''}
            hint={signInHint(kind)}
            autoComplete="new-password"
          />
        ),
        counts_from_gateway_side: isAsked.counts_from_gateway_side && (
          <SwitchField
            form={form}
            name="counts_from_gateway_side"
            hint={
              'Most gateways count what the guest sends and receives; some count from their own side, and downloads are then shown as ' +
              'uploads. Turn this on for those.'
            }
          />
        ),
        takes_unsigned: isAsked.takes_unsigned && (
          <SwitchField
            form={form}
            name="takes_unsigned"
            hint="Only where the gateway cannot send Message-Authenticator and cannot be updated: unsigned requests can be forged."
          />
        ),
        login_method: isAsked.login_method && (
          <ChoiceField
            form={form}
            name="login_method"
            hint="From a page on https to a gateway on http browsers stop a form with a full-page warning."
            options={loginMethods}
          />
        ),
        disconnect_port: isAsked.disconnect_port && (
          <Field
            form={form}
            name="disconnect_port"
            hint="Where it listens for our request to disconnect a guest (UDP). Usually 3799; MikroTik calls it RADIUS incoming."
          />
        ),
        settings: parameters.length > 0 && (
          <ParameterFields form={form} name="settings" parameters={parameters} secretsSet={secretsSet} />
        ),
      }}
    />
  )
}

export function GatewayForm({ gateway }: { gateway: Output<typeof gateways.get> }) {
  const { id, property_id, has_password, last_seen_at, settings_set } = gateway
  const kindOf = useKinds()
  const form = useResource(
    gateways,
    (values: Record<string, unknown>) => schemaOf(kindOf(values['gateway_type_id']), settings_set),
    id,
  )
  const kind = kindOf(form.values['gateway_type_id'])
  useSettingsOfKind(form, kind)
  const { state, values, set } = form
  useEffect(() => {
    const tls_fingerprint = state === 'ready' ? takeCertificate(id) : undefined
    if (tls_fingerprint !== undefined) set('settings', { ...(values['settings'] as object), tls_fingerprint })
  }, [id, state, values, set])
  return (
    <ResourceForm form={form} noun="gateway" back={to.gatewaysOf(property_id)}>
      <GatewayFields form={form} locked />
      <Section title="Health" hint="Whether Foyer hears from it.">
        <Row>
          <FieldFact label="State">{healthOf(gateway).words}</FieldFact>
          <FieldFact label="Last heard" empty="Never">
            {timeOf(last_seen_at)}
          </FieldFact>
        </Row>
      </Section>
      <NetworkFields form={form} kind={kind} made />
      <AccessFields form={form} kind={kind} hasPassword={has_password} secretsSet={settings_set} />
      <Section title="Status">
        <StatusField
          form={form}
          means={{
            active: 'It is answered when it asks who may go online.',
            disabled: 'It is not answered. Everything is kept.',
          }}
        />
      </Section>
    </ResourceForm>
  )
}
