// Connection fields: what the other company needs to be told, drawn from its definition; for the wizard, the form, the review and the page.
import { ConnectionInput, fields } from '#contract/connections.ts'
import type { Parameter, Setting } from '#contract/parameters.ts'
import { FieldSection } from '#web/kit/form/field-section.tsx'
import { Field } from '#web/kit/form/field.tsx'
import { ParameterFields } from '#web/kit/form/parameter-fields.tsx'
import { withSettingsOf } from '#web/kit/form/parameter-kind.ts'
import { StatusField } from '#web/kit/form/status-field.tsx'
import type { Form } from '#web/kit/form/use-form.ts'
import type { Fact } from '#web/ui/facts.tsx'
import { Section } from '#web/ui/page.tsx'
import type { Provider } from './kinds.ts'

export type ConnectionSchema = ReturnType<typeof schemaOf>
/** @param secretsSet the keys of secrets that are set already */
export const schemaOf = (provider: Provider | undefined, secretsSet?: readonly string[]) =>
  withSettingsOf(ConnectionInput, provider, secretsSet)

interface Fields {
  form: Form<ConnectionSchema>
  provider: Provider | undefined
  /** The keys of secrets that are set. */
  secretsSet?: readonly string[]
}

const afterwards = ({ name, connected_by }: Provider) =>
  connected_by === 'key'
    ? `Foyer checks this with ${name} right away.`
    : `After saving, you allow access at ${name} and come back here.`

export const SettingFields = ({ form, provider, secretsSet = [] }: Fields) => (
  <FieldSection
    form={form}
    fields={fields}
    section="connection"
    title={provider?.name ?? 'Connection'}
    hint={provider && afterwards(provider)}
    own={{
      name: <Field form={form} name="name" placeholder="Named like the account there" />,
      settings: provider && provider.parameters.length > 0 && (
        <ParameterFields form={form} name="settings" parameters={provider.parameters} secretsSet={secretsSet} />
      ),
    }}
  />
)

export const ConnectionStatus = ({ form }: Pick<Fields, 'form'>) => (
  <Section title="Status">
    <StatusField form={form} means={{ active: 'It is used.', disabled: 'No data is exchanged. Everything is kept.' }} />
  </Section>
)

/** What it was told, without secrets. */
export const settingFacts = (
  parameters: readonly Parameter[],
  settings: Readonly<Record<string, Setting | null | undefined>>,
  isSet: (key: string) => boolean,
): Fact[] =>
  parameters.map(({ key, label, kind, choices }) => {
    const value = settings[key]
    if (kind === 'secret') return [label, isSet(key) && 'Set']
    if (typeof value === 'boolean') return [label, value ? 'Yes' : 'No']
    return [label, choices.find((one) => one.value === value)?.label ?? (value == null ? null : String(value))]
  })
