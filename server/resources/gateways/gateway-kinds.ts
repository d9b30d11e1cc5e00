// Gateway kinds: what the folders of server/gateways say of themselves, and how one gateway is set up in the words of its make.
import { sql } from 'kysely'
import * as contract from '#contract/gateway-kinds.ts'
import type { Output } from '#contract/endpoint.ts'
import type * as gateways from '#contract/gateways.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { oneRow } from '#server/entities/read.ts'
import { portalOf } from '#server/entities/shown-portal.ts'
import { kindOf } from '#server/gateways/find-kind.ts'
import { generic } from '#server/gateways/generic/kind.ts'
import type { GatewayKind } from '#server/gateways/kind.ts'
import { kinds } from '#server/gateways/kinds.ts'
import { lampsOf } from './gateway-lamps.ts'
import { gatewaysOf, gatewayCredentials } from './gateways.ts'
import type { Services } from '#server/services.ts'

function described({ definition, portal }: GatewayKind): Output<typeof contract.kinds>[number] {
  const { setUp: _setUp, captiveLine: _captiveLine, ...said } = definition
  return { honours_when: [], ...said, served: portal !== null }
}

/** What stands where a portal's address goes while the property has none. */
const no_portal = 'https://THE-PORTAL'

/** A gateway of a kind that only a later release knows is set up as the generic one. */
function setUpOf(
  gateway: Output<typeof gateways.get>,
  { unreachable, portal_off }: Pick<Services, 'unreachable'> & Pick<Output<typeof contract.setUp>, 'portal_off'>,
): Output<typeof contract.setUp> {
  const { radius, nas_identifier, disconnect_port, portal_url, captive_url, gateway_type_id, settings } = gateway
  const { setUp, captiveLine } = (kindOf(gateway_type_id) ?? generic).definition
  const portal = portal_url ?? no_portal
  return {
    ...setUp({ ...radius, nas_identifier, disconnect_port, secret: contract.secret_place, portal, settings }),
    unreachable,
    portal_off,
    captive_line: captive_url === null ? null : captiveLine(captive_url),
  }
}

async function portalOff(scope: Scope, id: number): Promise<Output<typeof contract.setUp>['portal_off']> {
  const [found] = await scope.run(sql<ColumnsOf<'portals', 'id' | 'name'>>`
    select p.id, p.name from gateways as t
    join properties as h on h.customer_id = t.customer_id and h.id = t.property_id
    join portals as p on p.customer_id = h.customer_id and p.id = ${portalOf('h')} and p.deleted_at is null and p.status <> 'active'
    where t.id = ${id} and ${scope.inReach('gateways', 't')}`)
  return found ?? null
}

export default (services: Pick<Services, 'seal' | 'portal_url' | 'portal_domain' | 'radius' | 'unreachable'>) => {
  const registered = gatewaysOf(services, gatewayCredentials(services))
  return serve(contract, {
    kinds: () => Promise.resolve(kinds.map(described).toSorted((one, other) => one.id - other.id)),
    check: ({ scope, input }) => lampsOf(scope, input.id),
    setUp: async ({ scope, input: { id } }) => {
      const gateway = await oneRow(scope, registered, id)
      return setUpOf(gateway, { ...services, portal_off: await portalOff(scope, id) })
    },
  })
}
