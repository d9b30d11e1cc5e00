// Link of MRI: its API over HTTPS, page by page. A page that is missing makes all of it count for nothing.
import { z } from 'zod'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import { call_limits, parsedAnswer, requireSuccess } from '#server/property-systems/answers.ts'
import { NotSetUp, type PolledSystem } from '#server/property-systems/kind.ts'
import { bookings, Lease, Resident } from './translation.ts'

const rows_at_once = 300
/** Some twenty thousand rows. */
const pages_max = 70

const pageOf = <T>(row: z.ZodType<T>) => z.object({ value: z.array(row), nextLink: z.string().nullish() })

export const poll: PolledSystem['poll'] = async ({ fetch, host, settings, property }) => {
  const { mri_enabled, external_reference: reference } = property
  if (!mri_enabled) throw new NotSetUp('This property is not marked as connected to MRI: change that on its own page.')
  if (reference === null)
    throw new NotSetUp('The property needs its external reference: the number that it has in MRI.')
  if (host === null) throw new NotSetUp('The host of MRI is missing.')
  const of = (key: string) => String(settings[key] ?? '')
  const parts = ['client_id', 'database', 'web_user', 'developer_key', 'password']
  if (parts.some((key) => of(key) === ''))
    throw new NotReached('its client ID, database, web user, developer key or password is missing')
  const user = [of('client_id'), of('database'), of('web_user'), of('developer_key')].join('/')
  const authorization = `Basic ${Buffer.from(`${user}:${of('password')}`).toString('base64')}`

  const asked = { $format: 'json', $top: String(rows_at_once), RMPROPID: reference }
  async function all<T>(api: string, shape: z.ZodType<T>): Promise<T[]> {
    const rows: T[] = []
    const origin = `https://${host}`
    const query = new URLSearchParams({ $api: api, ...asked })
    let next: string | null = `${origin}/mriapiservices/api.asp?${query.toString()}`
    for (let page = 0; next !== null; page++) {
      if (page >= pages_max) throw new NotReached('it has more residents than Foyer can read')
      const answer = await fetch(next, { headers: { authorization, accept: 'application/json' }, ...call_limits })
      requireSuccess('MRI', answer)
      const { value, nextLink } = parsedAnswer('MRI', pageOf(shape), answer)
      rows.push(...value)
      next = nextLink ? linkOf(nextLink, next) : null
      // What is known of the customer goes nowhere else.
      if (next !== null && new URL(next).origin !== new URL(origin).origin)
        throw new NotReached('MRI sends us to another address for the rest')
    }
    return rows
  }

  const at = new Date()
  const residents = await all('MRI_S-PMRM_ResidentsByPropertyID', Resident)
  const leases = await all('MRI_S-PMRM_ResidentLeaseDetailsByPropertyID', Lease)
  return { at, bookings: bookings(residents, leases) }
}

function linkOf(next: string, from: string): string {
  if (!URL.canParse(next, from)) throw new NotReached('its link to the rest is not an address')
  return new URL(next, from).href
}
