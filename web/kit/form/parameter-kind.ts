// Parameter kind: what is plugged in is one of a kind, which says what it is told: some fields of the record, and parameters of its own,
// which parameter-fields.tsx draws.
import { useEffect } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { settingsOf, type Parameter } from '#contract/parameters.ts'
import { useNames, type Name } from '#web/kit/call/names.ts'
import type { Values } from './form-state.ts'

interface WithParameters {
  parameters: readonly Parameter[]
}
export interface ParameterKind extends Name, WithParameters {
  /** The fields that it uses, of those that not all kinds do. */
  fields: readonly string[]
}
/** Null for a kind that only a later release knows; undefined while none is chosen or they load. */
export type Known<K> = K | null | undefined

/** A kind by its id. `lookup`: answers all of them. */
export function useKindOf<K extends ParameterKind>(lookup: Endpoint): (kind_id: unknown) => Known<K> {
  const kinds = useNames<K>(lookup)
  return (kind_id) => {
    const id = Number(kind_id)
    return kinds.length === 0 || !id ? undefined : (kinds.find((kind) => kind.id === id) ?? null)
  }
}

const isEmpty = (value: unknown) => value == null || value === ''

/**
 * Whether a field is asked for: where the kind uses it, or cannot be known to, and where something stands in it, such as from another
 * kind. While the kinds load, nothing else is: a field that comes late surprises less than one that goes while somebody types in it.
 */
export const asksFor = <K extends ParameterKind>(
  kind: Known<K>,
  field: K['fields'][number],
  value?: unknown,
): boolean => kind === null || kind?.fields.includes(field) === true || !isEmpty(value)

/** A schema with the settings of one kind. @param secretsSet the keys of secrets that are set already */
export const withSettingsOf = <S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  kind: Known<WithParameters>,
  secretsSet: readonly string[] = [],
) => schema.extend({ settings: settingsOf(kind?.parameters ?? [], (key) => secretsSet.includes(key)).prefault({}) })

interface FormWithSettings {
  values: Values
  set: (name: 'settings', value: unknown) => void
}

/** What another kind was told is not sent to this one. */
export function useSettingsOfKind(form: FormWithSettings, kind: Known<WithParameters>) {
  const told = Object.entries(form.values['settings'] ?? {})
  const known = told.filter(([key]) => kind?.parameters.some((parameter) => parameter.key === key))
  useEffect(() => {
    if (kind && known.length < told.length) form.set('settings', Object.fromEntries(known))
  })
}
