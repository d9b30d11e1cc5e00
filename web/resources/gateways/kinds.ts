// Gateway kinds: what the server says of each make: what it is told, and what it keeps to.
import type { Output } from '#contract/endpoint.ts'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import { GatewayInput } from '#contract/gateways.ts'
import { useKindOf, withSettingsOf, type Known } from '#web/kit/form/parameter-kind.ts'

export type GatewayKind = Output<typeof gatewayKinds.kinds>[number]
export type KnownKind = Known<GatewayKind>

/** By the id of the type. */
export const useKinds = () => useKindOf<GatewayKind>(gatewayKinds.kinds)

export type GatewaySchema = ReturnType<typeof schemaOf>
/** What a form of a gateway of this kind checks. @param secretsSet the keys of secrets that are set already */
export const schemaOf = (kind: KnownKind, secretsSet?: readonly string[]) =>
  withSettingsOf(GatewayInput, kind, secretsSet)
