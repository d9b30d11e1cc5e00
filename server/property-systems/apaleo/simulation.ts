// Simulation of Apaleo: its tokens, its page of consent and its list of reservations as its API documents them, and as strict: names of
// parameters, states, pages, no content for an empty list; a code counts once, with its verifier. Its clock is its own.
import { createHash, randomBytes } from 'node:crypto'
import {
  answerAt,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedGuest,
  type SimulatedStay,
} from '#server/property-systems/simulated.ts'

type Status = 'Confirmed' | 'InHouse' | 'CheckedOut' | 'Canceled' | 'NoShow'
interface Reservation extends SimulatedStay {
  /** Where it is not the usual one. */
  property?: string | undefined
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
/** A Connect app: people give it their consent. */
const connect_app = { id: 'FOYER-AC', secret: 'c0nnect' }
const token_s = 3600
interface Walk {
  redirect_uri: string
  challenge: string
  scope: string
}
/** Fewer than are asked for, so that small houses have several pages. */
const page_rows = 2

/** Its tokens, for an app of the hotel's own and for one that people consent to. */
function openIdentity(now: () => number, answered: (status: number, value?: unknown) => SimulatedAnswer) {
  let serial = 0
  /** Until when each is good. */
  const tokens = new Map<string, number>()
  const walks = new Map<string, Walk>()
  const refreshes = new Map<string, string>()
  const newToken = () => {
    const access_token = `token-${++serial}`
    tokens.set(access_token, now() + token_s * 1000)
    return { access_token, expires_in: token_s, token_type: 'Bearer' }
  }

  function tokenFor({ method, headers, body }: SimulatedCall): SimulatedAnswer {
    const proof = decoded(headers['authorization'] ?? '')
    const asked = new URLSearchParams(body)
    if (method !== 'POST') return answered(405)
    if (proof === expected)
      return asked.get('grant_type') === 'client_credentials'
        ? answered(200, newToken())
        : answered(400, { error: 'unsupported_grant_type' })
    if (proof !== `${connect_app.id}:${connect_app.secret}`) return answered(400, { error: 'invalid_client' })
    return asked.get('grant_type') === 'refresh_token' ? renewed(asked) : exchanged(asked)
  }
  function renewed(asked: URLSearchParams): SimulatedAnswer {
    const scope = refreshes.get(asked.get('refresh_token') ?? '')
    if (scope === undefined) return answered(400, { error: 'invalid_grant' })
    return answered(200, { ...newToken(), refresh_token: asked.get('refresh_token'), scope })
  }
  function exchanged(asked: URLSearchParams): SimulatedAnswer {
    if (asked.get('grant_type') !== 'authorization_code') return answered(400, { error: 'unsupported_grant_type' })
    const code = asked.get('code') ?? ''
    const walk = walks.get(code)
    walks.delete(code)
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url')
    if (walk?.redirect_uri !== asked.get('redirect_uri') || walk?.challenge !== challenge)
      return answered(400, { error: 'invalid_grant' })
    const refresh_token = randomBytes(16).toString('base64url')
    refreshes.set(refresh_token, walk.scope)
    return answered(200, { ...newToken(), refresh_token, scope: walk.scope })
  }
  /** Whoever comes is signed in, and agrees. */
  function agreed(asked: URLSearchParams): SimulatedAnswer {
    const of = (name: string) => asked.get(name) ?? ''
    const scope = of('scope')
    const isRight =
      of('response_type') === 'code' &&
      of('client_id') === connect_app.id &&
      of('code_challenge_method') === 'S256' &&
      scope.split(' ').includes('reservations.read')
    if (!isRight) return answered(400, { error: 'invalid_request' })
    const code = randomBytes(16).toString('base64url')
    walks.set(code, { redirect_uri: of('redirect_uri'), challenge: of('code_challenge'), scope })
    const back = new URL(of('redirect_uri'))
    back.search = new URLSearchParams({ code, state: of('state'), scope }).toString()
    return { status: 302, headers: { location: back.href }, body: Buffer.alloc(0) }
  }
  function revoked(body: string): SimulatedAnswer {
    refreshes.delete(new URLSearchParams(body).get('token') ?? '')
    return answered(200)
  }

  return {
    tokenFor,
    agreed,
    revoked,
    takes: (token: string) => (tokens.get(token) ?? 0) >= now(),
    endTokens: () => tokens.clear(),
    forget() {
      refreshes.clear()
      tokens.clear()
    },
  }
}

const person = ({ first, last, email }: SimulatedGuest) => ({ firstName: first, lastName: last, email })
const written = ({ key, room, guests, arrives, departs, status, modified }: Reservation, property: string) => ({
  id: key,
  bookingId: key.split('-')[0],
  status,
  property: { id: property, code: property, name: 'Simulated hotel' },
  ...(room !== '' && { unit: { id: `${property}-${room}`, name: room } }),
  arrival: `${arrives}T15:00:00+00:00`,
  departure: `${departs}T11:00:00+00:00`,
  created: new Date(modified - 1000).toISOString(),
  modified: new Date(modified).toISOString(),
  adults: guests.length,
  ...(guests[0] && { primaryGuest: person(guests[0]) }),
  additionalGuests: guests.slice(1).map(person),
})

export function openApaleo() {
  const reservations = new Map<string, Reservation>()
  const now = () => Date.now() + apaleo.ahead_ms
  const answered = (status: number, value?: unknown) => answerAt(now(), status, value)
  const put = (key: string, values: Partial<Reservation>) => {
    const before = reservations.get(key)
    if (before) reservations.set(key, { ...before, ...values, modified: now() })
  }

  const identity = openIdentity(now, answered)

  function listed(asked: URLSearchParams): SimulatedAnswer {
    const status = asked.get('status')
    const [from, to] = [asked.get('from'), asked.get('to')].map((value) => (value === null ? NaN : Date.parse(value)))
    const property = asked.get('propertyIds') ?? ''
    const isKnown = [...asked.keys()].every((name) => parameters.has(name))
    const byDate = asked.get('dateFilter')
    if (!isKnown || (property !== apaleo.property && !apaleo.others.has(property)))
      return answered(422, { messages: ['Not valid'] })
    if (status !== null && !statuses.includes(status)) return answered(422, { messages: ['Not valid'] })
    if (byDate !== null && (byDate !== 'Modification' || Number.isNaN(from) || Number.isNaN(to)))
      return answered(422, { messages: ['Not valid'] })
    const [size, page] = [Number(asked.get('pageSize')), Number(asked.get('pageNumber'))]
    if (!(size >= 1 && size <= 1000 && page >= 1)) return answered(422, { messages: ['Not valid'] })
    if (page > apaleo.pages_max) return answered(500, {})
    const all = [...reservations.values()].filter(
      (one) =>
        (one.property ?? apaleo.property) === property &&
        (status === null || one.status === status) &&
        (byDate === null || (one.modified >= (from ?? 0) && one.modified <= (to ?? 0))),
    )
    const some = all.slice((page - 1) * page_rows, page * page_rows)
    if (all.length === 0) return answered(204)
    apaleo.betweenPages?.()
    return answered(200, { count: all.length, reservations: some.map((one) => written(one, property)) })
  }
  const apaleo = {
    property: 'MUC',
    /** Codes of further ones. */
    others: new Set<string>(),
    asked: [] as string[],
    /** Breaks off after so many pages. */
    pages_max: Infinity,
    /** Nobody's consent stands any more; nor do tokens. */
    forget: identity.forget,
    /** Tokens end; consent stands. */
    endTokens: identity.endTokens,
    /** Of its clock, before ours. */
    ahead_ms: 0,
    /** Happens while its pages are read. */
    betweenPages: undefined as (() => void) | undefined,
    answer(call: SimulatedCall): SimulatedAnswer {
      const { host, pathname, searchParams } = new URL(call.url)
      apaleo.asked.push(`${host}${pathname}`)
      if (host === 'identity.apaleo.com' && pathname === '/connect/token') return identity.tokenFor(call)
      if (host === 'identity.apaleo.com' && pathname === '/connect/authorize') return identity.agreed(searchParams)
      if (host === 'identity.apaleo.com' && pathname === '/connect/revocation') return identity.revoked(call.body)
      if (host !== 'api.apaleo.com' || pathname !== '/booking/v1/reservations' || call.method !== 'GET')
        return answered(404, {})
      const token = (call.headers['authorization'] ?? '').replace(/^Bearer /, '')
      if (!identity.takes(token)) return answered(401)
      return listed(searchParams)
    },
    book(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, status: 'Confirmed', modified: now() })
    },
    checkIn(stay: SimulatedStay, property?: string) {
      reservations.set(stay.key, { ...stay, property, status: 'InHouse', modified: now() })
    },
    change: (key: string, values: Partial<SimulatedStay>) => put(key, values),
    checkOut: (key: string) => put(key, { status: 'CheckedOut' }),
    reinstate: (key: string) => put(key, { status: 'InHouse' }),
  }
  return apaleo
}
