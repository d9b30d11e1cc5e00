// Consents: systems that ask a person for consent, as those of the cloud do: the way there and back with this installation's client, and
// the calls that are then made in their name.
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { clash } from '#server/errors/refused.ts'
import { openConsent, type OpenConsent, type Tokens } from '#server/connections/consent.ts'
import { propertySystem } from '#server/connections/property/kind.ts'
import type { Ask } from '#server/connections/provider.ts'
import {
  askWith,
  forgetTokens,
  keepTokens,
  tokenToRevoke,
  type Access,
  type Connection,
} from '#server/connections/tokens.ts'
import { beginWalk, endWalk, type Returned } from '#server/connections/walks.ts'
import type { Origins } from './kind.ts'
import { systemOf } from './kinds.ts'

interface Offered {
  type_id: number
  name: string
  consent: OpenConsent
  /** Systems say whole addresses. */
  api_url: string
}

/** Notes with its connection whether a person has to give consent anew. What is so already is not written again. */
export const noteEnded = (scope: Scope, interface_id: number, has_ended: boolean) =>
  scope.change(
    'connections',
    sql<boolean>`(t.kind = ${propertySystem.word} and t.own_id = ${interface_id} and t.needs_reconnect <> ${has_ended})`,
    { needs_reconnect: has_ended },
  )

interface Needs extends Access {
  systems: Origins
  public_url: string
}

export function openSystemConsents({ systems: origins, public_url, ...access }: Needs) {
  const offeredOf = (type_id: number): Offered | null => {
    const system = systemOf(type_id)
    const given = system?.consentOf?.(origins)
    if (!system || !given) return null
    const { name } = system.definition
    return { type_id, name, consent: openConsent(access.safeFetch, name, given), api_url: '' }
  }
  const ofInterface = (id: number): Connection => ({ kind: propertySystem, id })
  const mustOffer = (type_id: number): Offered => {
    const found = offeredOf(type_id)
    if (!found) throw clash('This system is not connected by consent here. Its form says how it is done.')
    return found
  }
  /** People of a group have addresses of their own. */
  const redirectUri = ({ owner }: Caller) =>
    `${public_url}/${owner.owner_type === 'Group' ? 'group' : 'customer'}/property-interfaces`

  return {
    isOffered: (type_id: number) => offeredOf(type_id) !== null,

    /** The provider's address, valid once and for this person only. */
    async begin(caller: Caller, { id, type_id }: { id: number; type_id: number }): Promise<{ url: string }> {
      return beginWalk(access, caller, mustOffer(type_id).consent, {
        kind: propertySystem.word,
        provider: String(type_id),
        again: id,
        redirect_uri: redirectUri(caller),
      })
    },
    async finish(caller: Caller, returned: Returned): Promise<{ id: number; type_id: number; tokens: Tokens }> {
      const { offered, again, tokens } = await endWalk(access, caller, returned, {
        kind: propertySystem.word,
        redirect_uri: redirectUri(caller),
        offeredAs: (provider) => mustOffer(Number(provider)),
      })
      return { id: again ?? 0, type_id: offered.type_id, tokens }
    },

    async keep(scope: Scope, id: number, tokens: Tokens) {
      await keepTokens(scope, access.seal, ofInterface(id), tokens)
      await noteEnded(scope, id, false)
    },
    async forget(scope: Scope, id: number) {
      await forgetTokens(scope, ofInterface(id))
      await noteEnded(scope, id, false)
    },
    /** Revokes consent. The provider may be unreachable; our tokens are deleted in any case. */
    async revoke(caller: Caller, { id, type_id }: { id: number; type_id: number }): Promise<void> {
      try {
        const token = await tokenToRevoke(access, caller, ofInterface(id))
        if (token !== null) await offeredOf(type_id)?.consent.revoke(token)
      } catch {
        // The token is no longer used, and it expires.
      }
    },

    /** Calls with what the consent has given; null: this installation has no client there. */
    ask(caller: Caller, { id, type_id }: { id: number; type_id: number }): Ask | null {
      const found = offeredOf(type_id)
      return found ? askWith(access, caller, ofInterface(id), found) : null
    },
  }
}
