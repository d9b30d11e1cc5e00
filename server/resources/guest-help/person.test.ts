// One guest at the desk: what they need to know, how it is mailed to them, and a device with a changed address.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as devices from '#contract/devices.ts'
import type { Input } from '#contract/endpoint.ts'
import * as groups from '#contract/groups.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as vouchers from '#contract/vouchers.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { aMacAddress, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

async function openHouse() {
  const portal = await foyer.portal(editor)
  const network_name = unique('Lantern Guest')
  const { id: property_id, name } = await foyer.property(editor, { portal_id: portal.id, network_name })
  const desk = await foyer.invited(editor, { user_type_id: 3, owner_type: 'Property', owner_id: property_id })
  return { property_id, name, desk, network: network_name, page: portal.url }
}

test('the desk sees network, page, room and name for a guest of a room, and can mail them', async () => {
  const { property_id, name, desk, network, page } = await openHouse()
  const room = await foyer.room(editor, { property_id, number: '214' })
  const guest = await foyer.roomGuest(editor, { room_id: room.id, last_name: 'Hart', email: 'hart@guests.example' })
  const subject = { kind: 'stay', id: guest.id } as const
  const help = (await foyer.get(guestHelp.get, subject, desk)).data
  const rows = [
    { label: 'Room', value: '214' },
    { label: 'Last name', value: 'Hart' },
  ]
  expect(help.tell).toEqual({ network, page, rows, email: 'hart@guests.example' })
  expect(help.stay).toMatchObject({ id: guest.id, room_id: room.id, checked_out: false })
  const email = `${unique('hart').replaceAll(/\W/g, '').toLowerCase()}@guests.example`
  await foyer.get(guestHelp.send, { ...subject, email }, desk)
  const mail = await foyer.mailTo(email)
  for (const part of [name, network, page, 'Room: 214', 'Last name: Hart']) expect(mail).toContain(part)

  await foyer.get(roomGuests.checkOut, { ids: [guest.id] }, desk)
  expectRefused(
    await foyer.ask(guestHelp.send, { ...subject, email }, desk),
    invalid({ id: ['There is nothing to type for this one.'] }),
  )
  // For a day, so that it can be taken back, and another at the desk sees by whom.
  const gone = (await foyer.get(guestHelp.get, subject, desk)).data
  expect(gone).toMatchObject({ stay: { checked_out: true }, tell: null, against: [{ reason: 'checked_out' }, {}] })
  expect(gone.sentence).toMatch(/ checked out .*Hart at \d\d:\d\d\.$/)
})

test('the page that guests get is named: none of a portal that is off, and the group’s where the property has none', async () => {
  const { property_id, desk, network, page } = await openHouse()
  const { id: room_id } = await foyer.room(editor, { property_id })
  const { id } = await foyer.roomGuest(editor, { room_id })
  const told = async (who = desk) => ({
    tell: (await foyer.get(guestHelp.get, { kind: 'stay', id }, who)).data.tell?.page,
    cards: (await foyer.get(roomGuests.cards, { ids: [id] }, who)).data.map((card) => card.page),
  })
  expect(await told()).toEqual({ tell: page, cards: [page] })
  const { portal_id } = (await foyer.get(properties.get, { id: property_id }, editor)).data
  await foyer.get(portals.deactivate, { ids: [portal_id ?? 0] }, editor)
  expect(await told()).toEqual({ tell: null, cards: [null] })
  await foyer.get(portals.activate, { id: portal_id ?? 0 }, editor)
  const { id: group_id } = await foyer.group(editor)
  await foyer.get(properties.update, { id: property_id, portal_id: null, group_id }, editor)
  expect(await told()).toEqual({ tell: null, cards: [null] })
  await foyer.get(groups.update, { id: group_id, portal_id }, editor)
  expect(await told()).toEqual({ tell: page, cards: [page] })
  expect((await foyer.get(guestHelp.get, { kind: 'stay', id }, desk)).data.tell?.network).toBe(network)
})

test('who may not hand codes out cannot have one mailed, nor a part of it', async () => {
  const { property_id, desk } = await openHouse()
  const batch = await foyer.voucherBatch(editor, { property_id, quantity: 1 })
  const [voucher] = (await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)).data
  const subject = { kind: 'voucher', id: voucher?.id ?? 0 } as const
  const { program } = await foyer.apiKey(editor, { permissions: ['write:guest_help'] })
  const email = `${unique('code').replaceAll(/\W/g, '').toLowerCase()}@guests.example`
  expectRefused(await foyer.ask(guestHelp.send, { ...subject, email }, program), forbidden())
  await foyer.get(guestHelp.send, { ...subject, email }, desk)
  expect(await foyer.mailTo(email)).toContain(`Code: ${voucher?.code}`)
})

test('who was checked out is checked in again beside whoever lives there, once that has been read', async () => {
  const { property_id, desk } = await openHouse()
  const { id: room_id } = await foyer.room(editor, { property_id, number: '11' })
  const { id } = await foyer.roomGuest(editor, { room_id, last_name: 'Hart' })
  await foyer.get(roomGuests.checkOut, { ids: [id] }, desk)
  const offered = async () => (await foyer.get(guestHelp.get, { kind: 'stay', id }, desk)).data.fixes[0]
  expect(await offered()).toMatchObject({ ask: { share: false }, confirm: null })
  await foyer.roomGuest(editor, { room_id, last_name: 'Weber' })
  const fix = await offered()
  expect(fix?.confirm).toBe('Weber lives in room 11. The guest would share it.')
  expect((await foyer.ask(roomGuests.create, fix?.ask as Input<typeof roomGuests.create>, desk)).status).toBe(201)
})

test('an account is shown with its user name and never its password, and a device has nothing to type', async () => {
  const { property_id, desk } = await openHouse()
  const account = await foyer.account(editor, { property_id, username: unique('ana'), password: 'quay-2345-lantern' })
  const { tell } = (await foyer.get(guestHelp.get, { kind: 'account', id: account.id }, desk)).data
  expect(tell?.rows).toEqual([{ label: 'Username', value: account.username }])
  const device = await foyer.device(editor, { property_id })
  const subject = { kind: 'device', id: device.id } as const
  expect((await foyer.get(guestHelp.get, subject, desk)).data).toMatchObject({ tell: null, stay: null, seen: [] })
  const refused = await foyer.ask(guestHelp.send, { ...subject, email: 'somebody@guests.example' }, desk)
  expect(refused).toMatchObject({ status: 422, body: { errors: { id: ['There is nothing to type for this one.'] } } })
})

test('the desk gives a device another address, and changes nothing else of it', async () => {
  const { property_id, desk } = await openHouse()
  const device = await foyer.device(editor, { property_id })
  const mac_address = aMacAddress()
  const changed = (await foyer.get(devices.replaceMac, { id: device.id, mac_address }, desk)).data
  expect(changed).toMatchObject({ id: device.id, name: device.name, mac_address })
  expectRefused(await foyer.ask(devices.update, { id: device.id, name: 'Mine' }, desk), forbidden())
  const other = await foyer.device(editor, { property_id })
  const clash = await foyer.ask(devices.replaceMac, { id: other.id, mac_address }, desk)
  expectRefused(clash, invalid({ mac_address: ['Another device of the property has this MAC address.'] }))
})
