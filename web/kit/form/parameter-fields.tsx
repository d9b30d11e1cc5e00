// Parameter fields: the settings of something that is plugged in, a control for each parameter of its kind.
import { settingsOf, type Parameter } from '#contract/parameters.ts'
import { ChoiceField } from './choice-field.tsx'
import { Field, PasswordField } from './field.tsx'
import type { Schema } from './form-state.ts'
import { partOf } from './part-form.ts'
import { SwitchField } from './switch-field.tsx'
import type { Form, NameIn } from './use-form.ts'

export interface ParameterFieldsProps<S extends Schema> {
  form: Form<S>
  /** The field that has them. */
  name: NameIn<S>
  parameters: readonly Parameter[]
  /** The keys of secrets that are set already: they are not answered. */
  secretsSet: readonly string[]
}

export function ParameterFields<S extends Schema>({ form, name, parameters, secretsSet }: ParameterFieldsProps<S>) {
  const labels = Object.fromEntries(parameters.map(({ key, label }) => [key, label]))
  const schema = settingsOf(parameters, (key) => secretsSet.includes(key))
  const part = partOf(form, name, schema, labels)
  return parameters.map((parameter) => (
    <ParameterField key={parameter.key} form={part} parameter={parameter} isSet={secretsSet.includes(parameter.key)} />
  ))
}

function ParameterField({ form, parameter, isSet }: { form: Form; parameter: Parameter; isSet: boolean }) {
  const { key, label, kind, choices, help } = parameter
  const common = { form, name: key, ...(help !== null && { hint: help }) }
  switch (kind) {
    case 'secret':
      return (
        !form.readOnly && (
          <PasswordField
            {...common}
            label={isSet ? `New ${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}
            placeholder={isSet ? 'Unchanged' : ''}
            autoComplete="new-password"
          />
        )
      )
    case 'choice':
      return <ChoiceField {...common} options={choices} />
    case 'switch':
      return <SwitchField {...common} />
    case 'url':
      return <Field {...common} type="url" autoComplete="off" />
    default:
      return <Field {...common} autoComplete="off" />
  }
}
