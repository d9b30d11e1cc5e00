// Link of Apaleo: a token for each round by client credentials, and reservations page by page: those in house, or those that were modified.
import { openConsent, type Tokens } from '#server/integrations/consent.ts'
import { ProviderFailure } from '#server/integrations/provider.ts'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import { careful, said, steadily, succeeded, timeOf } from '#server/property-systems/answers.ts'
import { NotSetUp, type AskedSystem } from '#server/property-systems/kind.ts'
import { changedStay, listedStay, Page, type Reservation } from './translation.ts'

const name = 'Apaleo'
const identity = 'https://identity.apaleo.com'
const api = 'https://api.apaleo.com'
const page_rows = 200
/** Some twenty thousand reservations. */
const pages_max = 100
/** Our clock may be behind theirs. */
const ahead_ms = 3_600_000

export const ask: AskedSystem['ask'] = async ({ fetch, settings, property, since }) => {
  const { client_id, client_secret } = settings
  if (typeof client_id !== 'string' || typeof client_secret !== 'string')
    throw new NotSetUp('Its client ID or client secret is missing.')
  if (property.external_reference === null)
    throw new NotSetUp('The property needs its external reference: its code in Apaleo, such as MUC.')
  const { access_token } = await tokenOf(fetch, client_id, client_secret)

  let at: Date | undefined
  const all = (asked: Record<string, string>): Promise<Reservation[]> =>
    steadily(
      async (page) => {
        const query = new URLSearchParams({ ...asked, pageNumber: String(page), pageSize: String(page_rows) })
        const answer = await fetch(`${api}/booking/v1/reservations?${query.toString()}`, {
          headers: { authorization: `Bearer ${access_token}`, accept: 'application/json' },
          ...careful,
        })
        succeeded(name, answer)
        at ??= timeOf(answer)
        if (answer.status === 204 || answer.body.length === 0) return { rows: [], total: 0 }
        const { reservations, count } = said(name, Page, answer)
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

async function tokenOf(
  fetch: Parameters<AskedSystem['ask']>[0]['fetch'],
  client_id: string,
  client_secret: string,
): Promise<Tokens> {
  const consent = openConsent(fetch, name, {
    client_id,
    client_secret,
    client_of: 'this client ID and secret',
    authorize_url: `${identity}/connect/authorize`,
    token_url: `${identity}/connect/token`,
    revoke_url: null,
    scopes: [],
    secret_in: 'header',
    pkce: false,
  })
  return consent.byCredentials().catch((error: unknown) => {
    throw error instanceof ProviderFailure ? new NotReached(error.message.replace(/\.$/, '')) : error
  })
}
