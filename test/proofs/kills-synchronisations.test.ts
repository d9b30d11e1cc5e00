// Kills within synchronisations: the real process is killed at every step of taking in who is in house, whichever kind of system tells it:
// the house is as it was, or as the system says, never between; and what was begun is done by the next process. A step is what changes
// something: a kill before a statement that only reads leaves what the kill before the next change does.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFias } from '#server/property-systems/fias/simulation.ts'
import { openMews } from '#server/property-systems/mews/simulation.ts'
import { openMri } from '#server/property-systems/mri/simulation.ts'
import { aProperty } from '#test/foyer.ts'
import { openApaleoServer, openCloudbedsServer, openSecureServer } from '#test/providers/hotel-systems.ts'
import { killAll } from '#test/process.ts'
import { openCountedFoyer, type CountedFoyer, type Operation } from './counted-foyer.ts'
import { full } from './proof.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-synchronisations-'))
const certificate = path.join(scratch, 'certificate.pem')
const patience = { timeout: 120_000, interval: 20 }
/** More steps than any operation has. */
const never = 1_000_000

const today = new Date().toISOString().slice(0, 10)
const departs = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

interface Stay {
  key: string
  room: string
  first: string
  last: string
}
/** Two swap their rooms, one leaves, one comes, one is called otherwise, and one stays. */
const houseOf = (serial: number): Stay[] => {
  const isOdd = serial % 2 === 1
  return [
    { key: 'S-1', room: '11', first: 'Some', last: 'Bodyx' },
    { key: 'A-1', room: isOdd ? '1' : '2', first: 'Ada', last: 'Hart' },
    { key: 'B-1', room: isOdd ? '2' : '1', first: 'Ben', last: 'Weber' },
    isOdd ? { key: 'C-1', room: '3', first: 'Cy', last: 'Lind' } : { key: 'D-1', room: '4', first: 'Di', last: 'Ney' },
    { key: 'E-1', room: '5', first: 'Ed', last: isOdd ? 'Ode' : 'Oden' },
  ]
}
const rooms = Array.from({ length: 30 }, (_, at) => String(at + 1))
const linesOf = (house: readonly Stay[]) => house.map(({ room, first, last }) => `${room} ${first} ${last}`).toSorted()

/** A system, from the outside. */
interface Told {
  env: Record<string, string>
  interface: object
  property?: object
  /** What is in house over there from now on. */
  tell: (house: readonly Stay[]) => void
  /** What has it taken in; absent: a press of _Ask for all stays_. */
  drop?: (house: readonly Stay[], inbox: string) => Promise<void>
  close(): Promise<void>
}

/** Reservations that are in house, of which one that is not told any more has left. */
function tellBookings(system: {
  checkIn(stay: {
    key: string
    room: string
    guests: { first: string; last: string }[]
    arrives: string
    departs: string
  }): void
  checkOut(key: string): void
}) {
  const known = new Set<string>()
  return (house: readonly Stay[]) => {
    for (const key of known) if (house.every((stay) => stay.key !== key)) system.checkOut(key)
    for (const { key, room, first, last } of house) {
      known.add(key)
      system.checkIn({ key, room, guests: [{ first, last }], arrives: today, departs })
    }
  }
}

let tls: { key: string; cert: string }
beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  tls = { key, cert }
  fs.writeFileSync(certificate, cert)
})
afterAll(() => {
  killAll()
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
})

