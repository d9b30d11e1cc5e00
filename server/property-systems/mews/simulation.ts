// Simulation of Mews: its Connector API as Mews documents it, and as strict: POST alone, exact names, tokens in each body, windows of
// at most three months, pages behind a cursor. Its clock is its own.
import { isDeepStrictEqual } from 'node:util'
import {
  answerAt,
  type SimulatedAnswer,
  type SimulatedCall,
  type SimulatedGuest,
  type SimulatedStay,
} from '#server/property-systems/simulated.ts'

type State = 'Confirmed' | 'Started' | 'Processed' | 'Canceled'
interface Reservation extends SimulatedStay {
  state: State
  updated: number
}
interface Window {
  StartUtc?: string
  EndUtc?: string
}
interface Asked {
  ClientToken?: string
  AccessToken?: string
  Client?: string
  States?: string[]
  UpdatedUtc?: Window
  CollidingUtc?: Window
  ReservationIds?: string[]
  Extent?: Record<string, boolean>
  Limitation?: { Count?: number; Cursor?: string }
}

const base = '/api/connector/v1/'
const window_max_ms = 92 * 24 * 3_600_000
/** Fewer than are asked for, so that small houses have several pages. */
const page_rows = 2

function within(window: Window | undefined): ((from: number, to: number) => boolean) | null {
  if (!window) return () => true
  const [start, end] = [Date.parse(window.StartUtc ?? ''), Date.parse(window.EndUtc ?? '')]
  if (Number.isNaN(start) || Number.isNaN(end) || end < start || end - start > window_max_ms) return null
  return (from, to) => from <= end && to >= start
}
const written = ({ key, room, arrives, departs, state, updated }: Reservation) => ({
  Id: key,
  ServiceId: 'stay',
  Number: key,
  State: state,
  AccountId: `${key} account`,
  AccountType: 'Customer',
  AssignedResourceId: room === '' ? null : `space ${room}`,
  ScheduledStartUtc: `${arrives}T15:00:00Z`,
  ActualStartUtc: state === 'Started' ? `${arrives}T15:00:00Z` : null,
  ScheduledEndUtc: `${departs}T11:00:00Z`,
  ActualEndUtc: null,
  UpdatedUtc: new Date(updated).toISOString(),
})
const spacesOf = (reservations: Iterable<Reservation>) =>
  [...new Set([...reservations].map(({ room }) => room))]
    .filter((room) => room !== '')
    .map((room) => ({ Id: `space ${room}`, Name: room, IsActive: true }))
/** A customer is one record, however many reservations they are of. */
const customerOf = ({ first, last, second_last, email }: SimulatedGuest) => ({
  Id: `${first} ${last}`,
  FirstName: first,
  LastName: last,
  SecondLastName: second_last ?? null,
  Email: email ?? null,
  Phone: null,
})
/** Each by one reservation. */
function peopleOf(reservations: Iterable<Reservation>) {
  const people = new Map<string, object>()
  for (const { key, state, guests } of reservations)
    for (const Customer of state === 'Started' ? guests.map(customerOf) : [])
      if (!people.has(Customer.Id)) people.set(Customer.Id, { Customer, Reservation: { Id: key } })
  return [...people.values()]
}

