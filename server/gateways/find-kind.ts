// Find kind: by the type that a gateway is registered as, or by what a redirect looks like.
import { honoursOf } from '#contract/gateway-kinds.ts'
import type { Settings } from '#contract/parameters.ts'
import { generic } from './generic/kind.ts'
import type { Arrival, GatewayKind, RadiusDialect, Redirect } from './kind.ts'
import { kinds } from './kinds.ts'
import { trial } from './trial/kind.ts'
import { wisprRadius } from './wispr-radius.ts'

/** A trial's stands in no list. */
const all = () => [trial, ...kinds]

export const kindOf = (gateway_type_id: number): GatewayKind | undefined =>
  all().find(({ definition }) => definition.id === gateway_type_id)

/** What is said to a gateway that asks by RADIUS, also where its kind does not, or is only known to a later release. */
export const dialectOf = (gateway_type_id: number): RadiusDialect => kindOf(gateway_type_id)?.radius ?? wisprRadius

/** Gateways registered so neither ask by RADIUS who may go online nor report who was, and are not called. */
export const saysNothing = ({ definition, radius, controller }: GatewayKind, settings: Settings): boolean =>
  radius === null ||
  (controller?.is_silent === true &&
    !controller.isCalled(settings) &&
    honoursOf({ honours_when: [], ...definition }, settings).usage === 'no')

interface Came {
  kind: GatewayKind
  arrival: Arrival
}
/** Null: the guest did not come through a gateway. */
export function arrivalIn(redirect: Redirect): Came | null {
  for (const kind of all()) {
    const arrival = kind.arrival(redirect)
    if (arrival) return { kind, arrival }
  }
  return null
}

/** The same redirect as the kind reads it that the box is registered as: Generic reads those of others where they take its answers. */
export function arrivalAs(gateway_type_id: number | undefined, came: Came, redirect: Redirect): Came {
  const { isGenericToo = false } = came.kind
  const fits = typeof isGenericToo === 'function' ? isGenericToo(redirect.query) : isGenericToo
  const arrival = fits && gateway_type_id === generic.definition.id ? generic.arrival(redirect) : null
  return arrival ? { kind: generic, arrival } : came
}

/** What a gateway is registered as whose make nobody has told. */
export const usual_type_id = generic.definition.id

/** The rows of the look-up table, in the order of their fixed ids. */
export const gatewayTypes = () =>
  kinds.map(({ definition: { id, name } }) => ({ id, name })).toSorted((one, other) => one.id - other.id)
