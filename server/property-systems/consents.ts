// Consents: systems that ask a person for consent, as those of the cloud do: the way there and back with this installation's client, and
// the calls that are then made in their name.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'
import { openConsent, type Tokens } from '#server/connections/consent.ts'
import { propertySystem } from '#server/connections/property/kind.ts'
import type { Ask } from '#server/connections/provider.ts'
import { openOAuth, type Returned } from '#server/connections/oauth-flow.ts'
import type { TokenAccess, Offered } from '#server/connections/tokens.ts'
import type { Origins } from './kind.ts'
import { systemOf } from './kinds.ts'

/** Notes with its connection whether a person has to give consent anew. What is so already is not written again. */
export const noteEnded = (scope: Scope, interface_id: number, has_ended: boolean) =>
  scope.change(
    'connections',
    sql<boolean>`(t.kind = ${propertySystem.word} and t.own_id = ${interface_id} and t.needs_reconnect <> ${has_ended})`,
    { needs_reconnect: has_ended },
  )

interface Needs extends TokenAccess {
  systems: Origins
  public_url: string
}

/** An interface, and the system that it is to. */
interface Of {
  id: number
  type_id: number
}

export function openSystemConsents({ systems: origins, public_url, ...access }: Needs) {
  const offered = (type_id: number): (Offered & { type_id: number }) | null => {
    const system = systemOf(type_id)
    const given = system?.consentOf?.(origins)
    if (!system || !given) return null
    const { name } = system.definition
    return { type_id, name, consent: openConsent(access.safeFetch, name, given) }
  }
  const oauth = openOAuth(access, {
    owner: propertySystem,
    offeredOf: (type_id) => {
      const found = offered(Number(type_id))
      if (!found) throw clash('This system is not connected by consent here. Its form says how to connect it.')
      return found
    },
    /** People of a group have addresses of their own. */
    redirectUri: ({ owner }) =>
      `${public_url}/${owner.owner_type === 'Group' ? 'group' : 'customer'}/property-interfaces`,
  })

  return {
    isOffered: (type_id: number) => offered(type_id) !== null,

    begin: (caller: Caller, { id, type_id }: Of) => oauth.begin(caller, String(type_id), id),

    async finish(caller: Caller, returned: Returned): Promise<Of & { tokens: Tokens }> {
      const { offered: chosen, again, tokens } = await oauth.finish(caller, returned)
      return { id: again ?? 0, type_id: chosen.type_id, tokens }
    },

    async keep(scope: Scope, id: number, tokens: Tokens) {
      await oauth.keep(scope, id, tokens)
      await noteEnded(scope, id, false)
    },
    async forget(scope: Scope, id: number) {
      await oauth.forget(scope, id)
      await noteEnded(scope, id, false)
    },
    revoke: (caller: Caller, { id, type_id }: Of) => oauth.revoke(caller, id, String(type_id)),

    /** Null: this installation has no client there. */
    ask: (caller: Caller, { id, type_id }: Of): Ask | null =>
      offered(type_id) && oauth.ask(caller, id, String(type_id)),
  }
}