const kinds: Record<string, () => Promise<Told>> = {
  'a database swap of FIAS': async () => {
    const pms = await openFias()
    return {
      env: {},
      interface: { property_interface_type_id: 1, host: '127.0.0.1', port: pms.port },
      tell: (house) => {
        pms.guests.clear()
        for (const { key, room, first, last } of house)
          pms.guests.set(key, {
            key,
            room,
            name: last,
            first_name: first,
            departs: departs.slice(2).replaceAll('-', ''),
          })
      },
      close: () => pms.close(),
    }
  },
  'a list that is dropped': () =>
    Promise.resolve({
      env: {},
      interface: { property_interface_type_id: 6 },
      tell: () => {},
      drop: (house, inbox) => {
        const head = 'Room;First name;Last name;Reservation;Arrival;Departure'
        const lines = house.map(({ key, room, first, last }) => [room, first, last, key, today, departs].join(';'))
        const vacant = rooms.filter((room) => house.every((stay) => stay.room !== room))
        fs.mkdirSync(inbox, { recursive: true })
        fs.writeFileSync(path.join(inbox, 'house.csv'), [head, ...lines, ...vacant].join('\n'))
        fs.writeFileSync(path.join(inbox, 'house.csv.done'), '')
        return Promise.resolve()
      },
      close: () => Promise.resolve(),
    }),
  Apaleo: async () => {
    const { system, env, close } = await openApaleoServer()
    const settings = { client_id: 'HOTEL-WIFI', client_secret: 's3cret' }
    return { env, interface: { property_interface_type_id: 4, settings }, tell: tellBookings(system), close }
  },
  Mews: async () => {
    const system = openMews()
    const { port, close } = await openSecureServer(system, 'api.mews.com', tls)
    const settings = { client_token: 'CLIENT', access_token: `ACCESS-${system.property}` }
    return {
      env: {},
      interface: { property_interface_type_id: 3, host: '127.0.0.1', port, settings },
      tell: tellBookings(system),
      close,
    }
  },
  Cloudbeds: async () => {
    const { system, env, close } = await openCloudbedsServer()
    const settings = { api_key: 'cbat_key' }
    return { env, interface: { property_interface_type_id: 7, settings }, tell: tellBookings(system), close }
  },
  MRI: async () => {
    const mri = openMri('MUC')
    const system = {
      answer: ({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) => ({
        headers: {},
        ...mri.answer(url, headers),
      }),
    }
    const { port, close } = await openSecureServer(system, 'mri.example.com', tls)
    const settings = { client_id: 'C100', database: 'LIVE', web_user: 'wifi', developer_key: 'key', password: 'secret' }
    return {
      env: {},
      property: { mri_enabled: true },
      interface: { property_interface_type_id: 2, host: '127.0.0.1', port, settings },
      tell: (house) => {
        mri.residents = house.map(({ key, room, first, last }) => ({ unit: room, lease: key, first, last }))
      },
      close,
    }
  },
}

/** What a killed process held is taken up when it has been silent for a while; here, at once. */
const takeUp = ({ admin }: CountedFoyer) =>
  admin.query(`update property_links set held_until = now() - interval '1 second' where holder is not null;
    update due_work set next_at = now() where state in ('trying', 'failed');
    delete from rate_limits`)

test.concurrent.for(full ? Object.keys(kinds) : ['Apaleo'])(
  '%s, killed at any step, leaves the house as it was or as it is told, and is taken in whole by the next process',
  { timeout: 7_200_000 },
  async (name, { task }) => {
    const told = await kinds[name]?.()
    if (!told) throw new Error(`there is no ${name}`)
    const folder = fs.mkdtempSync(path.join(scratch, 'kind-'))
    const foyer = await openCountedFoyer(folder, {
      roles: 'api jobs',
      env: { NODE_EXTRA_CA_CERTS: certificate, ...told.env, ALLOWED_HOSTS: '127.0.0.1', EFFECTS_OF: 'writes' },
    })
    const { admin } = foyer
    const property = await foyer.post('/properties-create', {
      ...aProperty(),
      time_zone: 'Atlantic/Reykjavik',
      external_reference: 'MUC',
      ...told.property,
    })
    await foyer.post('/rooms-create', { property_id: property.id, numbers: rooms })
    const { settings = {}, ...values } = told.interface as { settings?: object }
    told.tell(houseOf(0))
    const made = await foyer.post('/property-interfaces-create', {
      ...values,
      settings: { ...settings, grace_minutes: 0 },
      owner_type: 'Property',
      owner_id: property.id,
    })
    const { rows: uuids } = await admin.query<{ uuid: string }>('select uuid from property_interfaces where id = $1', [
      made.id,
    ])
    const inbox = path.join(folder, 'inbox', uuids[0]?.uuid ?? '')

    const house = async () =>
      (
        await admin.query<{ line: string }>(
          `select room_number || ' ' || name as line from room_guests where property_id = $1 and deleted_at is null`,
          [property.id],
        )
      ).rows
        .map(({ line }) => line)
        .toSorted()
    /** What was last told, which is never ahead of what was written of it. */
    const kept = async () =>
      (
        await admin.query<{ line: string }>(
          `select concat_ws(' ', s.told ->> 'room', g ->> 'first_name', g ->> 'last_name') as line
           from told_stays as s cross join lateral jsonb_array_elements(s.told -> 'guests') as g where s.told is not null`,
        )
      ).rows
        .map(({ line }) => line)
        .toSorted()
    const isTold = async (stays: readonly Stay[]) => {
      const lines = linesOf(stays).join()
      const { rows } = await admin.query('select from property_links where wants_all or pending is not null')
      const isRead = !told.drop || !fs.existsSync(path.join(inbox, 'house.csv'))
      return rows.length === 0 && isRead && (await house()).join() === lines
    }

    let serial = 0
    /** The system says something else; the request after which it is taken in. */
    const prepared = async (): Promise<{ operation: Operation; former: Stay[]; next: Stay[] }> => {
      const former = houseOf(serial)
      const next = houseOf(++serial)
      told.tell(next)
      let isDropped = !told.drop
      const operation: Operation = {
        call: told.drop ? `/property-interfaces/${made.id}` : '/property-interfaces-sync',
        body: JSON.stringify(told.drop ? {} : { id: made.id }),
        answers: 200,
        async isDone() {
          if (!isDropped) {
            isDropped = true
            await told.drop?.(next, inbox)
          }
          return isTold(next)
        },
      }
      return { operation, former, next }
    }
    await told.drop?.(houseOf(0), inbox)
    await vi.waitUntil(() => isTold(houseOf(0)), patience)

    const { operation: alone } = await prepared()
    const { status, moments: all } = await foyer.doUntil(never, alone)
    expect(status).toBe(alone.answers)
    await vi.waitUntil(async () => (await alone.isDone?.()) ?? true, patience)

    const visited: string[] = []
    let written = 0
    const say = (what: string) => full && console.log(`${new Date().toISOString().slice(11, 19)} ${name}: ${what}`)
    say(`${all.length} steps when nothing is killed`)
    /** Whether it was killed. */
    const killAt = async (step: number): Promise<boolean> => {
      const { operation, former, next } = await prepared()
      const tried = await foyer.doUntil(step, operation)
      if (!tried.killed) {
        await vi.waitUntil(() => isTold(next), patience)
        return false
      }
      const where = `step ${step} of ${name}, ${tried.moments.at(-1)}`
      visited.push(tried.moments.at(-1) ?? '')
      await foyer.settled()
      const left = await house()
      expect([linesOf(former), linesOf(next)], where).toContainEqual(left)
      expect(await kept(), where).toEqual(left)
      if (left.join() === linesOf(next).join()) written++
      await takeUp(foyer)
      await foyer.start()
      if (tried.status === null && !told.drop) expect(await foyer.do(operation), where).toBe(operation.answers)
      await operation.isDone?.()
      await vi.waitUntil(() => isTold(next), patience)
      expect(await kept(), where).toEqual(linesOf(next))
      say(`killed at step ${step}, ${tried.moments.at(-1)}`)
      return true
    }
    if (full) for (let step = 1; (await killAt(step)) && step < 2 * all.length;) step++
    else expect(await killAt(Math.ceil(all.length / 2))).toBe(true)
    expect(visited.length).toBeGreaterThan(full ? 3 : 0)
    expect(await admin.query('select from stay_differences')).toMatchObject({ rowCount: 0 })
    task.meta.figures = `${visited.length} steps, ${written} of them after the house was written`
    await foyer.close()
    await told.close()
  },
)
