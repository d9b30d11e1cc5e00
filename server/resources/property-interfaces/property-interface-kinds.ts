// Property interface kinds: what the folders of server/property-systems say of themselves.
import * as contract from '#contract/property-interface-kinds.ts'
import { serve } from '#server/api/serve.ts'
import type { Services } from '#server/services.ts'
import { openSystemConsents } from '#server/property-systems/consents.ts'
import { isServed, systems } from '#server/property-systems/kinds.ts'

export default (services: Pick<Services, 'seal' | 'tenancy' | 'safeFetch' | 'systems' | 'public_url'>) => {
  const consents = openSystemConsents(services)
  return serve(contract, {
    kinds: () =>
      Promise.resolve(
        systems
          .map((system) => ({
            ...system.definition,
            served: isServed(system),
            posts: system.hook !== undefined || system.polling?.hints === true,
            can_be_asked: system.asksForAll === true,
            can_be_connected: consents.isOffered(system.definition.id),
          }))
          .toSorted((one, other) => one.id - other.id),
      ),
  })
}
