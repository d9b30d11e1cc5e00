// Field section: the fields of one section of a form: first the given rows, then all other fields of the section, each with the
// control for its kind.
//
//   <FieldSection form={form} fields={rooms.fields} section="room" title="Room" rows={[['number', 'external_reference']]} />
import { Fragment, type ReactNode } from 'react'
import { fieldsIn, type Field as Described, type Fields } from '#contract/fields.ts'
import { Row, Section } from '#web/ui/page.tsx'
import { ColourField } from './colour-field.tsx'
import { DayField } from './day-field.tsx'
import { Field, MoneyField } from './field.tsx'
import type { Schema } from './form-state.ts'
import { MomentField } from './moment-field.tsx'
import { SwitchField } from './switch-field.tsx'
import type { Form, NameIn } from './use-form.ts'

export interface FieldRowsProps<S extends Schema> {
  form: Form<S>
  fields: Fields
  section: string
  /** Controls for fields that need more than their kind's; null: not shown to this user. */
  own?: Readonly<Record<string, ReactNode>>
  /** Which fields are side by side. */
  rows?: readonly (readonly NameIn<S>[])[]
}
export interface FieldSectionProps<S extends Schema> extends FieldRowsProps<S> {
  title: string
  hint?: string
  /** Below its fields. */
  children?: ReactNode
}

export const FieldSection = <S extends Schema>({ title, hint, children, ...of }: FieldSectionProps<S>) => (
  <Section title={title} {...(hint ? { hint } : {})}>
    <FieldRows {...of} />
    {children}
  </Section>
)

/** The controls of a section without its frame, for a screen that has its own. */
export function FieldRows<S extends Schema>({ form, fields, section, own = {}, rows = [] }: FieldRowsProps<S>) {
  const placed = new Set<string>(rows.flat())
  const others = fieldsIn(fields, section).filter((name) => !placed.has(name))
  const control = (name: string) => (
    <Fragment key={name}>{name in own ? own[name] : <Control form={form} name={name} field={fields[name]} />}</Fragment>
  )
  // An empty row would leave a gap.
  const filledRows = rows.filter((names) => names.some((name) => !(name in own) || Boolean(own[name])))
  return (
    <>
      {filledRows.map((names) =>
        names.length === 1 ? names.map(control) : <Row key={names.join()}>{names.map(control)}</Row>,
      )}
      {others.map(control)}
    </>
  )
}

/** References to records and fields of special kinds are rendered by their screen. */
function Control<S extends Schema>({
  form,
  name,
  field,
}: {
  form: Form<S>
  name: NameIn<S>
  field: Described | undefined
}) {
  switch (field?.kind) {
    case 'text':
    case 'number':
      return <Field form={form} name={name} />
    case 'percentage':
      return <Field form={form} name={name} unit="%" />
    case 'money':
      return <MoneyField form={form} name={name} />
    case 'colour':
      return <ColourField form={form} name={name} />
    case 'yes-or-no':
      return <SwitchField form={form} name={name} />
    case 'day':
      return <DayField form={form} name={name} />
    case 'moment':
      return <MomentField form={form} name={name} />
    default:
      return null
  }
}
