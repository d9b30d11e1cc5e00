// Consents: a person connects an interface at its system, which is asked by that from then on, by no other customer and at no other
// person's return; where consent has ended, a person reads that.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as connections from '#contract/connections.ts'
import * as interfaceKinds from '#contract/property-interface-kinds.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import { tellMoveIns } from '#server/resources/guest-help/move-ins.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openApaleoServer, openCloudbedsServer } from '#test/providers/hotel-systems.ts'
import { expectRefused } from '#test/refused.ts'

const [apaleo, cloudbeds] = [await openApaleoServer(), await openCloudbedsServer()]
let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer({ env: { ...apaleo.env, ...cloudbeds.env } })
  editor = await foyer.customer()
})
afterAll(async () => {
  await foyer.close()
  await Promise.all([apaleo.close(), cloudbeds.close()])
})

const makes = [
  { name: 'Apaleo', type_id: 4, server: apaleo },
  { name: 'Cloudbeds', type_id: 7, server: cloudbeds },
]

describe.each(makes)('$name', ({ name, type_id, server }) => {
  let id: number
  let property_id: number
  let group_id: number
  beforeEach(async () => {
    group_id = (await foyer.group(editor)).id
    property_id = (
      await foyer.property(editor, {
        time_zone: 'Atlantic/Reykjavik',
        group_id,
        external_reference: server.system.property,
        sync_rooms_and_devices: true,
      })
    ).id
    id = await register()
    server.system.checkIn({
      key: 'AAA-1',
      room: '101',
      guests: [{ first: 'Ada', last: 'Hart' }],
      arrives: new Date().toISOString().slice(0, 10),
      departs: '2040-01-01',
    })
  })
  const register = async () =>
    (
      await foyer.propertyInterface(editor, {
        property_interface_type_id: type_id,
        owner_type: 'Property',
        owner_id: property_id,
        settings: { grace_minutes: 0 },
      })
    ).id
  const ask = () =>
    tryDue(pollingWork(tellMoveIns), foyer.services, {
      customer_id: editor.user.customer.id,
      about_id: id,
    })
  const addressFor = async (who: Person) => (await foyer.get(interfaces.authorize, { id }, who)).data.url
  const connected = async (who = editor) =>
    (await foyer.get(interfaces.connect, await server.consent(await addressFor(who)), who)).data
  const house = () =>
    foyer.query('select name from room_guests where property_id = $1 and deleted_at is null', [property_id])
  const one = async () => (await foyer.get(interfaces.get, { id }, editor)).data
  /** As it stands among all that is connected. */
  const state = async () => {
    const { data } = await foyer.get(connections.list, { filters: { kind: ['property'] } }, editor)
    return data.find(({ own_id }) => own_id === id)?.state
  }
  const work = () =>
    foyer.query(`select failing_since, tries from due_work where kind = 'property_asking' and about_id = $1`, [id])
  /** As whoever runs the installation is told. */
  const ended = () => foyer.query(`select value from door_gauges() where gauge = 'ending' and label = 'property'`, [])
  const endTokens = () =>
    foyer.query('update integration_tokens set expires_at = now() where property_interface_id = $1', [id])

  test('is connected by the consent of a person, and asked by that', async () => {
    const kinds = (await foyer.get(interfaceKinds.kinds, {}, editor)).data
    expect(kinds.find((kind) => kind.id === type_id)?.can_be_connected).toBe(true)
    expect(kinds.find((kind) => kind.id === 3)?.can_be_connected).toBe(false)
    // Whoever runs the installation is told of what fails, and not of what is half set up.
    expect(await ask()).toBe('waits')
    expect(await work()).toEqual([{ failing_since: null, tries: 0 }])
    expect((await one()).state.sentence).toContain(`Connect it by consent in ${name}`)
    expect(await connected()).toMatchObject({ id, is_connected: true })
    expect(await ask()).toBe('done')
    expect(await house()).toEqual([{ name: 'Ada Hart' }])
    // Tokens are renewed when they end, and nobody reads them.
    await endTokens()
    server.system.endTokens()
    expect(await ask()).toBe('done')
    expect(await ask()).toBe('done')
    const shown = JSON.stringify(await one())
    expect(shown).not.toMatch(/token-|refresh/)
  })

  test('says that consent has ended, and goes on after a new one', async () => {
    await connected()
    await ask()
    server.system.forget()
    await endTokens()
    await ask().catch(() => {})
    expect((await one()).state.sentence).toContain('Please reconnect.')
    expect(await ended()).toEqual([{ value: 1 }])
    expect(await state()).toBe('reconnect')
    expect(await house()).toEqual([{ name: 'Ada Hart' }])
    await connected()
    expect(await ended()).toEqual([])
    expect(await ask()).toBe('done')
    expect((await one()).state.word).toBe('up')
    expect(await state()).toBe('connected')
    // Where it comes back by itself, nobody has to do anything.
    await foyer.query(`update connections set needs_reconnect = true where kind = 'property' and own_id = $1`, [id])
    expect(await ask()).toBe('done')
    expect(await ended()).toEqual([])
  })

  test('takes a return once, of the person who set out, for the interface that it was begun for', async () => {
    const returned = await server.consent(await addressFor(editor))
    const stranger = await foyer.customer()
    const colleague = await foyer.invited(editor)
    for (const who of [stranger, colleague])
      expectRefused(
        await foyer.ask(interfaces.connect, returned, who),
        invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] }),
      )
    expect((await foyer.ask(interfaces.connect, returned, editor)).status).toBe(200)
    expectRefused(
      await foyer.ask(interfaces.connect, returned, editor),
      invalid({ state: ['This was started elsewhere, or too long ago. Please connect again.'] }),
    )
    const unread = await foyer.ask(interfaces.authorize, { id }, stranger)
    expectRefused(unread, notFound())
    const viewer = await foyer.viewer(editor)
    expectRefused(await foyer.ask(interfaces.authorize, { id }, viewer), forbidden())
  })

  test('of a group is connected by the group, back at its own page', async () => {
    const who = await foyer.invited(editor, { owner_type: 'Group', owner_id: group_id })
    const address = await addressFor(who)
    expect(new URL(address).searchParams.get('redirect_uri')).toMatch(/\/group\/property-interfaces$/)
    expect((await foyer.get(interfaces.connect, await server.consent(address), who)).data.is_connected).toBe(true)
    expect(await ask()).toBe('done')
  })

  test('that is deleted, or is of another system by now, keeps no tokens', async () => {
    await connected()
    const kept = () => foyer.query('select id from integration_tokens where property_interface_id = $1', [id])
    expect(await kept()).toHaveLength(1)
    await foyer.get(interfaces.update, { id, property_interface_type_id: 6 }, editor)
    expect(await kept()).toEqual([])
    expect((await one()).is_connected).toBe(false)
    id = await register()
    await connected()
    await foyer.get(interfaces.remove, { id }, editor)
    expect(await kept()).toEqual([])
    if (name === 'Apaleo') expect(server.requestsTo(/revocation/).length).toBeGreaterThan(0)
  })
})

test('a system without consent says so', async () => {
  const { id: property_id } = await foyer.property(editor)
  const { id } = await foyer.propertyInterface(editor, {
    property_interface_type_id: 3,
    owner_type: 'Property',
    owner_id: property_id,
  })
  const { status, body } = await foyer.ask(interfaces.authorize, { id }, editor)
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('Its form says how to connect it')])
})
