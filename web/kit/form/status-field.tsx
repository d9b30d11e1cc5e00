// Status field: one choice for the two fields `draft` and `active`, with an explanation of each status. Records without
// drafts have two options.
//
//   <StatusField form={form} means={{ active: 'Guests can get online.', disabled: 'Nobody can.', draft: 'Not yet.' }} />
import { statusOf, statuses, type Status } from '#contract/status.ts'
import { messages } from '#contract/messages.ts'
import { Choices } from '#web/ui/choices.tsx'
import { FieldFact } from '#web/ui/facts.tsx'
import type { Schema } from './form-state.ts'
import { useField } from './use-field.ts'
import type { Form } from './use-form.ts'

export interface StatusFieldProps<S extends Schema> {
  form: Form<S>
  means: Partial<Record<Status, string>>
}

const titleOf = (status: Status) => messages.status[status].charAt(0).toUpperCase() + messages.status[status].slice(1)

export function StatusField<S extends Schema>({ form, means }: StatusFieldProps<S>) {
  // Every record's schema has `active`, and `draft` as well if the record can be a draft.
  const active = useField(form, 'active')
  const draft = useField(form, 'draft')
  const known = statuses.filter((status) => status !== 'draft' || 'draft' in form.schema.shape)
  const value = statusOf({ draft: draft.value === true, active: active.value !== false })
  const options = known.map((status) => ({
    value: status,
    label: titleOf(status),
    hint: means[status],
  }))
  if (active.readOnly)
    return (
      <FieldFact label="Status" unseenLabel>
        {titleOf(value)}
      </FieldFact>
    )
  return (
    <Choices
      label="Status"
      name="status"
      options={options}
      value={value}
      error={draft.control.error ?? active.control.error}
      onChange={(next) => {
        if (known.includes('draft')) draft.set(next === 'draft')
        // A draft keeps its value of `active` for when it is completed.
        if (next !== 'draft') active.set(next === 'active')
      }}
    />
  )
}
