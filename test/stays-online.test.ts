// Stays online: a guest whom the property's own system tells of, over real UDP: online in seconds, through a move at night, and off
// once they have left.
import { expect, test, vi } from 'vitest'
import type { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import { openFias, type SimulatedFias } from '#server/property-systems/fias/simulation.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import type { TestFoyer } from '#test/foyer.ts'
import { kinds, openOnlineSites, type OnlineSites } from '#test/online-sites.ts'

let foyer: TestFoyer
let admin: Client
let site: OnlineSites['site']
type Site = Awaited<ReturnType<OnlineSites['site']>>
openOnlineSites((sites) => ({ foyer, admin, site } = sites))

/** A link to a simulated site that is up, and has told all it knows. */
async function linkTo(
  pms: SimulatedFias,
  { editor, property_id }: Site,
  settings: Record<string, boolean> = {},
  { isOfCompany = false } = {},
) {
  const { id } = await foyer.propertyInterface(editor, {
    property_interface_type_id: 1,
    ...(!isOfCompany && { owner_type: 'Property', owner_id: property_id }),
    host: '127.0.0.1',
    port: pms.port,
    settings: { grace_minutes: 0, ...settings },
  })
  const isLinked = async () => {
    const { rows } = await admin.query<{ wants_all: boolean }>(
      'select wants_all from property_links where property_interface_id = $1',
      [id],
    )
    expect(rows[0]?.wants_all).toBe(false)
  }
  await vi.waitFor(isLinked, { timeout: 30_000, interval: 100 })
}

test('signs in within five seconds, stays online through a move at night, and is off within a minute of departure', async () => {
  const its = await site(kinds.generic)
  const { editor, property_id } = its
  await foyer.rooms(editor, property_id, ['301', '302', '303'])
  const pms = await openFias()
  try {
    await linkTo(pms, its)
    const roomOf = async () => {
      const { rows } = await admin.query<{ room: string }>(
        'select room_number as room from room_guests where property_id = $1 and deleted_at is null',
        [property_id],
      )
      return rows[0]?.room
    }
    // The first one has the page and all that it reads made ready.
    pms.checkIn({ key: '0', room: '303', name: 'Early' })
    const early = { method: authMethods.room, typed: { room_number: '303', last_name: 'Early' } }
    await vi.waitFor(() => its.signIn(early), { timeout: 30_000, interval: 500 })
    // On a quiet machine a guest who is known is in within a second.
    const from = Date.now()
    await its.signIn(early)
    const slowness = Math.max(1, (Date.now() - from) / 1000)
    pms.checkOut('0')
    await vi.waitFor(async () => expect(await roomOf()).toBeUndefined(), { timeout: 30_000, interval: 100 })

    const began = Date.now()
    pms.checkIn({ key: '1', room: '301', name: 'Hart', first_name: 'Ada' })
    const holder = { method: authMethods.room, typed: { room_number: '301', last_name: 'Hart' } }
    await vi.waitFor(async () => expect(await roomOf()).toBe('301'), { timeout: 30_000, interval: 50 })
    const { device, verdict } = await its.signIn(holder)
    expect(verdict.code).toBe(code.access_accept)
    expect(Date.now() - began).toBeLessThan(5000 * slowness)

    pms.send('NS|DA261128|TI020000|')
    pms.move('1', '302')
    pms.send('NE|DA261128|TI021500|')
    await vi.waitFor(async () => expect(await roomOf()).toBe('302'), { timeout: 30_000, interval: 50 })
    expect(await its.sessionOf(device)).toMatchObject({ online: true })
    const { data } = await foyer.get(sessions.list, { params: { property_id } }, editor)
    expect(JSON.stringify(data)).toContain('302')

    const left = Date.now()
    pms.checkOut('1')
    await vi.waitFor(async () => expect(await its.sessionOf(device)).toMatchObject({ online: false }), {
      timeout: 60_000,
      interval: 200,
    })
    expect(Date.now() - left).toBeLessThan(60_000)
    await expect(its.signIn({ ...holder, typed: { room_number: '302', last_name: 'Hart' } })).rejects.toThrow()
  } finally {
    await pms.close()
  }
}, 180_000)

test('whom the site names gets in where the link is the company’s, and this its only property', async () => {
  const its = await site(kinds.generic)
  await foyer.rooms(its.editor, its.property_id, ['301'])
  const pms = await openFias()
  try {
    await linkTo(pms, its, { asks_for_guests: true }, { isOfCompany: true })
    pms.untold = [{ key: '301', room: '301', name: 'Hart' }]
    // A busy machine may take longer than the page waits.
    const holder = { method: authMethods.room, typed: { room_number: '301', last_name: 'Hart' } }
    const { verdict } = await vi.waitFor(() => its.signIn(holder), { timeout: 30_000, interval: 5000 })
    expect(verdict.code).toBe(code.access_accept)
  } finally {
    await pms.close()
  }
}, 180_000)

test('whom the site names only when it is asked gets in at the first try; all others are refused after the same time', async () => {
  const its = await site(kinds.generic)
  const numbers = ['301', '302', '303', '304', '305']
  await foyer.rooms(its.editor, its.property_id, numbers)
  const pms = await openFias()
  try {
    await linkTo(pms, its, { asks_for_guests: true })
    const by = (room_number: string, last_name: string) => ({
      method: authMethods.room,
      typed: { room_number, last_name },
    })
    pms.untold = numbers.map((room) => ({ key: room, room, name: 'Hart' }))
    /** Those who were refused before one got in, since a busy machine may take longer than the page waits. */
    let late = 0
    const isIn = async (room: string) =>
      its.signIn(by(room, 'Hart')).then(
        ({ verdict }) => verdict.code === code.access_accept,
        () => false,
      )
    while (late < numbers.length && !(await isIn(numbers[late] ?? ''))) late++
    expect(late).toBeLessThan(numbers.length)
    const known = numbers[late] ?? ''
    const attempts = async () => {
      const { rows } = await admin.query('select from radius_authorisations where property_id = $1 and not accepted', [
        its.property_id,
      ])
      return rows.length
    }
    expect(await attempts()).toBe(late)
    const refusedAfter = async (room: string, name: string) => {
      const began = performance.now()
      const refusal = await its.signIn(by(room, name)).then(
        () => 'in',
        (error: Error) => error.message,
      )
      return { refusal, took_ms: performance.now() - began }
    }
    const refused = await Promise.all([
      refusedAfter('301', 'Wrong'),
      refusedAfter('305', 'Nobody'),
      refusedAfter('999', 'Hart'),
    ])
    expect(new Set(refused.map(({ refusal }) => refusal)).size).toBe(1)
    for (const { took_ms } of refused) expect(took_ms).toBeGreaterThan(6000)
    // Each try counts once.
    expect(await attempts()).toBe(late + 3)
    // More of them than guests who are served at once keep nobody waiting who is known.
    const firstOf = async (round: number) => {
      const ended: string[] = []
      const wrong = Array.from({ length: 6 }, (_, at) =>
        refusedAfter(String(900 + round * 10 + at), 'Nobody').then(() => void ended.push('refused')),
      )
      await its.signIn(by(known, 'Hart'))
      ended.push('let in')
      await Promise.all(wrong)
      return ended[0]
    }
    let rounds = 0
    while (rounds < 5 && (await firstOf(rounds)) !== 'let in') rounds++
    expect(rounds).toBeLessThan(5)
  } finally {
    await pms.close()
  }
}, 600_000)
