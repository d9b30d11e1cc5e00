// Gateway kinds: what the server says of each make: what it is told, and what it keeps to.
import type { Output } from '#contract/endpoint.ts'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import { useNames } from '#web/kit/call/names.ts'

export type GatewayKind = Output<typeof gatewayKinds.kinds>[number]
/** Null for a type that only a later release knows; undefined while none is chosen or they load. */
export type KnownKind = GatewayKind | null | undefined

/** By the id of the type. */
export function useKinds(): (gateway_type_id: unknown) => KnownKind {
  const kinds = useNames<GatewayKind>(gatewayKinds.kinds)
  return (gateway_type_id) => {
    const id = Number(gateway_type_id)
    return kinds.length === 0 || !id ? undefined : (kinds.find((kind) => kind.id === id) ?? null)
  }
}

/** Whether a gateway of this kind is asked for the field: those that use it, or that have a value from another kind. */
export const asks = (kind: KnownKind, field: GatewayKind['fields'][number], value?: unknown): boolean =>
  kind === null ||
  kind?.fields.includes(field) === true ||
  (kind !== undefined && typeof value === 'string' && value !== '')

export type GatewaySchema = ReturnType<typeof gateways.inputWith>
/** What a form of a gateway of this kind checks. @param secretsSet the keys of secrets that are set already */
export const schemaOf = (kind: KnownKind, secretsSet: readonly string[] = []): GatewaySchema =>
  gateways.inputWith(kind?.parameters ?? [], (key) => secretsSet.includes(key))
