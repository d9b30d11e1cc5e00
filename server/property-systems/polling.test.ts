// Polling: what systems in the cloud are asked again and again becomes guests of their rooms, whichever system it is: each passes the same
// tests, against a simulation as strict as its maker's documents.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addDays } from '#contract/days.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as properties from '#contract/properties.ts'
import { refusals } from '#contract/errors.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { openApaleo } from './apaleo/simulation.ts'
import { openCloudbeds } from './cloudbeds/simulation.ts'
import { openMews } from './mews/simulation.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,guest' } })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const today = new Date().toISOString().slice(0, 10)
const departs = addDays(today, 3)

type Simulated = Pick<ReturnType<typeof openApaleo>, keyof ReturnType<typeof openMews>>
interface Make {
  name: string
  type_id: number
  open: () => Simulated
  /** Those by which the system knows this property. */
  settings: (property: string) => Record<string, string>
  /** A secret that is wrong, and what is said of it. */
  wrong: readonly [settings: Record<string, string | null>, sentence: string]
  missing: readonly [settings: Record<string, string | null>, sentence: string]
  /** Each time, and not what has changed. */
  tells_all?: true
  /** Its pages have no number and no total: each says where the next one begins. */
  goes_on?: true
}
const makes: readonly Make[] = [
  {
    name: 'Apaleo',
    type_id: 4,
    open: openApaleo,
    settings: () => ({ client_id: 'HOTEL-WIFI', client_secret: 's3cret' }),
    wrong: [
      { client_secret: 'other' },
      'There is no link: Apaleo does not accept this client ID and secret (invalid_client).',
    ],
    missing: [{ client_secret: null }, 'Its client ID or client secret is missing.'],
  },
  {
    name: 'Mews',
    type_id: 3,
    open: openMews,
    settings: (property) => ({ client_token: 'CLIENT', access_token: `ACCESS-${property}` }),
    wrong: [{ access_token: 'ACCESS' }, 'There is no link: Mews does not accept these credentials.'],
    missing: [{ access_token: null }, 'Its client token or access token is missing.'],
    goes_on: true,
  },
  {
    name: 'Cloudbeds',
    type_id: 7,
    open: openCloudbeds,
    settings: () => ({ api_key: 'cbat_key' }),
    wrong: [{ api_key: 'cbat_other' }, 'There is no link: Cloudbeds does not accept these credentials.'],
    missing: [{ api_key: null }, 'Its API key is missing.'],
    tells_all: true,
  },
]

