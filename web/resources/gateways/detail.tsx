// Gateway screens: the page of a gateway with its set-up, and the page for a new one.
import type { ReactNode } from 'react'
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import { honoursOf, type Honours } from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import type { Parameter } from '#contract/parameters.ts'
import * as properties from '#contract/properties.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { timeOf } from '#web/kit/display/dates.ts'
import { asksFor } from '#web/kit/form/parameter-kind.ts'
import { useRecord, useRecordState } from '#web/kit/form/use-resource.ts'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { Unkept } from '#web/limits/unkept.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Facts } from '#web/ui/facts.tsx'
import { Panel } from '#web/ui/page.tsx'
import { AccessPoints } from './access-points.tsx'
import { GatewayForm } from './form.tsx'
import { healthOf, heardOf, isUnanswered, stopsForms } from './health.ts'
import { gatewayKind } from './kind.ts'
import { useKinds } from './kinds.ts'
import { NewGateway, type GatewayPreset } from './create.tsx'
import { GatewaySetup } from './setup.tsx'

export const GatewayScreen = ({ id, ...preset }: GatewayPreset & { id?: number }) =>
  id === undefined ? <NewGateway {...preset} /> : <GatewayDetail id={id} />

function GatewayDetail({ id }: { id: number }) {
  const gateway = useRecord(gateways, id)
  const back = to.gatewaysOf(gateway?.property_id)
  return (
    <DetailTabs
      of="Gateway"
      name={gateway?.name}
      status={gateway?.status}
      back={{ title: 'Gateways', href: back }}
      actions={<RecordActions kind={gatewayKind} record={gateway} back={back} />}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={gateways} id={id}>
              {(record) => <GatewayOverview gateway={record} />}
            </WhenLoaded>
          ),
        },
        setup: {
          title: 'Set up',
          body: () => (
            <WhenLoaded of={gateways} id={id}>
              {(record) => <GatewaySetup gateway={record} />}
            </WhenLoaded>
          ),
        },
        details: {
          title: 'Details',
          body: () => (
            <WhenLoaded of={gateways} id={id}>
              {(record) => <GatewayForm gateway={record} />}
            </WhenLoaded>
          ),
        },
      }}
    />
  )
}

const unansweredFor = {
  wrong_secret: 'Its secret differs from the one registered here. Make a new one, and paste it into the gateway.',
  unsigned: 'It does not sign its requests (Message-Authenticator). Update its software, or allow that under Details.',
} as const

function GatewayOverview({ gateway }: { gateway: Output<typeof gateways.get> }) {
  const { last_seen_at } = gateway
  const mayChange = useMayCall(gateways.update)
  const kind = useKinds()(gateway.gateway_type_id)
  const used = (name: 'username' | 'gateway_dns_setting') =>
    asksFor(kind, name, gateway[name]) ? {} : { [name]: null }
  const setup = mayChange && (
    <LinkButton key="setup" href={to.gateway(gateway.id, 'setup')}>
      Set up
    </LinkButton>
  )
  return (
    <Overview
      log={{ of: activity.list, object_type: 'gateways', object_id: gateway.id }}
      todo={[
        !gateway.active && { title: 'This gateway is disabled', text: 'Its requests are not answered.' },
        gateway.active &&
          isUnanswered(gateway) && {
            title: 'Its packets are not answered',
            text: unansweredFor[gateway.refused_for ?? 'wrong_secret'],
            action: setup,
          },
        gateway.active &&
          last_seen_at === null &&
          !isUnanswered(gateway) && {
            title: 'Never heard',
            text: `It has not sent anything yet. ${mayChange ? 'Paste into it what it needs.' : 'An editor sets it up.'}`,
            action: setup,
          },
        stopsForms(gateway, kind) && {
          title: 'Browsers may stop its guests',
          text: 'Your portal is on https. If the gateway takes sign-ins on http, choose GET for them under Details.',
        },
        gateway.access_points.some(({ state }) => state === 'claimed') && {
          title: 'Access points wait',
          text: 'They have been heard, but nobody has accepted them. Accept those that are yours, below.',
        },
        gateway.active &&
          gateway.silent_since !== null && {
            title: 'Silent',
            text: `It was last heard ${heardOf(last_seen_at) ?? ''}. Check that it has power and a connection.`,
          },
      ]}
    >
      <Panel title="Gateway">
        <FieldFacts
          fields={gateways.fields}
          of={gateway}
          sections={['gateway']}
          own={{ name: null }}
          last={[
            ['state', [healthOf(gateway).words]],
            ['last_seen_at', [timeOf(last_seen_at), 'Never']],
            ['created_at'],
          ]}
        />
      </Panel>
      <Panel title="Network">
        <FieldFacts
          fields={gateways.fields}
          of={gateway}
          first={[
            [
              'nas_identifier',
              [
                <Copyable key="nas" what="NAS identifier">
                  {gateway.nas_identifier}
                </Copyable>,
              ],
            ],
          ]}
          sections={['network', 'access']}
          own={{
            ...used('username'),
            ...used('gateway_dns_setting'),
            password: gateway.has_password || asksFor(kind, 'password') ? [gateway.has_password && 'Set'] : null,
            settings: null,
            // Settings for particular makes are only shown under Details.
            counts_from_gateway_side: null,
            takes_unsigned: null,
            login_method: null,
            disconnect_port: null,
          }}
          last={(kind?.parameters ?? []).map((parameter) => [parameter.key, toldOf(gateway, parameter)])}
        />
      </Panel>
      <AccessPoints gateway={gateway} />
      {kind && (
        <KeptTo name={kind.name} honours={honoursOf(kind, gateway.settings)}>
          <OfItsPackage property_id={gateway.property.id} />
        </KeptTo>
      )}
    </Overview>
  )
}

/** A setting as it is shown. */
function toldOf({ settings, settings_set }: Output<typeof gateways.get>, { key, label, kind, choices }: Parameter) {
  const value = settings[key]
  if (kind === 'secret') return [settings_set.includes(key) && 'Set', undefined, label] as const
  if (kind === 'switch') return [value === true ? 'Yes' : 'No', undefined, label] as const
  return [choices.find((choice) => choice.value === value)?.label ?? value, undefined, label] as const
}

const honoured = { yes: 'Yes', no: 'No', next_sign_in: 'At the next sign-in' } as const

/** Which of a package's limits are in force here. */
const KeptTo = ({ name, honours, children }: { name: string; honours: Honours; children: ReactNode }) => (
  <Panel title={`What ${name} enforces`}>
    <Facts
      facts={[
        ['Time limit', honoured[honours.time]],
        ['Speed limit', honoured[honours.speed]],
        ['Data limit', honoured[honours.data]],
        ['Disconnects guests', honoured[honours.end]],
        ['Takes changed limits', honoured[honours.change]],
        ['Reports usage', honoured[honours.usage]],
      ]}
    />
    {children}
  </Panel>
)

/** Of the package that guests of its property get. */
function OfItsPackage({ property_id }: { property_id: number }) {
  const { record: property } = useRecordState(properties, property_id)
  return <Unkept package_id={property?.package_id} where={{ property_ids: [property_id] }} />
}
