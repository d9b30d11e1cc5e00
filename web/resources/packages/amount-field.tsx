// Amount field: a number with a unit: 500 MB, 30 minutes. The API only uses gigabytes and hours.
import { useState } from 'react'
import type { PackageInput } from '#contract/packages.ts'
import { numberTyped } from '#web/kit/form/form-state.ts'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form, NameIn } from '#web/kit/form/use-form.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import styles from './packages.module.css'

export interface Unit {
  name: string
  /** The size of one unit in the API's unit. */
  factor: number
}
export const volumes: readonly Unit[] = [
  { name: 'MB', factor: 0.001 },
  { name: 'GB', factor: 1 },
  { name: 'TB', factor: 1000 },
]
export const times: readonly Unit[] = [
  { name: 'minutes', factor: 1 / 60 },
  { name: 'hours', factor: 1 },
  { name: 'days', factor: 24 },
]

/** The largest unit in which the value is a whole number; else the API's own. */
export function unitFor(value: number, units: readonly Unit[]): string {
  const whole = units.filter(
    ({ factor }) => value >= factor && Math.abs(value / factor - Math.round(value / factor)) < 0.01,
  )
  return (value > 0 ? whole.at(-1)?.name : undefined) ?? units.find(({ factor }) => factor === 1)?.name ?? ''
}
const tidy = (value: number, digits: number) => Number(value.toFixed(digits))

interface AmountFieldProps {
  form: Form<typeof PackageInput>
  name: NameIn<typeof PackageInput>
  units: readonly Unit[]
  /** Decimals to which the value is rounded. */
  digits: number
}

export function AmountField({ form, name, units, digits }: AmountFieldProps) {
  const { label, value, set, control, readOnly } = useField(form, name)
  const [unit, setUnit] = useState(() => unitFor(Number(value), units))
  const factor = units.find((one) => one.name === unit)?.factor ?? 1
  const shown = typeof value === 'number' ? String(tidy(value / factor, 2)) : typeof value === 'string' ? value : ''
  // Keeps the text while one types, as `0.` and `1.50` may be unfinished.
  const [typed, setTyped] = useState(shown)
  const [typing, setTyping] = useState(false)
  const inUnits = (text: string, by: number) => {
    const number = numberTyped(text)
    set(typeof number === 'number' ? tidy(number * by, digits) : number)
  }
  if (readOnly) return <FieldFact label={label}>{value === 0 ? 'No limit' : `${shown} ${unit}`}</FieldFact>
  return (
    <div className={styles.amount}>
      <TextField
        {...control}
        label={label}
        type="number"
        value={typing ? typed : shown}
        hint={value === 0 ? 'No limit' : '0 for no limit'}
        onChange={(text) => {
          setTyping(true)
          setTyped(text)
          inUnits(text, factor)
        }}
        onBlur={() => {
          setTyping(false)
          control.onBlur()
        }}
      />
      <div className={styles.unit}>
        <Select
          label={`${label}, unit`}
          name={`${name}_unit`}
          options={units.map((one) => ({ value: one.name, label: one.name }))}
          value={unit}
          clearable={false}
          onChange={(next) => {
            if (next === null) return
            setUnit(next)
            const by = units.find((one) => one.name === next)?.factor ?? 1
            if (typeof value === 'number') inUnits(shown, by)
          }}
        />
      </div>
    </div>
  )
}