describe.each(makes)('$name', ({ type_id, open, settings, wrong, missing, tells_all, goes_on }) => {
  let system: Simulated
  let property_id: number
  let id: number
  let hook_url: string
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    system = open()
    property_id = (
      await foyer.property(editor, {
        time_zone: 'Atlantic/Reykjavik',
        external_reference: system.property,
        sync_rooms_and_devices: true,
      })
    ).id
    await foyer.rooms(editor, property_id, ['101', '102', '103', '104', '105', '106', '107', '108', '109', '110'])
    const made = await foyer.propertyInterface(editor, {
      property_interface_type_id: type_id,
      owner_type: 'Property',
      owner_id: property_id,
      settings: { ...settings(system.property), grace_minutes: 0 },
    })
    id = made.id
    hook_url = made.hook_url
  })
  afterEach(() => void vi.useRealTimers())

  const safeFetch: SafeFetch = (url, { method = 'GET', headers = {}, body = '' } = {}) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    return Promise.resolve(system.answer({ method, url, headers: plain, body: String(body) }))
  }
  const ask = async (fetch = safeFetch) => {
    const outcome = await tryDue(
      pollingWork(tellMoveIns),
      { ...foyer.services, safeFetch: fetch },
      { customer_id: editor.user.customer.id, about_id: id },
    )
    // Whatever happens next is later.
    vi.advanceTimersByTime(2000)
    return outcome
  }
  const later = () => vi.advanceTimersByTime(2000)
  const house = async () =>
    (
      await foyer.query<{ who: string }>(
        `select room_number || ' ' || coalesce(name, '–') as who from room_guests
         where property_id = $1 and deleted_at is null order by 1`,
        [property_id],
      )
    ).map(({ who }) => who)
  const state = async () => (await foyer.get(interfaces.get, { id }, editor)).data.state
  const stay = (key: string, room: string, ...names: string[]) => ({
    key,
    room,
    guests: names.map((name) => {
      const [first = '', last = ''] = name.split(' ')
      return { first, last, email: `${first.toLowerCase()}@example.com` }
    }),
    arrives: today,
    departs,
  })

  test('who is in house comes in, with all who share the room, and who only booked does not', async () => {
    system.checkIn(stay('AAA-1', '101', 'Ada Hart', 'Ben Weber'))
    system.checkIn(stay('BBB-1', '102', 'Cy Ode'))
    system.checkIn(stay('CCC-1', '201', 'Di Ney'))
    system.book(stay('DDD-1', '103', 'Ed Nobody'))
    expect(await ask()).toBe('done')
    expect(await house()).toEqual(['101 Ada Hart', '101 Ben Weber', '102 Cy Ode', '201 Di Ney'])
    expect(await state()).toMatchObject({ word: 'up' })
    expect(
      await foyer.query(`select departs_on, email from room_guests where property_id = $1 and name = 'Ada Hart'`, [
        property_id,
      ]),
    ).toEqual([{ departs_on: departs, email: 'ada@example.com' }])
  })

  test('what has changed is asked for: a move, a name, another day, a sharer who comes and goes, an end, and one taken back', async () => {
    for (const at of [1, 2, 3, 4, 5]) system.checkIn(stay(`K${at}-1`, `10${at}`, `Guest Number${at}x`))
    await ask()
    const idOf = (last_name: string) =>
      foyer.query<{ id: number }>('select id from room_guests where property_id = $1 and last_name = $2', [
        property_id,
        last_name,
      ])
    const before = await idOf('Number1x')
    system.change('K1-1', { room: '110' })
    system.change('K2-1', stay('K2-1', '102', 'Gwen Number2x'))
    system.change('K3-1', { departs: addDays(departs, 4) })
    system.change('K4-1', stay('K4-1', '104', 'Guest Number4x', 'Ian Sharer'))
    system.checkOut('K5-1')
    system.checkIn(stay('K6-1', '106', 'Late Comer'))
    await ask()
    expect(await house()).toEqual([
      '102 Gwen Number2x',
      '103 Guest Number3x',
      '104 Guest Number4x',
      '104 Ian Sharer',
      '106 Late Comer',
      '110 Guest Number1x',
    ])
    expect(await idOf('Number1x')).toEqual(before)
    expect(
      await foyer.query(`select departs_on from room_guests where property_id = $1 and last_name = 'Number3x'`, [
        property_id,
      ]),
    ).toEqual([{ departs_on: addDays(departs, 4) }])
    system.change('K4-1', stay('K4-1', '104', 'Guest Number4x'))
    system.reinstate('K5-1')
    await ask()
    expect(await house()).toEqual([
      '102 Gwen Number2x',
      '103 Guest Number3x',
      '104 Guest Number4x',
      '105 Guest Number5x',
      '106 Late Comer',
      '110 Guest Number1x',
    ])
  })

  test.runIf(tells_all)(
    'of a reservation with several rooms whoever stays keeps their devices as others leave',
    async () => {
      for (const at of [4, 5, 6]) system.checkIn(stay(`K${at}-1`, `10${at}`, `Guest Number${at}x`))
      const booked = stay('AAA-1', '101', 'Ada Hart', 'Cy Weber', 'Eve Ode')
      const guests = booked.guests.map((guest, at) => ({ ...guest, room: `10${at + 1}` }))
      const there = () =>
        foyer.query<{ id: number; who: string }>(
          `select id, room_number || ' ' || name as who from room_guests
         where property_id = $1 and deleted_at is null and room_number < '104' order by id`,
          [property_id],
        )
      system.checkIn({ ...booked, guests })
      await ask()
      const [, cy, eve] = await there()
      system.change('AAA-1', { guests: guests.slice(1) })
      await ask()
      expect(await there()).toEqual([cy, eve])
    },
  )

  test('what is read twice changes nothing, and what is booked for later leaves no trace', async () => {
    system.checkIn(stay('AAA-1', '101', 'Ada Hart'))
    await ask()
    system.change('AAA-1', { room: '102' })
    system.book(stay('DDD-1', '103', 'Ed Nobody'))
    await ask()
    const told = () =>
      foyer.query(
        `select stay_key, ${tells_all ? 'null' : 'told_at'} as at, told from told_stays where property_interface_id = $1`,
        [id],
      )
    const [first, log] = [await told(), await foyer.get(interfaces.log, { id }, editor)]
    expect(first.length).toBe(1)
    // Within the overlap it is told again.
    await ask()
    await ask()
    expect(await told()).toEqual(first)
    expect((await foyer.get(interfaces.log, { id }, editor)).data).toEqual(log.data)
  })

  test('by a clock of its own, before or behind ours', async () => {
    for (const ahead_ms of [-20 * 60_000, 20 * 60_000]) {
      system.ahead_ms = ahead_ms
      system.checkIn(stay(`A${ahead_ms}-1`, '101', `Ada Hart${ahead_ms < 0 ? 'x' : 'y'}`))
      await ask()
      system.change(`A${ahead_ms}-1`, { room: '105' })
      await ask()
      system.change(`A${ahead_ms}-1`, { room: '106' })
      await ask()
      expect(await house(), `${ahead_ms}`).toEqual([`106 Ada Hart${ahead_ms < 0 ? 'x' : 'y'}`])
      system.checkOut(`A${ahead_ms}-1`)
      await ask()
      expect(await house(), `${ahead_ms}`).toEqual([])
      await foyer.query('delete from property_links where property_interface_id = $1', [id])
    }
  })

  test('a list that is cut off, or that changes while it is read, changes nothing', async () => {
    for (const at of [1, 2, 3, 4, 5]) system.checkIn(stay(`K${at}-1`, `10${at}`, `Guest Number${at}x`))
    await ask()
    const before = await house()
    await foyer.get(interfaces.sync, { id }, editor)
    system.pages_max = 1
    await ask()
    expect(await house()).toEqual(before)
    expect(await state()).toMatchObject({ word: 'down' })
    system.pages_max = Infinity
    // One leaves as another comes: the number of them stays the same.
    let once = true
    system.betweenPages = () => {
      if (once) {
        system.checkOut('K1-1')
        system.checkIn(stay('K6-1', '106', 'Late Comer'))
      }
      once = false
    }
    await ask()
    expect((await house()).filter((who) => who !== before[0] && who.includes('Number'))).toEqual(before.slice(1))
    system.betweenPages = undefined
    await ask()
    expect(await house()).toEqual([...before.slice(1), '106 Late Comer'])
    expect(await state()).toMatchObject({ word: 'up' })
  })

  test.skipIf(tells_all)('a list that would empty the house waits, and who comes meanwhile is let in', async () => {
    for (const at of [1, 2, 3, 4]) system.checkIn(stay(`K${at}-1`, `10${at}`, `Guest Number${at}x`))
    await ask()
    for (const at of [1, 2, 3, 4]) system.checkOut(`K${at}-1`)
    await foyer.get(interfaces.sync, { id }, editor)
    await ask()
    expect(await state()).toMatchObject({ word: 'confirm', moves_out: 4 })
    system.checkIn(stay('K9-1', '109', 'Late Comer'))
    await ask()
    expect((await house()).at(-1)).toBe('109 Late Comer')
    await foyer.get(interfaces.confirm, { id, moves_out: (await state()).moves_out ?? 0 }, editor)
    expect(await house()).toEqual(['109 Late Comer'])
  })

  test.runIf(goes_on)(
    'a list without an end is not read for ever: it is said to be too long, and changes nothing',
    async () => {
      for (const at of [1, 2, 3, 4, 5]) system.checkIn(stay(`K${at}-1`, `10${at}`, `Guest Number${at}x`))
      await ask()
      const before = await house()
      system.checkOut('K1-1')
      await foyer.get(interfaces.sync, { id }, editor)
      await ask((url, given) =>
        safeFetch(url, { ...given, body: String(given?.body).replace(/,"Cursor":"[^"]*"/, '') }),
      )
      expect(await state()).toMatchObject({
        word: 'down',
        last_error: 'There is no link: it has more reservations than Foyer can read.',
      })
      expect(await house()).toEqual(before)
    },
  )

  test('a list that waits is forgotten once somebody has all asked for anew', async () => {
    const keys = [1, 2, 3, 4].map((at) => `K${at}-1`)
    for (const [at, key] of keys.entries()) system.checkIn(stay(key, `10${at + 1}`, `Guest Number${at + 1}x`))
    await ask()
    const before = await house()
    for (const key of keys) system.checkOut(key)
    await foyer.get(interfaces.sync, { id }, editor)
    await ask()
    expect(await state()).toMatchObject({ word: 'confirm', moves_out: 4 })
    for (const key of keys) system.reinstate(key)
    await foyer.get(interfaces.sync, { id }, editor)
    expect(await state()).toMatchObject({ word: 'up', moves_out: null })
    await ask()
    expect(await state()).toMatchObject({ word: 'up', moves_out: null })
    expect(await house()).toEqual(before)
  })

  test.skipIf(tells_all)(
    'who comes again days after leaving is another guest, though their end was told again',
    async () => {
      const there = () =>
        foyer.query<{ id: number }>('select id from room_guests where property_id = $1 and deleted_at is null', [
          property_id,
        ])
      const half_ms = 1.5 * 24 * 3600 * 1000
      system.checkIn(stay('AAA-1', '101', 'Ada Hart'))
      await ask()
      const before = await there()
      system.checkOut('AAA-1')
      await ask()
      expect(await there()).toEqual([])
      vi.advanceTimersByTime(half_ms)
      // As when a bill is written of a stay that has ended.
      system.change('AAA-1', { departs: addDays(departs, 1) })
      await ask()
      vi.advanceTimersByTime(half_ms)
      system.reinstate('AAA-1')
      await ask()
      expect(await house()).toEqual(['101 Ada Hart'])
      expect(await there()).not.toEqual(before)
    },
  )

  test('of another property nothing is taken for a change', async () => {
    system.checkIn(stay('AAA-1', '101', 'Ada Hart'))
    await ask()
    system.property = 'BER'
    const own = settings('BER')
    if (JSON.stringify(own) === JSON.stringify(settings('MUC')))
      await foyer.get(properties.update, { id: property_id, external_reference: 'BER' }, editor)
    else await foyer.get(interfaces.update, { id, settings: own }, editor)
    system.checkOut('AAA-1')
    system.checkIn(stay('BBB-1', '102', 'Cy Ode'))
    later()
    await ask()
    expect(await state()).toMatchObject({ word: 'up' })
    expect(await house()).toEqual(['102 Cy Ode'])
  })

  test('wrong and missing credentials are said', async () => {
    for (const [given, sentence] of [wrong, missing]) {
      await foyer.get(interfaces.update, { id, settings: given }, editor)
      await ask()
      expect(await state()).toMatchObject({ word: 'down', last_error: sentence })
    }
    expect(await house()).toEqual([])
  })

  test('a hint has it asked at once, is not believed, and many are one', async () => {
    const post = (url = hook_url) =>
      foyer.guest?.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ topic: 'Reservation', type: 'checked-in', data: { entityId: 'AAA-1' } }),
      })
    const due = () =>
      foyer.query<{ now: boolean }>(
        `select next_at <= now() as now from due_work where kind = 'property_asking' and about_id = $1`,
        [id],
      )
    expect((await post())?.statusCode).toBe(202)
    expect(await due()).toEqual([{ now: true }])
    await ask()
    expect(await house()).toEqual([])
    for (let times = 0; times < 5; times++) expect((await post())?.statusCode).toBe(202)
    expect(await due()).toEqual([{ now: false }])
    expectRefused(await post(hook_url.replace(/.{12}$/, '0'.repeat(12))), {
      ...refusals.unauthenticated,
      message: 'This is not signed as it should be.',
    })
  })
})
