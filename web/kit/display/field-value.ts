// Field value: how a value reads where it is only shown, by the kind that its field is described as.
import type { Field } from '#contract/fields.ts'
import { dateOf, dayOf } from './dates.ts'
import { moneyOf, wholeOf } from './numbers.ts'

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

/** Empty where there is none, and of an id, which says nothing. */
export function textOfField({ kind }: Field, value: unknown): string {
  if (isNamed(value)) return value.name
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return numberOf(kind, value)
  if (typeof value !== 'string') return ''
  if (kind === 'day') return dayOf(value)
  return kind === 'moment' ? dateOf(value) : value
}

function numberOf(kind: Field['kind'], value: number): string {
  if (kind === 'record') return ''
  if (kind === 'money') return moneyOf(value)
  // A port is no count.
  if (kind === 'text') return String(value)
  if (kind === 'percentage') return `${value}%`
  return Number.isInteger(value) ? wholeOf(value) : String(value)
}

/** What a record shows of a field: of an id, the record that it points at, which the answer has beside it by its name. */
export const shownOf = (name: string, record: Readonly<Record<string, unknown>>): unknown => {
  const named = record[name.replace(/_id$/, '')]
  return name.endsWith('_id') && isNamed(named) ? named : record[name]
}
