// Simulation of Cloudbeds: its list of reservations as its API documents it: a key in a header, an envelope that may say no under 200,
// guests by their ids, pages; and its consent, whose refresh tokens count once. Its clock is its own.
import { randomBytes } from 'node:crypto'
import {
  answerAt,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedStay,
} from '#server/property-systems/simulated.ts'

type Status = 'confirmed' | 'checked_in' | 'checked_out' | 'canceled' | 'no_show'
interface Reservation extends SimulatedStay {
  status: Status
}

const parameters = new Set(['propertyID', 'status', 'includeGuestsDetails', 'pageNumber', 'pageSize'])
/** The app of a partner: people give it their consent. */
const partner = { id: 'live1_foyer', secret: 'p4rtner' }
/** Fewer than are asked for, so that small houses have several pages. */
const page_rows = 2

/** People's consent to the partner's app, and the tokens that it is exchanged for. */
function openConsents(answered: (status: number, value: unknown) => SimulatedAnswer) {
  const codes = new Map<string, string>()
  const tokens = new Set<string>()
  const refreshes = new Set<string>()
  const secret = () => randomBytes(16).toString('base64url')
  /** Whoever comes is signed in, and agrees. */
  function agreed(asked: URLSearchParams): SimulatedAnswer {
    const redirect_uri = asked.get('redirect_uri') ?? ''
    if (asked.get('client_id') !== partner.id || !URL.canParse(redirect_uri))
      return answered(400, { error: 'invalid_request' })
    const code = secret()
    codes.set(code, redirect_uri)
    const back = new URL(redirect_uri)
    back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
    return { status: 302, headers: { location: back.href }, body: Buffer.alloc(0) }
  }
  function tokenFor(asked: URLSearchParams): SimulatedAnswer {
    if (asked.get('client_id') !== partner.id || asked.get('client_secret') !== partner.secret)
      return answered(401, { error: 'invalid_client' })
    const given = asked.get('code') ?? ''
    const stands =
      asked.get('grant_type') === 'refresh_token'
        ? refreshes.delete(asked.get('refresh_token') ?? '')
        : codes.get(given) === asked.get('redirect_uri') && codes.delete(given)
    if (!stands) return answered(400, { error: 'invalid_grant' })
    const [access_token, refresh_token] = [secret(), secret()]
    tokens.add(access_token)
    refreshes.add(refresh_token)
    return answered(200, { access_token, token_type: 'Bearer', expires_in: 28_800, refresh_token })
  }
  return {
    agreed,
    tokenFor,
    takes: (token: string) => tokens.has(token),
    endTokens: () => tokens.clear(),
    /** Nobody's consent stands any more; nor do tokens. */
    forget() {
      refreshes.clear()
      tokens.clear()
    },
  }
}

const written = ({ key, room: first_room, guests, arrives, departs, status }: Reservation, propertyID: string) => ({
  propertyID,
  reservationID: key,
  dateCreated: `${arrives} 08:00:00`,
  dateModified: `${arrives} 09:00:00`,
  status,
  guestName: `${guests[0]?.first ?? ''} ${guests[0]?.last ?? ''}`,
  startDate: arrives,
  endDate: departs,
  adults: String(guests.length),
  guestList: Object.fromEntries(
    guests.map(({ first, last, email, room = first_room }, at) => [
      `${key}-${at}`,
      {
        guestID: `${key}-${at}`,
        guestFirstName: first,
        guestLastName: last,
        guestEmail: email ?? '',
        guestPhone: '',
        guestCellPhone: '',
        subReservationID: key,
        assignedRoom: room !== '',
        roomID: room === '' ? '' : `r${room}`,
        roomName: room,
        rooms: room === '' ? [] : [{ roomID: `r${room}`, roomName: room, subReservationID: key }],
        isMainGuest: at === 0,
      },
    ]),
  ),
})

export function openCloudbeds() {
  const reservations = new Map<string, Reservation>()
  const answered = (status: number, value: unknown) => answerAt(Date.now() + cloudbeds.ahead_ms, status, value)
  const refused = (message: string) => answered(200, { success: false, message })
  const put = (key: string, values: Partial<Reservation>) => {
    const before = reservations.get(key)
    if (before) reservations.set(key, { ...before, ...values })
  }
  const consents = openConsents(answered)
  const cloudbeds = {
    property: 'MUC',
    asked: [] as string[],
    /** Breaks off after so many pages. */
    pages_max: Infinity,
    forget: consents.forget,
    endTokens: consents.endTokens,
    /** Of its clock, before ours. */
    ahead_ms: 0,
    /** Happens while its pages are read. */
    betweenPages: undefined as (() => void) | undefined,
    answer({ method, url, headers, body }: SimulatedCall): SimulatedAnswer {
      const { host, pathname, searchParams: asked } = new URL(url)
      cloudbeds.asked.push(pathname)
      if (host === 'api.cloudbeds.com' && pathname === '/api/v1.3/oauth') return consents.agreed(asked)
      if (host === 'api.cloudbeds.com' && pathname === '/api/v1.3/access_token' && method === 'POST')
        return consents.tokenFor(new URLSearchParams(body))
      if (host !== 'api.cloudbeds.com' || pathname !== '/api/v1.3/getReservations' || method !== 'GET')
        return answered(404, { success: false, message: 'Not found' })
      const token = (headers['authorization'] ?? '').replace(/^Bearer /, '')
      if (headers['x-api-key'] !== 'cbat_key' && !consents.takes(token))
        return answered(401, { success: false, message: 'Invalid key' })
      if ([...asked.keys()].some((name) => !parameters.has(name))) return refused('Unknown parameter')
      if (asked.has('propertyID') && asked.get('propertyID') !== cloudbeds.property) return refused('No access')
      const [size, page] = [Number(asked.get('pageSize')), Number(asked.get('pageNumber'))]
      if (!(size >= 1 && size <= 100 && page >= 1)) return refused('Invalid page')
      if (page > cloudbeds.pages_max) return answered(500, {})
      const all = [...reservations.values()].filter(({ status }) => status === asked.get('status'))
      const some = all.slice((page - 1) * page_rows, page * page_rows)
      if (page * page_rows < all.length) cloudbeds.betweenPages?.()
      return answered(200, {
        success: true,
        data: some.map((one) => written(one, cloudbeds.property)),
        count: some.length,
        total: all.length,
      })
    },
    book(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, status: 'confirmed' })
    },
    checkIn(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, status: 'checked_in' })
    },
    change: (key: string, values: Partial<SimulatedStay>) => put(key, values),
    checkOut: (key: string) => put(key, { status: 'checked_out' }),
    reinstate: (key: string) => put(key, { status: 'checked_in' }),
  }
  return cloudbeds
}
