// New gateway: a wizard, which is filled in from an unregistered gateway if the address names one.
import type { Output } from '#contract/endpoint.ts'
import { fieldsIn } from '#contract/fields.ts'
import * as gateways from '#contract/gateways.ts'
import { useSettingsOfKind } from '#web/kit/form/parameter-kind.ts'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { AccessFields, GatewayFields, NetworkFields } from './form.tsx'
import { schemaOf, useKinds } from './kinds.ts'
import { keepSecret } from './secret.ts'
import { useUnregistered } from './unregistered.tsx'

export interface GatewayPreset {
  property_id?: number
  /** An unregistered gateway that has sent requests: what is known of it is filled in. */
  unregistered_id?: number
  gateway_type_id?: number
}

export function NewGateway({ property_id, unregistered_id, gateway_type_id }: GatewayPreset) {
  const unregistered = useUnregistered(unregistered_id ? property_id : undefined)
  const known = unregistered.data?.find(({ id }) => id === unregistered_id)
  const back = to.gatewaysOf(property_id)
  return (
    <>
      <PageHeader title="New gateway" above={<Link href={back}>Gateways</Link>} />
      <Permitted to={gateways.create} back={back} icon="gateways">
        {unregistered_id && unregistered.isPending && property_id ? (
          <Skeleton height={320} />
        ) : (
          <GatewayWizard
            preset={{
              ...(property_id ? { property_id } : {}),
              ...(gateway_type_id ? { gateway_type_id } : {}),
              ...knownOf(known),
            }}
          />
        )}
      </Permitted>
    </>
  )
}

/** Only the answer to the creation contains the secret: it is kept for the page that shows it. */
function done(gateway: object & { id: number }): string {
  if ('radius_secret' in gateway && typeof gateway.radius_secret === 'string')
    keepSecret(gateway.id, gateway.radius_secret)
  return to.gateway(gateway.id, 'setup')
}

interface Preset {
  property_id?: number
  nas_identifier?: string
  mac_address?: string
  ip_address?: string
  dns_name?: string
  gateway_type_id?: number
}

/** The values that it reported, the address that it sent from, and the make that its requests look like. */
const knownOf = (known: Output<typeof gateways.unregistered>[number] | undefined): Omit<Preset, 'property_id'> => ({
  ...(known?.nas_identifier ? { nas_identifier: known.nas_identifier } : {}),
  ...(known?.mac_address ? { mac_address: known.mac_address } : {}),
  ...(known?.address ? { ip_address: known.address } : {}),
  ...(known?.host ? { dns_name: known.host } : {}),
  ...(known?.make ? { gateway_type_id: known.make.id } : {}),
})

function GatewayWizard({ preset }: { preset: Preset }) {
  const { property_id } = preset
  const kindOf = useKinds()
  const form = useResource(
    gateways,
    (values: Record<string, unknown>) => schemaOf(kindOf(values['gateway_type_id'])),
    undefined,
    preset,
  )
  const kind = kindOf(form.values['gateway_type_id'])
  useSettingsOfKind(form, kind)
  const ready = preset.property_id !== undefined && preset.gateway_type_id !== undefined
  return (
    <Wizard
      form={form}
      noun="gateway"
      back={to.gatewaysOf(property_id)}
      done={done}
      ready={ready}
      steps={[
        {
          title: 'Gateway',
          fields: fieldsIn(gateways.fields, 'gateway'),
          body: <GatewayFields form={form} locked={property_id !== undefined} first={!ready} />,
        },
        {
          title: 'Network',
          fields: fieldsIn(gateways.fields, 'network'),
          body: <NetworkFields form={form} kind={kind} made={false} />,
        },
        {
          title: 'Access',
          fields: [
            ...fieldsIn(gateways.fields, 'access'),
            ...(kind?.parameters ?? []).map(({ key }) => `settings.${key}`),
          ],
          body: <AccessFields form={form} kind={kind} hasPassword={false} secretsSet={[]} />,
        },
      ]}
    />
  )
}
