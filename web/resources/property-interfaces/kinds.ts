// Property interface kinds: what the server says of each system: what an interface to it is told, and which fields it uses.
import { useEffect } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as interfaceKinds from '#contract/property-interface-kinds.ts'
import { inputWith } from '#contract/property-interfaces.ts'
import { useNames } from '#web/kit/call/names.ts'
import type { Form } from '#web/kit/form/use-form.ts'

export type InterfaceKind = Output<typeof interfaceKinds.kinds>[number]
/** Null for a type that only a later release knows; undefined while none is chosen or they load. */
export type KnownKind = InterfaceKind | null | undefined

/** By the id of the type. */
export function useKinds(): (type_id: unknown) => KnownKind {
  const kinds = useNames<InterfaceKind>(interfaceKinds.kinds)
  return (type_id) => {
    const id = Number(type_id)
    return kinds.length === 0 || !id ? undefined : (kinds.find((kind) => kind.id === id) ?? null)
  }
}

/** Whether the form asks for a field: where the system uses it, or something stands in it. */
export const asks = (kind: KnownKind, field: InterfaceKind['fields'][number], value?: unknown): boolean =>
  kind == null || kind.fields.includes(field) || (value != null && value !== '')

export type InterfaceSchema = ReturnType<typeof inputWith>
/** @param secretsSet the keys of secrets that are set already */
export const schemaOf = (kind: KnownKind, secretsSet: readonly string[] = []): InterfaceSchema =>
  inputWith(kind?.parameters ?? [], (key) => secretsSet.includes(key))

/** What another system was told is not sent to this one. */
export function useSettingsOf(form: Form<InterfaceSchema>, kind: KnownKind) {
  const told = Object.entries((form.values['settings'] ?? {}) as Record<string, unknown>)
  const known = told.filter(([key]) => kind?.parameters.some((parameter) => parameter.key === key))
  const isForeign = Boolean(kind) && known.length < told.length
  useEffect(() => {
    if (isForeign) form.set('settings', Object.fromEntries(known))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each change of the kind
  }, [isForeign])
}
