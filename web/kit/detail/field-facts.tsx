// Field facts: what a record holds of some sections of its fields, in the order and by the words of their description:
//
//   <FieldFacts fields={rooms.fields} of={room} sections={['room']} own={{ package_id: [name, 'None'] }} last={[['created_at']]} />
//
// What a screen says better than the kind of value does stands in `own`; a field that is described later shows by itself.
import type { ReactNode } from 'react'
import { fieldsIn, labelOf, type Fields } from '#contract/fields.ts'
import { shownOf, textOfField } from '#web/kit/display/field-value.ts'
import { Facts, isEmpty, type Fact } from '#web/ui/facts.tsx'

/** What stands there in place of the value, what does where that is empty, and a label that says it better here. */
type Shown = readonly [value: ReactNode, empty?: string | undefined, label?: string]
/** Of a field that belongs to none of the sections, or stands in another place here. */
type Besides = readonly [name: string, shown?: Shown]

export interface FieldFactsProps {
  fields: Fields
  of: Readonly<Record<string, unknown>>
  sections: readonly string[]
  /** null leaves a field out. */
  own?: Readonly<Record<string, Shown | null>>
  first?: readonly Besides[]
  last?: readonly Besides[]
  inColumns?: boolean
  /** Leaves out what is empty, in place of saying so. */
  filledOnly?: boolean
}

export function FieldFacts(props: FieldFactsProps) {
  const { fields, of, sections, own = {}, first = [], last = [], inColumns = false, filledOnly = false } = props
  const shown = (name: string): Shown => [fields[name] && textOfField(fields[name], shownOf(name, of))]
  const fact = ([name, said = shown(name)]: Besides): Fact => {
    const [value, empty, label = labelOf(name, fields)] = said
    return empty === undefined ? [label, value] : [label, value, empty]
  }
  const besides = new Set([...first, ...last].map(([name]) => name))
  const named = sections
    .flatMap((section) => fieldsIn(fields, section))
    .filter((name) => own[name] !== null && !besides.has(name))
    .map((name): Besides => [name, own[name] ?? undefined])
  const facts = [...first, ...named, ...last].map(fact)
  return <Facts inColumns={inColumns} facts={filledOnly ? facts.filter(([, value]) => !isEmpty(value)) : facts} />
}
