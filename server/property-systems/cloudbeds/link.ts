// Link of Cloudbeds: everybody who is in house, page by page. Its times have no zone, so it is not asked what has changed.
import type { Ask } from '#server/connections/provider.ts'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import { call_limits, parsedAnswer, readAllPages, requireSuccess, timeOf } from '#server/property-systems/answers.ts'
import { NotSetUp, type PollRequest, type PolledSystem } from '#server/property-systems/kind.ts'
import { Page, roomsOf } from './translation.ts'

const name = 'Cloudbeds'
/** As many as it gives at once. */
const page_rows = 100
/** Some twenty thousand reservations. */
const pages_max = 200

export const poll: PolledSystem['poll'] = async (asked) => {
  const { external_reference } = asked.property
  const call = callOf(asked)

  let at: Date | undefined
  const found = await readAllPages(
    async (page) => {
      const query = new URLSearchParams({
        ...(external_reference !== null && { propertyID: external_reference }),
        status: 'checked_in',
        includeGuestsDetails: 'true',
        pageNumber: String(page),
        pageSize: String(page_rows),
      })
      const answer = await call(`${asked.origins.cloudbeds.api_url}/api/v1.3/getReservations?${query.toString()}`, {
        headers: { accept: 'application/json' },
        ...call_limits,
      })
      requireSuccess(name, answer)
      at ??= timeOf(answer)
      const { success, data, total } = parsedAnswer(name, Page, answer)
      // What is wrong comes as a success of HTTP, too.
      if (!success)
        throw new NotReached(`${name} refuses to say who is in house: see that the key may read reservations`)
      return { rows: data, total }
    },
    { idOf: ({ reservationID }) => reservationID, pages_max },
  )
  return { at: at ?? new Date(), bookings: new Map(found.map((one) => [one.reservationID, roomsOf(one)])) }
}

function callOf({ fetch, settings, consented, can_consent }: PollRequest): Ask {
  const { api_key } = settings
  if (typeof api_key === 'string')
    return (url, call) => fetch(url, { ...call, headers: { ...call?.headers, 'x-api-key': api_key } })
  if (consented !== null) return consented
  const missing = 'Its API key is missing.'
  throw new NotSetUp(can_consent ? `${missing} Connect it by consent in Cloudbeds, or enter one.` : missing)
}
