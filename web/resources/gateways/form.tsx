// Gateway form: for an existing gateway; its sections are also the steps of the wizard for a new one.
import type { Output } from '#contract/endpoint.ts'
import * as gateways from '#contract/gateways.ts'
import { GatewayInput } from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { ChoiceField } from '#web/kit/form/choice-field.tsx'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { to } from '#web/paths.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Row, Section } from '#web/ui/page.tsx'
import { generic_type, healthOf } from './health.ts'

interface Fields {
  form: Form<typeof GatewayInput>
}

export const GatewayFields = ({ form, locked, first = false }: Fields & { locked: boolean; first?: boolean }) => (
  <FieldSection
    form={form}
    fields={gateways.fields}
    section="gateway"
    title="Gateway"
    hint="What kind of box it is, and where it stands."
    rows={[['name', 'gateway_type_id']]}
    own={{
      name: <Field form={form} name="name" placeholder="Called after its type" first={first} />,
      gateway_type_id: <Lookup form={form} name="gateway_type_id" from={reference.gatewayTypes} />,
      property_id: (
        <Lookup form={locked ? { ...form, readOnly: true } : form} name="property_id" from={properties.names} />
      ),
    }}
  />
)

export const NetworkFields = ({ form, made }: Fields & { made: boolean }) => (
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
      gateway_dns_setting: <Field form={form} name="gateway_dns_setting" autoComplete="off" />,
      nas_identifier: (
        <Field
          form={form}
          name="nas_identifier"
          hint={
            made
              ? 'How it names itself to RADIUS. What the gateway has must be the same.'
              : 'How it names itself to RADIUS. Leave it empty, and one is made.'
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

export const AccessFields = ({ form, hasPassword }: Fields & { hasPassword: boolean }) => (
  <FieldSection
    form={form}
    fields={gateways.fields}
    section="access"
    title="Access"
    hint="For types that are told through their own interface whom to let in. Stored encrypted."
    rows={[['username', 'password']]}
    own={{
      username: <Field form={form} name="username" autoComplete="off" />,
      password: !form.readOnly && (
        <PasswordField
          form={form}
          name="password"
          label={hasPassword ? 'New password' : 'Password'}
          placeholder={hasPassword ? 'Unchanged' : ''}
          autoComplete="new-password"
        />
      ),
      counts_from_gateway_side: (
        <SwitchField
          form={form}
          name="counts_from_gateway_side"
          hint="Turn it on where a guest's downloads are shown as uploads."
        />
      ),
      takes_unsigned: (
        <SwitchField
          form={form}
          name="takes_unsigned"
          hint="Only where the gateway cannot send Message-Authenticator and cannot be updated: unsigned requests can be forged."
        />
      ),
      login_method: Number(form.values.gateway_type_id) === generic_type && (
        <ChoiceField
          form={form}
          name="login_method"
          hint="From a page on https to a gateway on http browsers stop a form with a full-page warning."
          options={loginMethods}
        />
      ),
      disconnect_port: (
        <Field
          form={form}
          name="disconnect_port"
          hint="Where it listens for our request to disconnect a guest (UDP). Usually 3799; MikroTik calls it RADIUS incoming."
        />
      ),
    }}
  />
)

export function GatewayForm({ gateway }: { gateway: Output<typeof gateways.get> }) {
  const { id, property_id, has_password, last_seen_at } = gateway
  const form = useResource(gateways, GatewayInput, id)
  return (
    <ResourceForm form={form} noun="gateway" back={to.gatewaysOf(property_id)}>
      <GatewayFields form={form} locked />
      <Section title="Health" hint="Whether it asks, as it should.">
        <Row>
          <FieldFact label="State">{healthOf(last_seen_at).words}</FieldFact>
          <FieldFact label="Last heard" empty="Never">
            {timeOf(last_seen_at)}
          </FieldFact>
        </Row>
      </Section>
      <NetworkFields form={form} made />
      <AccessFields form={form} hasPassword={has_password} />
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
