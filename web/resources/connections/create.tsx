// New connection: which company, what it needs to be told, and a look at all of it; and where connections of other kinds are made.
import type { ReactNode } from 'react'
import * as connections from '#contract/connections.ts'
import type { Setting } from '#contract/parameters.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import { useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader, Section } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './connections.module.css'
import { schemaOf, settingFacts, SettingFields, type ConnectionSchema } from './fields.tsx'
import { whereMade } from './kind.ts'
import { useKinds, type ConnectionKind, type Provider } from './kinds.ts'

export function NewConnection() {
  const back = to.connections()
  return (
    <>
      <PageHeader title="New connection" above={<Link href={back}>Connections</Link>} />
      <Permitted to={connections.create} back={back} icon="integrations">
        <Offers back={back} />
      </Permitted>
    </>
  )
}

function Offers({ back }: { back: string }) {
  const { kinds, isLoading, error, again } = useKinds()
  if (error) return <LoadFailed error={error} again={again} />
  if (isLoading) return <Skeleton height={180} label="Loading" />
  const others = kinds.map((kind) => <Elsewhere key={kind.kind} kind={kind} />)
  return kinds.some(({ providers }) => providers.length > 0) ? <ConnectionWizard back={back} others={others} /> : others
}

function Elsewhere({ kind: { kind, name, companies } }: { kind: ConnectionKind }) {
  const href = whereMade[kind]?.()
  return (
    href !== undefined && (
      <Section title={name} hint={companies.map((one) => one.name).join(', ')}>
        <div>
          <LinkButton href={href}>{`Connect ${name.toLowerCase()}`}</LinkButton>
        </div>
      </Section>
    )
  )
}

function ConnectionWizard({ back, others }: { back: string; others: ReactNode }) {
  const { providerOf } = useKinds()
  const chosen = (values: Record<string, unknown>) =>
    providerOf({ kind: String(values['kind']), integration_type: String(values['integration_type']) })
  const form = useResource(connections, (values: Record<string, unknown>) => schemaOf(chosen(values)), undefined, {})
  const provider = chosen(form.values)
  return (
    <Wizard
      form={form}
      noun="connection"
      back={back}
      done={({ id }) => to.connection(id)}
      steps={[
        {
          title: 'System',
          fields: ['kind', 'integration_type'],
          body: (
            <>
              <SystemField form={form} />
              {others}
            </>
          ),
        },
        {
          title: 'Settings',
          fields: ['name', ...(provider?.parameters ?? []).map(({ key }) => `settings.${key}`)],
          body: <SettingFields form={form} provider={provider} />,
        },
        { title: 'Review', fields: [], body: <Review form={form} provider={provider} /> },
      ]}
    />
  )
}

/** One of all companies of all kinds that are connected here. */
function SystemField({ form }: { form: Form<ConnectionSchema> }) {
  const { kinds } = useKinds()
  const offers = kinds.flatMap((kind) =>
    kind.providers.map((provider) => ({
      kind: kind.kind,
      integration_type: provider.integration_type,
      option: {
        value: `${kind.kind} ${provider.integration_type}`,
        label: `${provider.name}, ${kind.name}`,
        disabled: !provider.available,
        ...(!provider.available && { detail: 'Not set up here. Ask whoever runs this installation.' }),
      },
    })),
  )
  const { kind, integration_type } = form.values
  return (
    <Section title="System" hint="The company whose system is connected.">
      <Select
        label="System"
        name="integration_type"
        required
        error={form.errorOf('kind') ?? form.errorOf('integration_type')}
        options={offers.map(({ option }) => option)}
        value={kind === undefined ? null : `${String(kind)} ${String(integration_type)}`}
        placeholder="Please choose"
        onBlur={() => form.touch('integration_type')}
        onChange={(value) => {
          const offer = offers.find(({ option }) => option.value === value)
          form.set('kind', offer?.kind)
          form.set('integration_type', offer?.integration_type)
          // What another company was told is not sent to this one.
          form.set('settings', {})
        }}
      />
    </Section>
  )
}

function Review({ form: { values }, provider }: { form: Form<ConnectionSchema>; provider: Provider | undefined }) {
  const settings = (values['settings'] ?? {}) as Record<string, Setting | null>
  if (!provider) return null
  const next =
    provider.connected_by === 'key'
      ? `Foyer checks this with ${provider.name} before it is saved.`
      : `Next, you allow access at ${provider.name}.`
  return (
    <Section title="Review" hint={next}>
      <div className={styles.review}>
        <Facts
          facts={[
            ['System', provider.name],
            ['Name', values['name'] as string | null, 'The account’s name there'],
            ...settingFacts(provider.parameters, settings, (key) => Boolean(settings[key])),
          ]}
        />
      </div>
    </Section>
  )
}
