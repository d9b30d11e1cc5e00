// Link of Apaleo: reservations page by page: those in house, or those that were modified; by a person's consent, or else by a token of an
// app of the hotel's own for each round.
import { openConsent, type Tokens } from '#server/connections/consent.ts'
import type { Ask } from '#server/connections/provider.ts'
import { call_limits, parsedAnswer, readAllPages, requireSuccess, timeOf } from '#server/property-systems/answers.ts'
import { NotSetUp, type PollRequest, type PolledSystem } from '#server/property-systems/kind.ts'
import { changedStay, listedStay, Page, type Reservation } from './translation.ts'

const name = 'Apaleo'
const page_rows = 200
/** Some twenty thousand reservations. */
const pages_max = 100
/** Our clock may be behind theirs. */
const ahead_ms = 3_600_000

export const poll: PolledSystem['poll'] = async (asked) => {
  const { property, since, origins } = asked
  if (property.external_reference === null)
    throw new NotSetUp('The property needs its external reference: its code in Apaleo, such as MUC.')
  const call = await callOf(asked)

  let at: Date | undefined
  const all = (wanted: Record<string, string>): Promise<Reservation[]> =>
    readAllPages(
      async (page) => {
        const query = new URLSearchParams({ ...wanted, pageNumber: String(page), pageSize: String(page_rows) })
        const answer = await call(`${origins.apaleo.api_url}/booking/v1/reservations?${query.toString()}`, {
          headers: { accept: 'application/json' },
          ...call_limits,
        })
        requireSuccess(name, answer)
        at ??= timeOf(answer)
        if (answer.status === 204 || answer.body.length === 0) return { rows: [], total: 0 }
        const { reservations, count } = parsedAnswer(name, Page, answer)
        return { rows: reservations, total: count }
      },
      { idOf: ({ id }) => id, pages_max },
    )

  const propertyIds = property.external_reference
  if (since === null) {
    const stays = (await all({ propertyIds, status: 'InHouse' })).flatMap((one) => listedStay(one) ?? [])
    return { at: at ?? new Date(), stays }
  }
  const to = new Date(Date.now() + ahead_ms).toISOString()
  const modified = await all({ propertyIds, dateFilter: 'Modification', from: since.toISOString(), to })
  return { at: at ?? new Date(), changed: modified.map(changedStay) }
}

/** An app of the hotel's own goes first: whoever enters one means it. */
async function callOf({ fetch, settings, origins, consented, can_consent }: PollRequest): Promise<Ask> {
  const { client_id, client_secret } = settings
  if (typeof client_id === 'string' && typeof client_secret === 'string') {
    const { access_token } = await tokenOf(fetch, origins.apaleo.login_url, { client_id, client_secret })
    return (url, call) =>
      fetch(url, { ...call, headers: { ...call?.headers, authorization: `Bearer ${access_token}` } })
  }
  if (consented !== null) return consented
  const missing = 'Its client ID or client secret is missing.'
  throw new NotSetUp(can_consent ? `${missing} Connect it by consent in Apaleo, or enter them.` : missing)
}

function tokenOf(
  fetch: PollRequest['fetch'],
  login_url: string,
  client: { client_id: string; client_secret: string },
): Promise<Tokens> {
  const consent = openConsent(fetch, name, {
    ...client,
    client_of: 'this client ID and secret',
    authorize_url: `${login_url}/connect/authorize`,
    token_url: `${login_url}/connect/token`,
    revoke_url: null,
    scopes: [],
    secret_in: 'header',
    pkce: false,
  })
  return consent.byCredentials()
}
