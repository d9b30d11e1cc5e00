// Gateway form: a new gateway step by step, and all of one that exists.
import * as gateways from '#contract/gateways.ts'
import { GatewayInput } from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { Field, PasswordField } from '#web/kit/form/field.tsx'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { StatusField } from '#web/kit/form/status-field.tsx'
import { SwitchField } from '#web/kit/form/switch-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { PageHeader, Row, Section } from '#web/ui/page.tsx'
import { keepSecret } from './secret.ts'

interface Fields {
  form: Form<typeof GatewayInput>
}

const GatewayFields = ({ form, locked, first = false }: Fields & { locked: boolean; first?: boolean }) => (
  <Section title="Gateway" hint="What kind of box it is, and where it stands.">
    <Row>
      <Field form={form} name="name" label="Name" placeholder="Called after its type" first={first} />
      <Lookup form={form} name="gateway_type_id" label="Type" from={reference.gatewayTypes} />
    </Row>
    <Lookup
      form={locked ? { ...form, readOnly: true } : form}
      name="property_id"
      label="Property"
      from={properties.names}
    />
  </Section>
)

const NetworkFields = ({ form, made }: Fields & { made: boolean }) => (
  <Section title="Network" hint="How its packets are told from those of others. All of it may be filled in later.">
    <Row>
      <Field form={form} name="mac_address" label="MAC address" placeholder="00:00:5e:00:53:01" autoComplete="off" />
      <Field form={form} name="ip_address" label="IP address" placeholder="192.0.2.1" autoComplete="off" />
    </Row>
    <Row>
      <Field form={form} name="dns_name" label="DNS name" placeholder="wifi.example.com" autoComplete="off" />
      <Field form={form} name="gateway_dns_setting" label="DNS setting" autoComplete="off" />
    </Row>
    <Field
      form={form}
      name="nas_identifier"
      label="NAS identifier"
      hint={
        made
          ? 'How it names itself to RADIUS. What the gateway has must be the same.'
          : 'How it names itself to RADIUS. Leave it empty, and one is made.'
      }
      autoComplete="off"
    />
  </Section>
)

const AccessFields = ({ form, hasPassword }: Fields & { hasPassword: boolean }) => (
  <Section title="Access" hint="For types that are told by their own interface whom to let in. It is stored sealed.">
    <Row>
      <Field form={form} name="username" label="Username" autoComplete="off" />
      {!form.readOnly && (
        <PasswordField
          form={form}
          name="password"
          label={hasPassword ? 'New password' : 'Password'}
          placeholder={hasPassword ? 'Unchanged' : ''}
          autoComplete="new-password"
        />
      )}
    </Row>
    <SwitchField
      form={form}
      name="counts_from_gateway_side"
      label="Counts traffic from its own side"
      hint="Turn it on where a guest's downloads are shown as uploads."
    />
  </Section>
)

export function GatewayForm({
  id,
  property_id,
  hasPassword,
}: {
  id: number
  property_id: number
  hasPassword: boolean
}) {
  const form = useResource(gateways, GatewayInput, id)
  return (
    <ResourceForm form={form} noun="gateway" back={to.gatewaysOf(property_id)}>
      <GatewayFields form={form} locked />
      <NetworkFields form={form} made />
      <AccessFields form={form} hasPassword={hasPassword} />
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

export function NewGateway({ property_id }: { property_id?: number }) {
  const back = to.gatewaysOf(property_id)
  return (
    <>
      <PageHeader title="New gateway" above={<Link href={back}>Gateways</Link>} />
      <Permitted to={gateways.create} back={back} icon="gateways">
        <GatewayWizard {...(property_id ? { property_id } : {})} />
      </Permitted>
    </>
  )
}

/** The create's answer has the secret, once: it waits for the page that shows it. */
function done(gateway: object & { id: number }): string {
  if ('radius_secret' in gateway && typeof gateway.radius_secret === 'string')
    keepSecret(gateway.id, gateway.radius_secret)
  return to.gateway(gateway.id, 'setup')
}

function GatewayWizard({ property_id }: { property_id?: number }) {
  const form = useResource(gateways, GatewayInput, undefined, property_id ? { property_id } : {})
  return (
    <Wizard
      form={form}
      noun="gateway"
      back={to.gatewaysOf(property_id)}
      done={done}
      steps={[
        {
          title: 'Gateway',
          fields: ['name', 'gateway_type_id', 'property_id'],
          body: <GatewayFields form={form} locked={property_id !== undefined} first />,
        },
        {
          title: 'Network',
          fields: ['mac_address', 'ip_address', 'dns_name', 'gateway_dns_setting', 'nas_identifier'],
          body: <NetworkFields form={form} made={false} />,
        },
        {
          title: 'Access',
          fields: ['username', 'password', 'counts_from_gateway_side'],
          body: <AccessFields form={form} hasPassword={false} />,
        },
      ]}
    />
  )
}
