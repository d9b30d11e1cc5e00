// Link of Cloudbeds: everybody who is in house, page by page. Its times have no zone, so it is not asked what has changed.
import { NotReached } from '#server/outbound/safe-fetch.ts'
import { careful, said, steadily, succeeded, timeOf } from '#server/property-systems/answers.ts'
import { NotSetUp, type AskedSystem } from '#server/property-systems/kind.ts'
import { Page, staysOf } from './translation.ts'

const name = 'Cloudbeds'
const api = 'https://api.cloudbeds.com/api/v1.3'
/** As many as it gives at once. */
const page_rows = 100
/** Some twenty thousand reservations. */
const pages_max = 200

export const ask: AskedSystem['ask'] = async ({ fetch, settings, property }) => {
  const { api_key } = settings
  if (typeof api_key !== 'string') throw new NotSetUp('Its API key is missing.')
  const { external_reference } = property

  let at: Date | undefined
  const found = await steadily(
    async (page) => {
      const query = new URLSearchParams({
        ...(external_reference !== null && { propertyID: external_reference }),
        status: 'checked_in',
        includeGuestsDetails: 'true',
        pageNumber: String(page),
        pageSize: String(page_rows),
      })
      const answer = await fetch(`${api}/getReservations?${query.toString()}`, {
        headers: { 'x-api-key': api_key, accept: 'application/json' },
        ...careful,
      })
      succeeded(name, answer)
      at ??= timeOf(answer)
      const { success, data, total } = said(name, Page, answer)
      // What is wrong comes as a success of HTTP, too.
      if (!success)
        throw new NotReached(`${name} refuses to say who is in house: see that the key may read reservations`)
      return { rows: data, total }
    },
    { idOf: ({ reservationID }) => reservationID, pages_max },
  )
  return { at: at ?? new Date(), stays: found.flatMap(staysOf) }
}
