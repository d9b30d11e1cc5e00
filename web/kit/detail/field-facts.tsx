// Field facts: a record's values in some sections of its fields, in the order and with the labels of their description:
//
//   <FieldFacts fields={rooms.fields} of={room} sections={['room']} own={{ package_id: [name, 'None'] }} last={[['created_at']]} />
//
// `own` replaces values that need more than their kind's format; fields added to a section later are shown automatically.
import type { ReactNode } from 'react'
import { fieldsIn, labelOf, type Fields } from '#contract/fields.ts'
import { shownOf, textOfField } from '#web/kit/display/field-value.ts'
import { noneOf, referred } from '#web/kit/detail/referred.tsx'
import { Facts, isEmpty, type Fact } from '#web/ui/facts.tsx'

/** What is shown instead of the value, what if that is empty, and a label for this screen. */
type Shown = readonly [value: ReactNode, empty?: string | undefined, label?: string]
/** A field that belongs to none of the sections, or has another place here. */
type PlacedField = readonly [name: string, shown?: Shown]

export interface FieldFactsProps {
  fields: Fields
  of: Readonly<Record<string, unknown>>
  sections: readonly string[]
  /** null leaves a field out. */
  own?: Readonly<Record<string, Shown | null>>
  first?: readonly PlacedField[]
  last?: readonly PlacedField[]
  inColumns?: boolean
  /** Leaves out empty values, instead of showing that they are empty. */
  filledOnly?: boolean
}

export function FieldFacts(props: FieldFactsProps) {
  const { fields, of, sections, own = {}, first = [], last = [], inColumns = false, filledOnly = false } = props
  const shown = (name: string): Shown => {
    const field = fields[name]
    const value = shownOf(name, of)
    if (field?.ref) return [referred(field, value), noneOf(field)]
    return [field && textOfField(field, value)]
  }
  const fact = ([name, display = shown(name)]: PlacedField): Fact => {
    const [value, empty, label = labelOf(name, fields)] = display
    return empty === undefined ? [label, value] : [label, value, empty]
  }
  const placed = new Set([...first, ...last].map(([name]) => name))
  const named = sections
    .flatMap((section) => fieldsIn(fields, section))
    .filter((name) => own[name] !== null && !placed.has(name))
    .map((name): PlacedField => [name, own[name] ?? undefined])
  const facts = [...first, ...named, ...last].map(fact)
  return <Facts inColumns={inColumns} facts={filledOnly ? facts.filter(([, value]) => !isEmpty(value)) : facts} />
}
