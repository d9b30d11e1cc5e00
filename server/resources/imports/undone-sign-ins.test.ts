// Sign-ins after an import: signing in with anything that it brought, through any kind of gateway, keeps it from being undone.
import { expect, test } from 'vitest'
import type { Client } from 'pg'
import * as guests from '#contract/guests.ts'
import * as imports from '#contract/imports.ts'
import { authMethods } from '#contract/portals.ts'
import * as rooms from '#contract/rooms.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { cause } from '#scripts/simulation/gateway.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, inDays, type TestFoyer } from '#test/foyer.ts'
import { kinds, openNds, openOnlineSites, type OnlineSites } from '#test/online-sites.ts'
import { aFile } from '#test/uploads.ts'

let foyer: TestFoyer
let admin: Client
let site: OnlineSites['site']
openOnlineSites((sites) => ({ foyer, admin, site } = sites))

type Site = Awaited<ReturnType<typeof site>>
const csv = (lines: string[]) => aFile('list.csv', lines.join('\r\n'))
const inRoom = { method: authMethods.room, typed: { room_number: '12', last_name: 'Keller' } }

async function bringRooms({ editor, property_id }: Site, lines = ['room,guest', '12,Ada Keller', '13,Ben Ode']) {
  const { data } = await foyer.get(imports.rooms, { RoomImport: csv(lines), property_id }, editor)
  return data.id ?? 0
}
const undo = (id: number, { editor }: Site) => foyer.ask(imports.undo, { id }, editor)
const roomsOf = async ({ editor, property_id }: Site) =>
  (await foyer.get(rooms.list, { params: { property_id } }, editor)).data.length
const online = async ({ property_id }: Site) =>
  (await admin.query('select from radius_sessions where property_id = $1 and stopped_at is null', [property_id]))
    .rowCount

test('a guest who is online by room and name: nothing is undone, and nobody is disconnected', async () => {
  const its = await site(kinds.generic)
  const id = await bringRooms(its)
  const { device, verdict } = await its.signIn(inRoom)
  expect(verdict.code).toBe(code.access_accept)
  await expect.poll(() => its.sessionOf(device)).toMatchObject({ online: true })
  expect(await undo(id, its)).toMatchObject({
    status: 409,
    body: { errors: { id: ['Ada Keller was used since.'] } },
  })
  expect(await roomsOf(its)).toBe(2)
  expect(await its.sessionOf(device)).toMatchObject({ online: true, termination_cause: null })
})

test('an accepted attempt counts as use before the session is reported, and a refused one does not', async () => {
  const its = await site(kinds.generic)
  const id = await bringRooms(its, ['room,guest,departure', `12,Ada Keller,${inDays(-30)}`, '13,Ben Ode,'])
  await expect(its.signIn(inRoom)).rejects.toThrow()
  const other = await bringRooms(its, ['room,guest', '14,Cid Ray'])
  const typed = { room_number: '14', last_name: 'Ray' }
  const { device } = await its.signIn({ ...inRoom, typed })
  // As when the pass has been cleaned up, and the gateway has reported nothing yet.
  await admin.query('delete from access_passes where mac_address = $1', [device])
  await admin.query('delete from radius_sessions where mac_address = $1', [device])
  expect((await undo(other, its)).text).toContain('Cid Ray was used since.')
  expect((await undo(id, its)).status).toBe(200)
  expect(await roomsOf(its)).toBe(1)
})

test('a sign-in before the import overwrote the account does not count', async () => {
  const its = await site(kinds.generic)
  await bringRooms(its)
  await its.signIn(inRoom)
  const id = await bringRooms(its, ['room,guest,departure', `12,Ada Keller,${inDays(30)}`])
  expect((await undo(id, its)).status).toBe(200)
  expect(await online(its)).toBe(1)
})

test('a guest whose data was erased since does not count', async () => {
  const its = await site(kinds.generic)
  const id = await bringRooms(its)
  const { device } = await its.signIn(inRoom)
  await its.gateway.end(device, cause.user_request)
  await expect.poll(() => online(its)).toBe(0)
  const [guest] = (await foyer.get(guests.list, { params: { property_id: its.property_id } }, its.editor)).data
  await foyer.get(guests.erase, { ids: [guest?.id ?? 0] }, its.editor)
  expect((await undo(id, its)).status).toBe(200)
  expect(await roomsOf(its)).toBe(0)
})

test('a device that got online by itself', async () => {
  const its = await site(kinds.generic)
  const device = aMacAddress()
  const file = csv(['name,mac', `Camera,${device}`, `Printer,${aMacAddress()}`])
  const { property_id } = its
  const { data } = await foyer.get(imports.devices, { DeviceImport: file, property_id }, its.editor)
  expect((await its.gateway.admit(device, { user_name: device, password: device })).code).toBe(code.access_accept)
  expect(await undo(data.id ?? 0, its)).toMatchObject({
    status: 409,
    body: { errors: { id: ['Camera was used since.'] } },
  })
  expect(await its.sessionOf(device)).toMatchObject({ online: true })
})

test('through a gateway without RADIUS, which leaves only a pass: by account and by room', async () => {
  const its = await site(openNds)
  const { editor, property_id } = its
  const file = csv(['name,username,password', 'Ann,ann,the password'])
  const { data } = await foyer.get(imports.accounts, { AccountImport: file, property_id }, editor)
  const id = await bringRooms(its)
  const account = { method: authMethods.account, typed: { username: 'ann', password: 'the password' } }
  for (const holder of [account, inRoom]) {
    const fas = `hid=d9b3fcb8a1c2, clientmac=${aMacAddress()}, gatewayname=${its.box.nas_identifier}, originurl=x`
    const query = `?fas=${encodeURIComponent(Buffer.from(fas).toString('base64'))}`
    expect(await signIn(await openPage(its.url + query), holder, false)).toHaveProperty('brought.tok')
  }
  expect((await undo(data.id ?? 0, its)).text).toContain('Ann was used since.')
  expect((await undo(id, its)).text).toContain('Ada Keller was used since.')
})
