// Link of MRI: its API over HTTPS, page by page. A page that is missing makes all of it count for nothing.
import { z } from 'zod'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import type { AskedSystem } from '#server/property-systems/kind.ts'
import { Lease, Resident, stays } from './translation.ts'

const rows_at_once = 300
/** Some twenty thousand rows. */
const pages_max = 70
const answer_bytes_max = 4 * 1024 * 1024

const Page = z.object({ value: z.array(z.unknown()), nextLink: z.string().nullish() })

export const ask: AskedSystem['ask'] = async ({ fetch, host, settings, reference }) => {
  const of = (key: string) => String(settings[key] ?? '')
  const parts = ['client_id', 'database', 'web_user', 'developer_key', 'password']
  if (parts.some((key) => of(key) === ''))
    throw new NotReached('its client ID, database, web user, developer key or password is missing')
  const user = [of('client_id'), of('database'), of('web_user'), of('developer_key')].join('/')
  const authorization = `Basic ${Buffer.from(`${user}:${of('password')}`).toString('base64')}`

  async function all<T>(api: string, shape: z.ZodType<T>): Promise<T[]> {
    const rows: T[] = []
    const origin = `https://${host}`
    const query = new URLSearchParams({ $api: api, $format: 'json', $top: String(rows_at_once), RMPROPID: reference })
    let next: string | null = `${origin}/mriapiservices/api.asp?${query.toString()}`
    for (let page = 0; next !== null; page++) {
      if (page >= pages_max) throw new NotReached('it has more residents than can be taken over')
      const { status, body } = await fetch(next, {
        headers: { authorization, accept: 'application/json' },
        answer_bytes_max,
        redirects_max: 0,
        timeout_ms: 30_000,
      })
      if (status === 401 || status === 403) throw new NotReached('MRI does not take these credentials')
      if (status !== 200) throw new NotReached(`MRI answers ${status}`)
      const { value, nextLink } = read(Page, jsonIn(body))
      rows.push(...value.map((row) => read(shape, row)))
      next = nextLink ? linkOf(nextLink, next) : null
      // What is known of the customer goes nowhere else.
      if (next !== null && new URL(next).origin !== new URL(origin).origin)
        throw new NotReached('MRI sends us to another address for the rest')
    }
    return rows
  }

  const residents = await all('MRI_S-PMRM_ResidentsByPropertyID', Resident)
  const leases = await all('MRI_S-PMRM_ResidentLeaseDetailsByPropertyID', Lease)
  return stays(residents, leases)
}

const unreadable = (size: number) => new NotReached(`its answer, of ${size} bytes, is not what MRI documents`)
function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw unreadable(body.length)
  }
}
function read<T>(shape: z.ZodType<T>, value: unknown): T {
  const checked = shape.safeParse(value)
  if (!checked.success) throw unreadable(JSON.stringify(value).length)
  return checked.data
}
function linkOf(next: string, from: string): string {
  if (!URL.canParse(next, from)) throw unreadable(next.length)
  return new URL(next, from).href
}
