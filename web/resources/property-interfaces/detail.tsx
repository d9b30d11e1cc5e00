// Property interface screens: the page of an interface with its form, and the page for a new one.
import * as activity from '#contract/activity.ts'
import type { Output } from '#contract/endpoint.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { DetailTabs } from '#web/kit/detail/detail-tabs.tsx'
import { RecordLink } from '#web/kit/detail/referred.tsx'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { Overview } from '#web/kit/detail/overview.tsx'
import { RecordActions } from '#web/kit/detail/record-actions.tsx'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { asksFor, useSettingsOfKind } from '#web/kit/form/parameter-kind.ts'
import { ResourceForm } from '#web/kit/form/resource-form.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { to } from '#web/paths.ts'
import { Panel } from '#web/ui/page.tsx'
import { NewPropertyInterface } from './create.tsx'
import { ConnectionFields, GuestFields, InterfaceStatus, KindFields } from './fields.tsx'
import { interfaceKind } from './kind.ts'
import { schemaOf, useKinds } from './kinds.ts'
import { ConfirmList, LinkPanel, linkWordOf, LogPanel, useLiveLink } from './link.tsx'
import { addressOf, ownerIn, type InterfacesOf } from './list.tsx'

type Interface = Output<typeof interfaces.get>

export const PropertyInterfaceScreen = ({ id, ...of }: InterfacesOf & { id?: number }) =>
  id === undefined ? <NewPropertyInterface {...of} /> : <InterfaceDetail id={id} />

/** The address of the list that it is in. */
const listOf = (one: Interface | undefined) =>
  one === undefined || one.owner_type === 'Customer'
    ? to.propertyInterfaces()
    : to.propertyInterfacesOf({ [`${one.owner_type.toLowerCase()}_id`]: one.owner_id })

function InterfaceDetail({ id }: { id: number }) {
  const one = useRecord(interfaces, id)
  const back = listOf(one)
  return (
    <DetailTabs
      of="Property interface"
      name={one?.name}
      status={one?.status}
      back={{ title: 'Property interfaces', href: back }}
      actions={<RecordActions kind={interfaceKind} record={one} back={back} />}
      tabs={{
        overview: {
          title: 'Overview',
          body: () => (
            <WhenLoaded of={interfaces} id={id}>
              {(record) => <InterfaceOverview one={record} />}
            </WhenLoaded>
          ),
        },
        details: {
          title: 'Details',
          body: () => (
            <WhenLoaded of={interfaces} id={id}>
              {(record) => <InterfaceForm one={record} back={back} />}
            </WhenLoaded>
          ),
        },
      }}
    />
  )
}

function InterfaceForm({ one, back }: { one: Interface; back: string }) {
  const { id, settings_set } = one
  const kindOf = useKinds()
  const form = useResource(
    interfaces,
    (values: Record<string, unknown>) => schemaOf(kindOf(values['property_interface_type_id']), settings_set),
    id,
  )
  const kind = kindOf(form.values['property_interface_type_id'])
  useSettingsOfKind(form, kind)
  return (
    <ResourceForm form={form} noun="property interface" back={back}>
      <KindFields form={form} />
      <ConnectionFields form={form} kind={kind} credentials={one} secretsSet={settings_set} />
      <GuestFields form={form} />
      <InterfaceStatus form={form} />
    </ResourceForm>
  )
}

function InterfaceOverview({ one: read }: { one: Interface }) {
  const one = useLiveLink(read)
  return (
    <Overview log={{ of: activity.list, object_type: 'property_interfaces', object_id: one.id }} todo={todoOf(one)}>
      <LinkPanel one={one} />
      <LogPanel id={one.id} />
      <Panel title="Interface">
        <FieldFacts
          fields={interfaces.fields}
          of={one}
          first={[
            ['property_interface_type_id'],
            ['owner_id', [<Owner key="owner" one={one} />]],
            ['number_of_properties_with_external_references'],
          ]}
          sections={['interface', 'owner', 'guests']}
          own={{
            name: null,
            owner_type: null,
            check_account_in_dispute: [
              one.check_account_in_dispute ? 'Are checked' : 'Not checked',
              undefined,
              'Accounts in dispute',
            ],
          }}
          last={[['created_at']]}
        />
      </Panel>
      <ConnectionPanel one={one} />
    </Overview>
  )
}

/** What keeps the link from working, or could be wrong with it. */
function todoOf(one: Interface) {
  const { number_of_properties_with_external_references: known } = one
  const { word, last_error, sentence } = one.state
  return [
    !one.active && { title: 'This interface is disabled', text: 'Nothing is exchanged with the other system.' },
    one.active &&
      (word === 'down' || word === 'behind' || word === 'off') && {
        title: linkWordOf(one),
        text: sentence,
      },
    word === 'up' && last_error !== null && { title: 'Something needs attention', text: sentence },
    word === 'confirm' && {
      title: 'A list is waiting to be reviewed',
      text: sentence,
      action: <ConfirmList one={one} />,
    },
    one.active &&
      one.owner_type !== 'Property' &&
      known === 0 && {
        title: 'The properties cannot be told apart',
        text: 'Give each property its external reference: the name or number that the other system has for it.',
      },
  ]
}

function ConnectionPanel({ one }: { one: Interface }) {
  const kind = useKinds()(one.property_interface_type_id)
  const unused = (field: 'host' | 'sales_outlet' | 'username' | 'password', value: unknown) =>
    !asksFor(kind, field, value || null) && { [field]: null }
  return (
    <Panel title="Connection">
      <FieldFacts
        fields={interfaces.fields}
        of={one}
        sections={['connection']}
        own={{
          host: [addressOf(one), undefined, 'Address'],
          port: null,
          username: [one.has_username && 'Set'],
          password: [one.has_password && 'Set'],
          settings: null,
          ...unused('host', one.host),
          ...unused('sales_outlet', one.sales_outlet),
          ...unused('username', one.has_username),
          ...unused('password', one.has_password),
        }}
        last={[
          [
            'uuid',
            [
              <Copyable key="uuid" what="identifier">
                {one.uuid}
              </Copyable>,
              undefined,
              'Identifier',
            ],
          ],
          ...(one.drop_url === null
            ? []
            : [
                [
                  'drop_url',
                  [
                    <Copyable key="drop" what="address">
                      {one.drop_url}
                    </Copyable>,
                    undefined,
                    'Address for files',
                  ],
                ] as const,
              ]),
          ...(kind?.posts === false
            ? []
            : [
                [
                  'hook_url',
                  [
                    <Copyable key="hook" what="address">
                      {one.hook_url}
                    </Copyable>,
                    undefined,
                    'Address for webhooks',
                  ],
                ] as const,
              ]),
        ]}
      />
    </Panel>
  )
}

const ownerTables = { Customer: undefined, Group: 'groups', Property: 'properties', Package: 'packages' } as const

function Owner({ one }: { one: Interface }) {
  const target = ownerTables[one.owner_type]
  return target ? <RecordLink to={target} id={one.owner_id} name={ownerIn(one)} /> : ownerIn(one)
}
