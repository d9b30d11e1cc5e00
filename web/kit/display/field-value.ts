// Field value: formats a value for display by the kind of its field.
import type { Field } from '#contract/fields.ts'
import { dateOf, dayOf } from './dates.ts'
import { moneyOf, wholeOf } from './numbers.ts'

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'

/** Empty if there is none, and for ids, which mean nothing to users. */
export function textOfField({ kind }: Field, value: unknown): string {
  if (isNamed(value)) return value.name
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return numberOf(kind, value)
  if (kind === 'money' && typeof value === 'string' && value !== '') return moneyOf(Number(value))
  if (typeof value !== 'string') return ''
  if (kind === 'day') return dayOf(value)
  return kind === 'moment' ? dateOf(value) : value
}

function numberOf(kind: Field['kind'], value: number): string {
  if (kind === 'record') return ''
  if (kind === 'money') return moneyOf(value)
  // A number that is described as text, such as a port, is not a count.
  if (kind === 'text') return String(value)
  if (kind === 'percentage') return `${value}%`
  return Number.isInteger(value) ? wholeOf(value) : String(value)
}

/** The value to show for a field: for an id, the named record that the API returns next to it. */
export const shownOf = (name: string, record: Readonly<Record<string, unknown>>): unknown => {
  const named = record[name.replace(/_id$/, '')]
  return name.endsWith('_id') && isNamed(named) ? named : record[name]
}
