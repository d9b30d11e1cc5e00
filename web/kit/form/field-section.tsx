// Field section: the fields of one section of a form: first the given rows, then all other fields of the section, each with the
// control for its kind.
//
//   <FieldSection form={form} fields={rooms.fields} section="room" title="Room" hints={{ number: 'As on the door.' }} />
import { Fragment, type ReactNode } from 'react'
import { fieldsIn, type Field as Described, type FieldKind, type Fields } from '#contract/fields.ts'
import { referenceOf } from '#web/kit/display/references.ts'
import { Row, Section } from '#web/ui/page.tsx'
import { ColourField } from './colour-field.tsx'
import { DayField } from './day-field.tsx'
import { Field, MoneyField } from './field.tsx'
import type { Schema } from './form-state.ts'
import { Lookup, LookupMany } from './lookup.tsx'
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
  /** What is said below a field. */
  hints?: Readonly<Partial<Record<NameIn<S>, string>>>
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
export function FieldRows<S extends Schema>(props: FieldRowsProps<S>) {
  const { form, fields, section, own = {}, rows = [], hints = {} } = props
  const placed = new Set<string>(rows.flat())
  const others = fieldsIn(fields, section).filter((name) => !placed.has(name))
  const described = { ...form, fields }
  const control = (name: string) => (
    <Fragment key={name}>
      {name in own ? own[name] : <Control form={described} name={name} field={fields[name]} {...hintOf(name, hints)} />}
    </Fragment>
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

const hintOf = (name: string, hints: Readonly<Record<string, string | undefined>>) => {
  const hint = hints[name]
  return hint === undefined ? {} : { hint }
}

/** What is drawn without its screen; a test asks for a control of its own for every other field of a section. */
export const isDrawn = ({ kind, ref }: { kind: FieldKind; ref?: Described['ref'] }): boolean =>
  kind === 'record' || kind === 'records' ? referenceOf(ref) !== undefined : kind !== 'other'

interface ControlProps<S extends Schema> {
  form: Form<S>
  name: NameIn<S>
  field: Described | undefined
  hint?: string
}

function Control<S extends Schema>({ field, ...of }: ControlProps<S>) {
  if (!field || !isDrawn(field)) return null
  switch (field.kind) {
    case 'record':
      return <Lookup {...of} />
    case 'records':
      return <LookupMany {...of} />
    case 'percentage':
      return <Field {...of} unit="%" />
    case 'money':
      return <MoneyField {...of} />
    case 'colour':
      return <ColourField {...of} />
    case 'yes-or-no':
      return <SwitchField {...of} />
    case 'day':
      return <DayField {...of} />
    case 'moment':
      return <MomentField {...of} />
    default:
      return <Field {...of} />
  }
}
