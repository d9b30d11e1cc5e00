// Simulation of Apaleo: its token and its list of reservations as its API documents them, and as strict: names of parameters, states,
// pages, no content for an empty list. Its clock is its own.

export interface SimulatedGuest {
  first: string
  last: string
  email?: string
}
export interface SimulatedStay {
  key: string
  room: string
  guests: SimulatedGuest[]
  arrives: string
  departs: string
}

export interface SimulatedCall {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}
export interface SimulatedAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

type Status = 'Confirmed' | 'InHouse' | 'CheckedOut' | 'Canceled' | 'NoShow'
interface Reservation extends SimulatedStay {
  status: Status
  modified: number
}

const statuses: readonly string[] = ['Confirmed', 'InHouse', 'CheckedOut', 'Canceled', 'NoShow']
const parameters = new Set([
  'propertyIds',
  'status',
  'unitIds',
  'dateFilter',
  'from',
  'to',
  'expand',
  'sort',
  'pageNumber',
  'pageSize',
])
/** Each half is encoded as a form is (RFC 6749, section 2.3.1). */
const decoded = (header: string) => decodeURIComponent(Buffer.from(header.replace(/^Basic /, ''), 'base64').toString())
const expected = 'HOTEL-WIFI:s3cret'
/** Fewer than are asked for, so that small houses have several pages. */
const page_rows = 2

export function openApaleo() {
  const reservations = new Map<string, Reservation>()
  let token = 0
  const now = () => Date.now() + apaleo.ahead_ms
  const answered = (status: number, value?: unknown): SimulatedAnswer => ({
    status,
    headers: { date: new Date(now()).toUTCString(), 'content-type': 'application/json' },
    body: value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value)),
  })
  const put = (key: string, values: Partial<Reservation>) => {
    const before = reservations.get(key)
    if (before) reservations.set(key, { ...before, ...values, modified: now() })
  }

  function tokenFor({ method, headers, body }: SimulatedCall): SimulatedAnswer {
    if (method !== 'POST' || decoded(headers['authorization'] ?? '') !== expected)
      return answered(400, { error: 'invalid_client' })
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return answered(400, { error: 'unsupported_grant_type' })
    return answered(200, { access_token: `token ${++token}`.replace(' ', '-'), expires_in: 3600, token_type: 'Bearer' })
  }

  function listed(asked: URLSearchParams): SimulatedAnswer {
    const status = asked.get('status')
    const [from, to] = [asked.get('from'), asked.get('to')].map((value) => (value === null ? NaN : Date.parse(value)))
    const isKnown = [...asked.keys()].every((name) => parameters.has(name))
    const byDate = asked.get('dateFilter')
    if (!isKnown || asked.get('propertyIds') !== apaleo.property) return answered(422, { messages: ['Not valid'] })
    if (status !== null && !statuses.includes(status)) return answered(422, { messages: ['Not valid'] })
    if (byDate !== null && (byDate !== 'Modification' || Number.isNaN(from) || Number.isNaN(to)))
      return answered(422, { messages: ['Not valid'] })
    const [size, page] = [Number(asked.get('pageSize')), Number(asked.get('pageNumber'))]
    if (!(size >= 1 && size <= 1000 && page >= 1)) return answered(422, { messages: ['Not valid'] })
    if (page > apaleo.pages_max) return answered(500, {})
    const all = [...reservations.values()].filter(
      (one) =>
        (status === null || one.status === status) &&
        (byDate === null || (one.modified >= (from ?? 0) && one.modified <= (to ?? 0))),
    )
    const some = all.slice((page - 1) * page_rows, page * page_rows)
    if (all.length === 0) return answered(204)
    apaleo.betweenPages?.()
    return answered(200, { count: all.length, reservations: some.map(written) })
  }
  const person = ({ first, last, email }: SimulatedGuest) => ({ firstName: first, lastName: last, email })
  const written = ({ key, room, guests, arrives, departs, status, modified }: Reservation) => ({
    id: key,
    bookingId: key.split('-')[0],
    status,
    property: { id: apaleo.property, code: apaleo.property, name: 'Simulated hotel' },
    ...(room !== '' && { unit: { id: `${apaleo.property}-${room}`, name: room } }),
    arrival: `${arrives}T15:00:00+00:00`,
    departure: `${departs}T11:00:00+00:00`,
    created: new Date(modified - 1000).toISOString(),
    modified: new Date(modified).toISOString(),
    adults: guests.length,
    ...(guests[0] && { primaryGuest: person(guests[0]) }),
    additionalGuests: guests.slice(1).map(person),
  })

  const apaleo = {
    property: 'MUC',
    asked: [] as string[],
    /** Breaks off after so many pages. */
    pages_max: Infinity,
    /** Of its clock, before ours. */
    ahead_ms: 0,
    /** Happens while its pages are read. */
    betweenPages: undefined as (() => void) | undefined,
    answer(call: SimulatedCall): SimulatedAnswer {
      const { host, pathname, searchParams } = new URL(call.url)
      apaleo.asked.push(`${host}${pathname}`)
      if (host === 'identity.apaleo.com' && pathname === '/connect/token') return tokenFor(call)
      if (host !== 'api.apaleo.com' || pathname !== '/booking/v1/reservations' || call.method !== 'GET')
        return answered(404, {})
      if (call.headers['authorization'] !== `Bearer token-${token}`) return answered(401)
      return listed(searchParams)
    },
    book(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, status: 'Confirmed', modified: now() })
    },
    checkIn(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, status: 'InHouse', modified: now() })
    },
    change: (key: string, values: Partial<SimulatedStay>) => put(key, values),
    checkOut: (key: string) => put(key, { status: 'CheckedOut' }),
    reinstate: (key: string) => put(key, { status: 'InHouse' }),
  }
  return apaleo
}
