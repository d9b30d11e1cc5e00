// Conversations: docs/property-system-calls.txt says call by call what each system in the cloud is asked, and which stays come of its
// answers. A change of it is read there before it is kept: `npm test server/property-systems/conversations.test.ts -- -u` writes it anew.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Settings } from '#contract/parameters.ts'
import { readConfig } from '#server/start/config.ts'
import { openApaleo } from './apaleo/simulation.ts'
import { openCloudbeds } from './cloudbeds/simulation.ts'
import type { PollAnswer, PropertySystem } from './kind.ts'
import { systems } from './kinds.ts'
import { openMews } from './mews/simulation.ts'
import { openMri } from './mri/simulation.ts'
import type { SimulatedAnswer, SimulatedCall } from './simulated.ts'
import { keyed } from './stay-keys.ts'

const begins = new Date('2026-01-31T09:30:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: begins }))
afterEach(() => vi.useRealTimers())

interface Simulated {
  answer: (call: SimulatedCall) => SimulatedAnswer
  host?: string | null
  settings: Settings
  /** What happens at the hotel between two rounds. */
  happens: readonly (() => void)[]
}

const stay = (key: string, room: string, ...names: string[]) => ({
  key,
  room,
  guests: names.map((name) => {
    const [first = '', last = ''] = name.split(' ')
    return { first, last, email: `${first.toLowerCase()}@example.com` }
  }),
  arrives: '2026-01-30',
  departs: '2026-02-03',
})
/** Three come and one is booked; then one leaves, one moves, and the one who is booked comes. */
function aHouse(hotel: ReturnType<typeof openMews> | ReturnType<typeof openCloudbeds>) {
  return [
    () => {
      hotel.checkIn(stay('AAA-1', '101', 'Ada Hart', 'Ben Weber'))
      hotel.checkIn(stay('BBB-1', '102', 'Cy Ode'))
      hotel.checkIn(stay('CCC-1', '103', 'Di Ney'))
      hotel.book(stay('DDD-1', '104', 'Ed Late'))
    },
    () => {
      hotel.checkOut('BBB-1')
      hotel.change('CCC-1', { room: '203' })
      hotel.checkIn(stay('DDD-1', '104', 'Ed Late'))
    },
  ]
}
const simulations: Record<string, () => Simulated> = {
  Apaleo() {
    const hotel = openApaleo()
    return {
      answer: hotel.answer,
      settings: { client_id: 'HOTEL-WIFI', client_secret: 's3cret' },
      happens: aHouse(hotel),
    }
  },
  Mews() {
    const hotel = openMews()
    return {
      answer: hotel.answer,
      settings: { client_token: 'CLIENT', access_token: 'ACCESS-MUC' },
      happens: aHouse(hotel),
    }
  },
  Cloudbeds() {
    const hotel = openCloudbeds()
    return { answer: hotel.answer, settings: { api_key: 'cbat_key' }, happens: aHouse(hotel) }
  },
  MRI() {
    const houses = openMri('MUC')
    const resident = (unit: string, first: string, last: string) => ({ unit, lease: `L-${unit}`, first, last })
    return {
      answer: ({ url, headers }) => ({ headers: {}, ...houses.answer(url, headers) }),
      host: 'mri.example.com',
      settings: { client_id: 'C100', database: 'LIVE', web_user: 'wifi', developer_key: 'key', password: 'secret' },
      happens: [
        () => {
          houses.residents.push(
            { ...resident('101', 'Ada', 'Hart'), email: 'ada@example.com', phone: '+44 20 7946 0000' },
            resident('102', 'Ben', 'Weber'),
            { ...resident('103', 'Cy', 'Ode'), moves_out: '2026-02-03' },
          )
        },
        () => void houses.residents.shift(),
      ],
    }
  },
}

async function conversationWith(
  { polling }: PropertySystem,
  { answer, host = null, settings, happens }: Simulated,
): Promise<string[]> {
  const lines: string[] = []
  const { systems: origins } = readConfig({})
  let since: Date | null = null
  for (const happen of happens) {
    happen()
    const answered: PollAnswer | undefined = await polling?.poll({
      fetch(url, { method = 'GET', headers = {}, body = '' } = {}) {
        const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
        lines.push(`> ${method} ${url}`)
        for (const [name, value] of Object.entries(plain)) lines.push(`  ${name}: ${value}`)
        if (body) lines.push(`  ${String(body)}`)
        const said = answer({ method, url, headers: plain, body: String(body) })
        lines.push(`< ${said.status}`)
        return Promise.resolve(said)
      },
      origins,
      consented: null,
      can_consent: false,
      host,
      settings,
      property: { mri_enabled: true, mri_communication: true, external_reference: 'MUC', time_zone: 'Europe/Berlin' },
      since,
      known: () => Promise.resolve([]),
    })
    const listed =
      answered && 'bookings' in answered ? { at: answered.at, stays: keyed(answered.bookings, []) } : answered
    lines.push(`= ${JSON.stringify(listed, null, 1)}`, '')
    since = answered?.at ?? null
    vi.advanceTimersByTime(60_000)
  }
  // Tokens are drawn.
  return lines.map((line) => line.replace(/Bearer \S+/, 'Bearer …'))
}

test('docs/property-system-calls.txt says what each system is asked, and what comes of it', async () => {
  const asked = systems.filter(({ polling }) => polling !== undefined)
  const parts = []
  for (const system of asked) {
    const { name } = system.definition
    const open = simulations[name]
    if (!open) throw new Error(`${name} is asked, and stands in no conversation here`)
    parts.push(
      '',
      `## ${name}, each ${system.polling?.every_s} s${system.polling?.hints ? ', and when it hints' : ''}`,
      '',
    )
    parts.push(...(await conversationWith(system, open())))
  }
  const text = [
    '# What property systems in the cloud are asked (>), their answers (<), and the stays that come of them (=), against simulations.',
    '# Written by `npm test server/property-systems/conversations.test.ts -- -u`.',
    ...parts,
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/property-system-calls.txt')
})
