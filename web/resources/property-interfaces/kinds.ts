// Property interface kinds: what the server says of each system: what an interface to it is told, and which fields it uses.
import type { Output } from '#contract/endpoint.ts'
import * as interfaceKinds from '#contract/property-interface-kinds.ts'
import { InterfaceInput } from '#contract/property-interfaces.ts'
import { useKindOf, withSettingsOf, type Known } from '#web/kit/form/parameter-kind.ts'

type InterfaceKind = Output<typeof interfaceKinds.kinds>[number]
export type KnownKind = Known<InterfaceKind>

/** By the id of the type. */
export const useKinds = () => useKindOf<InterfaceKind>(interfaceKinds.kinds)

export type InterfaceSchema = ReturnType<typeof schemaOf>
/** What a form of an interface to this system checks. @param secretsSet the keys of secrets that are set already */
export const schemaOf = (kind: KnownKind, secretsSet?: readonly string[]) =>
  withSettingsOf(InterfaceInput, kind, secretsSet)
