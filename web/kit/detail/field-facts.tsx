// Field facts: what a record holds of some sections of its fields, in the order and by the words of their description:
//
//   <FieldFacts fields={rooms.fields} of={room} sections={['room']} own={{ package_id: [name, 'None'] }} last={[['created_at']]} />
//
// What a screen says better than the kind of value does stands in `own`; a field that is described later shows by itself.
import type { ReactNode } from 'react'
import { fieldsIn, labelOf, type Fields } from '#contract/fields.ts'
import { shownOf, textOfField } from '#web/kit/display/field-value.ts'
import { Facts, type Fact } from '#web/ui/facts.tsx'

/** What stands there in place of the value, and what does where that is empty. */
type Shown = readonly [value: ReactNode, empty?: string]
/** Of a field that belongs to none of the sections. */
type Besides = readonly [name: string, shown?: Shown]

export interface FieldFactsProps {
  fields: Fields
  of: Readonly<Record<string, unknown>>
  sections: readonly string[]
  /** null leaves a field out. */
  own?: Readonly<Record<string, Shown | null>>
  first?: readonly Besides[]
  last?: readonly Besides[]
}

export function FieldFacts({ fields, of, sections, own = {}, first = [], last = [] }: FieldFactsProps) {
  const shown = (name: string): Shown => [fields[name] && textOfField(fields[name], shownOf(name, of))]
  const besides = ([name, said]: Besides): Fact => [labelOf(name, fields), ...(said ?? shown(name))]
  const named = sections
    .flatMap((section) => fieldsIn(fields, section))
    .filter((name) => own[name] !== null)
    .map((name): Fact => [labelOf(name, fields), ...(own[name] ?? shown(name))])
  return <Facts facts={[...first.map(besides), ...named, ...last.map(besides)]} />
}
