// Guest help instructions: what a guest needs to know to get online: the network, the page, and what to type there.
import { sql } from 'kysely'
import type { Language } from '#contract/languages.ts'
import type { HelpSubject } from '#contract/guest-help.ts'
import type { Output } from '#contract/endpoint.ts'
import type { cards } from '#contract/room-guests.ts'
import { helpIn } from '#catalogue/spoken.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { isShownAt } from '#server/entities/shown-portal.ts'
import { unreachableIds } from '#server/entities/verbs.ts'
import type { GuestRecord } from './guest-record.ts'
import { codeFor } from '#server/vouchers/shown-codes.ts'

type Tell = HelpSubject['tell']
type Card = Output<typeof cards>[number]

/** None for a device, which gets online by itself, or for an unmatched attempt. */
function rowsFor(scope: Scope, known: GuestRecord, language: Language | undefined) {
  const { kind, room, stay, typed, voucher, email } = known
  const say = helpIn(language)
  const row = (label: 'room' | 'last-name' | 'username' | 'code' | 'email', value: string) => ({
    label: say(`type.${label}`),
    value,
  })
  if (stay?.checked_out) return []
  if (kind === 'stay' && room !== null)
    return [row('room', room), ...(stay?.last_name ? [row('last-name', stay.last_name)] : [])]
  if (kind === 'account' && typed[0] !== undefined) return [row('username', typed[0])]
  if (voucher !== null) return [row('code', codeFor(scope, voucher))]
  if (kind === 'guest' && email !== null) return [row('email', email)]
  return []
}

/** `portal_url`: the base URL of guests' pages. */
export async function instructionsOf(
  scope: Scope,
  known: GuestRecord,
  portal_url: string,
  language = scope.language,
): Promise<Tell> {
  const rows = rowsFor(scope, known, language)
  if (rows.length === 0 || known.property === null) return null
  const [found] = await scope.run(sql<{ network: string | null; public_id: string | null }>`
    select t.network_name as network, ${portalAt('t')} as public_id
    from properties as t where t.id = ${known.property.id} and ${scope.inReach('properties', 't')}`)
  return { network: found?.network ?? null, page: pageOf(portal_url, found?.public_id), rows, email: known.email }
}

const pageOf = (portal_url: string, public_id: string | null | undefined) =>
  public_id == null ? null : `${portal_url}/p/${public_id}`

/** Of a row of `properties`. */
const portalAt = (row: string) => sql`(select p.public_id from portals as p where ${isShownAt('p', row)})`

/** The same for several guests of rooms at once, by room. */
export async function cardsOf(scope: Scope, ids: readonly number[], portal_url: string) {
  const say = helpIn(scope.language)
  const wanted = [...new Set(ids)]
  const found = await scope.run(sql<Omit<Card, 'page'> & { public_id: string | null }>`
    select t.id, t.name, json_build_object('id', h.id, 'name', h.name) as property, h.network_name as network,
      ${portalAt('h')} as public_id, json_build_array(json_build_object('label', ${say('type.room')}::text, 'value', r.number),
        json_build_object('label', ${say('type.last-name')}::text, 'value', t.last_name)) as rows
    from room_guests as t join rooms as r on r.customer_id = t.customer_id and r.id = t.room_id
    join properties as h on h.customer_id = t.customer_id and h.id = t.property_id
    where t.id = any(${wanted}) and ${scope.inReach('room_guests', 't')} order by r.number, t.id`)
  if (found.length !== wanted.length) throw unreachableIds()
  return found.map(({ public_id, ...card }) => ({
    ...card,
    page: pageOf(portal_url, public_id),
    rows: card.rows.filter(({ value }) => value !== null),
  }))
}
