// Link of Mews: its Connector API: reservations in house, or those that were updated, and who is in house by which of them. People are
// records of their own, whose changes leave the reservation as it was, so that who is in house is compared with who was told.
//
// What Mews takes away on a set date stands in the names of its operations: `getAll/2023-06-06` has the scheduled and the actual times that
// the operation of 2017, which ended in May 2025, had not.
import type { z } from 'zod'
import { day_ms } from '#contract/days.ts'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import { call_limits, parsedAnswer, requireSuccess, timeOf } from '#server/property-systems/answers.ts'
import { NotSetUp, type PolledSystem } from '#server/property-systems/kind.ts'
import { usual_host } from './definition.ts'
import { Companionships, InHouse, namesNobody, otherPeople, Reservations, Resources, staysOf } from './translation.ts'

const name = 'Mews'
const page_rows = 500
/** That one question may name. */
const ids_max = 1000
/** Some twenty thousand reservations. */
const pages_max = 40
/** Of a stay that is longer than what may be asked for (three months), some part lies in these days. */
const days_back = 80
/** Who came before their time has a start that is still ahead. */
const days_ahead = 2
/** Our clock may be behind theirs. */
const ahead_ms = 3_600_000

interface Page<T> {
  rows: T[]
  Cursor: string | null
}

export const poll: PolledSystem['poll'] = async ({ fetch, origins, host, settings, property, since, known }) => {
  const isUsual = host === null || host === usual_host
  // Whoever may register an interface chooses its host: the installation's own token is for Mews alone.
  const { client_token = isUsual ? origins.mews.client_token : null, access_token } = settings
  if (typeof client_token !== 'string' || typeof access_token !== 'string')
    throw new NotSetUp('Its client token or access token is missing.')

  let at: Date | undefined
  async function call<T>(operation: string, shape: z.ZodType<T>, filter: object): Promise<T> {
    const answer = await fetch(`https://${host ?? usual_host}/api/connector/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ClientToken: client_token, AccessToken: access_token, Client: 'Foyer 1.0', ...filter }),
      ...call_limits,
    })
    requireSuccess(name, answer)
    at ??= timeOf(answer)
    return parsedAnswer(name, shape, answer)
  }
  /** Pages go on behind the last row that was read, so that who leaves meanwhile moves nobody over an edge. */
  async function all<T>(operation: string, shape: z.ZodType<Page<T>>, filter: object): Promise<T[]> {
    const found: T[] = []
    let Limitation: { Count: number; Cursor?: string } = { Count: page_rows }
    for (let page = 0; page < pages_max; page++) {
      const { rows, Cursor } = await call(operation, shape, { ...filter, Limitation })
      found.push(...rows)
      if (Cursor === null || rows.length === 0) return found
      Limitation = { Count: page_rows, Cursor }
    }
    throw new NotReached('it has more reservations than Foyer can read')
  }

  const now = Date.now()
  const window = (from: number, until: number) => ({
    StartUtc: new Date(from).toISOString(),
    EndUtc: new Date(until).toISOString(),
  })
  const read = (filter: object) => all('reservations/getAll/2023-06-06', Reservations, filter)
  const those = await read(
    since === null
      ? { States: ['Started'], CollidingUtc: window(now - days_back * day_ms, now + days_ahead * day_ms) }
      : { UpdatedUtc: window(since.getTime(), now + ahead_ms) },
  )
  const found =
    since === null && those.length === 0
      ? []
      : (await call('customers/search', InHouse, { Extent: { Customers: true, Documents: false, Addresses: false } }))
          .Customers
  const others = since === null ? [] : otherPeople(found, await known())
  const unread = others.filter((id) => !those.some(({ Id }) => Id === id))
  const reservations = [...those, ...(await byIds(unread, (ReservationIds) => read({ ReservationIds })))]
  const companions = await byIds(namesNobody(reservations, found), (ReservationIds) =>
    all('companionships/getAll', Companionships, { ReservationIds, Extent: { Customers: true } }),
  )
  const isAnyIn = reservations.some(({ State }) => State === 'Started')
  const resources = isAnyIn ? await all('resources/getAll', Resources, { Extent: { Resources: true } }) : []
  const asked_at = at ?? new Date()
  const changed = staysOf({
    reservations,
    resources,
    people: [...found, ...companions],
    time_zone: property.time_zone,
    at: asked_at,
    others: new Set(others),
  })
  if (since !== null) return { at: asked_at, changed }
  const stays = changed.flatMap(({ stay_key, fields }) => (fields ? [{ ...fields, stay_key }] : []))
  return { at: asked_at, stays }
}

async function byIds<T>(ids: readonly string[], read: (some: readonly string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = []
  for (let from = 0; from < ids.length; from += ids_max) found.push(...(await read(ids.slice(from, from + ids_max))))
  return found
}