export function openMews() {
  const reservations = new Map<string, Reservation>()
  const now = () => Date.now() + mews.ahead_ms
  const answered = (status: number, value: unknown) => answerAt(now(), status, value)
  const refused = (status: number, Message: string) => answered(status, { Message, RequestId: '1', Details: null })
  const put = (key: string, values: Partial<Reservation>) => {
    const before = reservations.get(key)
    if (!before) return
    const after = { ...before, ...values }
    // People have clocks of their own.
    const isSame = isDeepStrictEqual({ ...after, guests: [] }, { ...before, guests: [] })
    reservations.set(key, { ...after, updated: isSame ? before.updated : now() })
  }

  function paged<T extends { Id: string }>(
    name: string,
    all: T[],
    limitation: Asked['Limitation'],
    beside: object = {},
  ): SimulatedAnswer {
    const { Count, Cursor } = limitation ?? {}
    if (!Count || Count > 1000) return refused(400, 'Invalid Limitation.')
    const from = Cursor === undefined ? 0 : all.findIndex(({ Id }) => Id === Cursor) + 1
    if (from / page_rows >= mews.pages_max) return refused(500, 'Something went wrong.')
    const some = all.slice(from, from + page_rows)
    const isLast = from + page_rows >= all.length
    if (!isLast) mews.betweenPages?.()
    return answered(200, { [name]: some, ...beside, Cursor: isLast ? null : some.at(-1)?.Id })
  }

  function listed({ States, UpdatedUtc, CollidingUtc, ReservationIds, Limitation }: Asked): SimulatedAnswer {
    const [updated, colliding] = [within(UpdatedUtc), within(CollidingUtc)]
    if (!updated || !colliding || !(UpdatedUtc ?? CollidingUtc ?? ReservationIds))
      return refused(400, 'Invalid interval.')
    const all = [...reservations.values()].filter(
      (one) =>
        (States ?? [one.state]).includes(one.state) &&
        (ReservationIds ?? [one.key]).includes(one.key) &&
        updated(one.updated, one.updated) &&
        colliding(Date.parse(`${one.arrives}T15:00:00Z`), Date.parse(`${one.departs}T11:00:00Z`)),
    )
    return paged('Reservations', all.map(written), Limitation)
  }
  function accompanied({ ReservationIds, Extent, Limitation }: Asked): SimulatedAnswer {
    if (!ReservationIds || ReservationIds.length > 1000) return refused(400, 'Invalid ReservationIds.')
    const those = [...reservations.values()].filter(({ key }) => ReservationIds.includes(key))
    const companionships = those.flatMap(({ key, guests }) =>
      guests.map((one) => ({ Id: `${key} ${customerOf(one).Id}`, CustomerId: customerOf(one).Id, ReservationId: key })),
    )
    const Customers = Extent?.['Customers'] ? those.flatMap(({ guests }) => guests.map(customerOf)) : null
    return paged('Companionships', companionships, Limitation, { Customers })
  }
  const mews = {
    /** The hotel of the access token. */
    property: 'MUC',
    asked: [] as string[],
    /** Breaks off after so many pages. */
    pages_max: Infinity,
    /** Of its clock, before ours. */
    ahead_ms: 0,
    /** Happens while its pages are read. */
    betweenPages: undefined as (() => void) | undefined,
    answer({ method, url, headers, body }: SimulatedCall): SimulatedAnswer {
      const { host, pathname } = new URL(url)
      mews.asked.push(pathname)
      if (host !== 'api.mews.com' || method !== 'POST' || !pathname.startsWith(base)) return refused(404, 'Not found.')
      if (headers['content-type'] !== 'application/json') return refused(400, 'Invalid content type.')
      const asked = JSON.parse(body) as Asked
      if (asked.ClientToken !== 'CLIENT' || asked.AccessToken !== `ACCESS-${mews.property}`)
        return refused(401, 'Invalid token.')
      if (!asked.Client) return refused(400, 'Invalid Client.')
      switch (pathname.slice(base.length)) {
        case 'reservations/getAll/2023-06-06':
          return listed(asked)
        case 'resources/getAll':
          return asked.Extent?.['Resources']
            ? paged('Resources', spacesOf(reservations.values()), asked.Limitation)
            : refused(400, 'No extent.')
        case 'customers/search':
          return asked.Extent?.['Customers']
            ? answered(200, { Customers: peopleOf(reservations.values()) })
            : refused(400, 'No extent.')
        case 'companionships/getAll':
          return accompanied(asked)
        default:
          return refused(404, 'Not found.')
      }
    },
    book(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, state: 'Confirmed', updated: now() })
    },
    checkIn(stay: SimulatedStay) {
      reservations.set(stay.key, { ...stay, state: 'Started', updated: now() })
    },
    change: (key: string, values: Partial<SimulatedStay>) => put(key, values),
    checkOut: (key: string) => put(key, { state: 'Processed' }),
    reinstate: (key: string) => put(key, { state: 'Started' }),
  }
  return mews
}
