// Undoing imports: what an import created is removed, what it overwrote is restored, and nothing done since is lost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as activity from '#contract/activity.ts'
import * as devices from '#contract/devices.ts'
import * as imports from '#contract/imports.ts'
import { messages } from '#contract/messages.ts'
import * as packages from '#contract/packages.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { connect } from '#server/db/logins.ts'
import { forgetImports } from '#server/imports/forget-imports.ts'
import { clash, forbidden, notFound } from '#server/errors/refused.ts'
import { aMacAddress, inDays, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused, expectRefusedBut } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
let admin: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})

const csv = (lines: string[]) => aFile('list.csv', lines.map((line) => `${line}\r\n`).join(''))
const aProperty = async () => (await foyer.property(editor)).id

/** Imports a list, and returns the id of the import. */
async function bring(kind: 'accounts' | 'devices' | 'rooms', lines: string[], more: object, who = editor) {
  const file = csv(lines)
  const answer =
    kind === 'accounts'
      ? await foyer.get(imports.accounts, { AccountImport: file, ...more }, who)
      : kind === 'devices'
        ? await foyer.get(imports.devices, { DeviceImport: file, ...more }, who)
        : await foyer.get(imports.rooms, { RoomImport: file, ...more }, who)
  if (answer.data.id === null) throw new Error('an import answers its id')
  return answer.data.id
}
const undo = (id: number, who = editor) => foyer.ask(imports.undo, { id }, who)

/** All of a property that an import may change, as the API answers it, without counts. */
async function whole(property_id: number) {
  const asked = { params: { property_id }, per_page: 200 }
  const details = async (list: { data: { id: number }[] }, one: (id: number) => Promise<{ data: object }>) =>
    Promise.all(list.data.map(async ({ id }) => (await one(id)).data))
  return {
    accounts: await details(await foyer.get(accounts.list, asked, editor), (id) =>
      foyer.get(accounts.get, { id }, editor),
    ),
    devices: await details(await foyer.get(devices.list, asked, editor), (id) =>
      foyer.get(devices.get, { id }, editor),
    ),
    rooms: await details(await foyer.get(rooms.list, asked, editor), (id) => foyer.get(rooms.get, { id }, editor)),
    guests: await details(await foyer.get(roomGuests.list, asked, editor), (id) =>
      foyer.get(roomGuests.get, { id }, editor),
    ),
  }
}

describe('the former state is restored', () => {
  test('accounts: new ones are removed, overwritten ones get their former values back, passwords too', async () => {
    const property_id = await aProperty()
    const package_id = (await foyer.package(editor)).id
    const room_id = (await foyer.room(editor, { property_id, number: '7' })).id
    const values = {
      property_id,
      package_id,
      room_id,
      email: 'old@example.com',
      expires_at: '2031-01-01T10:00:00+00:00',
    }
    await foyer.account(editor, { ...values, name: 'Ada Keller', username: 'ada', password: 'first-word' })
    await foyer.account(editor, {
      property_id,
      name: 'No Password',
      username: 'none',
      account_type_id: 2,
      active: false,
    })
    await foyer.account(editor, { property_id, name: 'Not Named', password: 'stays' })
    const before = await whole(property_id)
    const id = await bring(
      'accounts',
      [
        'name,email,username,password,room,package_id,expires,active,type',
        `ADA KELLER,new@example.com,ada2,second-word,,${(await foyer.package(editor)).id},2040-01-01,no,1`,
        'no password,none@example.com,none2,a-word,7,,,yes,1',
        'Newcomer,,ada3,third-word,7,,,yes,1',
      ],
      { property_id },
    )
    expect((await whole(property_id)).accounts).toHaveLength(4)
    const answer = await undo(id)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, created: 1, overwritten: 2, undone_by: editor.user.name })
    expect(await whole(property_id)).toEqual(before)
    // Name and user name are free again.
    await foyer.account(editor, { property_id, name: 'Newcomer', username: 'ada3' })
  })

  test('devices: those without a unique name, and the MAC address of one that got another', async () => {
    const property_id = await aProperty()
    const mac = aMacAddress()
    const device = await foyer.device(editor, {
      property_id,
      name: 'Printer',
      mac_address: mac,
      external_reference: 'A-1',
    })
    const before = await whole(property_id)
    const id = await bring(
      'devices',
      ['name,mac,reference,active', `printer,${aMacAddress()},B-2,no`, `Camera,${aMacAddress()},,yes`],
      { property_id },
    )
    expect((await foyer.get(devices.get, { id: device.id }, editor)).data).toMatchObject({ status: 'disabled' })
    expect((await undo(id)).status).toBe(200)
    expect(await whole(property_id)).toEqual(before)
  })

  test('rooms and their guests', async () => {
    const property_id = await aProperty()
    const room = await foyer.room(editor, { property_id, number: 'a-1' })
    await foyer.roomGuest(editor, {
      room_id: room.id,
      first_name: 'Ada',
      last_name: 'Keller',
      email: 'old@example.com',
    })
    const before = await whole(property_id)
    const id = await bring(
      'rooms',
      [
        'Room,Guest,E-mail,Departure',
        `A-1,Ada Keller,new@example.com,${inDays(30)}`,
        'A-1,Ben Ode,,',
        'A-2,Cid Ray,,',
        'A-3,,,',
      ],
      { property_id },
    )
    expect((await whole(property_id)).guests).toHaveLength(3)
    expect((await undo(id)).status).toBe(200)
    expect(await whole(property_id)).toEqual(before)
  })

  test('a whole customer’s file, and more records than go into one statement', async () => {
    const [one, two] = [await aProperty(), await aProperty()]
    await foyer.account(editor, { property_id: two, name: 'Guest 1999', email: 'kept@example.com' })
    const rows = Array.from({ length: 2600 }, (_, index) => `Guest ${index},${index % 2 ? two : one}`)
    const id = await bring('accounts', ['name,property_id', ...rows], {})
    expect((await undo(id)).status).toBe(200)
    const left = await foyer.get(accounts.list, { filters: { property_id: [one, two] } }, editor)
    expect(left.data.map(({ name }) => name)).toEqual(['Guest 1999'])
  })

  test('an import over an import: the later one is undone first', async () => {
    const property_id = await aProperty()
    const first = await bring('accounts', ['name,email', 'Ann,one@example.com'], { property_id })
    const before = await whole(property_id)
    const second = await bring('accounts', ['name,email', 'Ann,two@example.com'], { property_id })
    expect((await undo(first)).text).toContain('Ann was changed since.')
    expect((await undo(second)).status).toBe(200)
    expect(await whole(property_id)).toEqual(before)
    expect((await undo(first)).status).toBe(200)
    expect((await whole(property_id)).accounts).toEqual([])
  })

  test('a record that the import created and somebody removed since is no obstacle', async () => {
    const property_id = await aProperty()
    const id = await bring('accounts', ['name', 'Ann', 'Bob'], { property_id })
    const [account] = (await foyer.get(accounts.list, { params: { property_id } }, editor)).data
    await foyer.get(accounts.remove, { id: account?.id }, editor)
    expect((await undo(id)).status).toBe(200)
    expect((await whole(property_id)).accounts).toEqual([])
  })
})

describe('all or nothing: what was changed or used since is named, and nothing is undone', () => {
  const accountNamed = async (property_id: number, name: string) => {
    const { data } = await foyer.get(accounts.list, { params: { property_id }, searchValue: name }, editor)
    return data[0]?.id ?? 0
  }
  type Since = (property_id: number) => Promise<unknown>
  const sinceThen: [string, Since, string][] = [
    [
      'another address',
      async (property_id) =>
        foyer.get(accounts.update, { id: await accountNamed(property_id, 'Ann'), email: 'ann@example.com' }, editor),
      'Ann was changed since.',
    ],
    [
      'another password alone',
      async (property_id) =>
        foyer.get(accounts.update, { id: await accountNamed(property_id, 'Ann'), password: 'another' }, editor),
      'Ann was changed since.',
    ],
    [
      'disabled',
      async (property_id) => foyer.get(accounts.deactivate, { ids: [await accountNamed(property_id, 'Ann')] }, editor),
      'Ann was changed since.',
    ],
    [
      'an overwritten one removed',
      async (property_id) => foyer.get(accounts.remove, { id: await accountNamed(property_id, 'Old') }, editor),
      'Old was removed since.',
    ],
    [
      'signed in at a portal',
      (property_id) =>
        admin.query(`update accounts set logged_in_at = now() where property_id = $1 and name = 'Ann'`, [property_id]),
      'Ann was changed since.',
    ],
    [
      'let in by RADIUS',
      (property_id) =>
        admin.query(
          `insert into radius_authorisations (customer_id, property_id, account_id, accepted, reason)
           select customer_id, property_id, id, true, 'accepted' from accounts where property_id = $1 and name = 'Old'`,
          [property_id],
        ),
      'Old was used since.',
    ],
    [
      'the former user name taken',
      (property_id) => foyer.account(editor, { property_id, name: 'Taker', username: 'OLD' }),
      'Old had a value that another record has by now.',
    ],
    [
      'the former user name taken by one that looks the same',
      (property_id) => foyer.account(editor, { property_id, name: 'Taker', username: 'ｏｌｄ' }),
      'Old had a value that another record has by now.',
    ],
  ]
  test.each(sinceThen)('%s', async (_, since, sentence) => {
    const property_id = await aProperty()
    await foyer.account(editor, { property_id, name: 'Old', username: 'old', password: 'old-word' })
    const lines = ['name,username,password', 'Ann,ann,quiet-harbour', 'Old,newer,new-word', 'Cid,cid,quiet-harbour']
    const id = await bring('accounts', lines, { property_id })
    await since(property_id)
    const before = await whole(property_id)
    const why = 'Nothing was undone: 1 of its accounts changed or came into use since the import.'
    expectRefused(await undo(id), clash(why, { id: [sentence] }))
    expect(await whole(property_id)).toEqual(before)
  })

  test('a former package that was removed since', async () => {
    const property_id = await aProperty()
    const [former, later] = [await foyer.package(editor), await foyer.package(editor)]
    await foyer.account(editor, { property_id, name: 'Ann', package_id: former.id })
    const id = await bring('accounts', ['name,package', `Ann,${later.id}`], { property_id })
    await foyer.get(packages.remove, { id: former.id }, editor)
    expect((await undo(id)).text).toContain('Ann had something that was removed since')
  })

  test('rooms that somebody moved into, or that have a device by now', async () => {
    const property_id = await aProperty()
    const id = await bring('rooms', ['Room,Guest', '1,Ada Keller', '2,', '3,Ben Ode', '4,'], { property_id })
    const idOf = async (number: string) =>
      (await foyer.get(rooms.list, { params: { property_id } }, editor)).data.find((room) => room.number === number)
        ?.id ?? 0
    const guest = await foyer.roomGuest(editor, { room_id: await idOf('2'), last_name: 'Walk-in' })
    const device = await foyer.device(editor, { property_id, room_id: await idOf('4') })
    const [moved] = (await foyer.get(roomGuests.list, { params: { property_id }, searchValue: 'ben' }, editor)).data
    await foyer.get(roomGuests.update, { id: moved?.id ?? 0, room_id: await idOf('1') }, editor)
    expectRefused(
      await undo(id),
      clash('Nothing was undone: 1 of its guests and 2 of its rooms changed or came into use since the import.', {
        id: ['Ben Ode was changed since.', '2 was used since.', '4 was used since.'],
      }),
    )
    await foyer.get(devices.remove, { id: device.id }, editor)
    await foyer.get(roomGuests.remove, { id: guest.id, roomId: await idOf('2') }, editor)
    await foyer.get(roomGuests.update, { id: moved?.id ?? 0, room_id: await idOf('3') }, editor)
    expect((await undo(id)).status).toBe(200)
    expect((await whole(property_id)).rooms).toEqual([])
  })

  test('a hundred are named, and the rest counted', async () => {
    const property_id = await aProperty()
    const names = Array.from({ length: 1500 }, (_, index) => `Guest ${index}`)
    const id = await bring('accounts', ['name', ...names], { property_id })
    await admin.query('update accounts set email = $2 where property_id = $1', [property_id, 'x@example.com'])
    const answer = await undo(id)
    expect(answer.text).toContain('1,500 of its accounts')
    expect((answer.body as unknown as { errors: { id: string[] } }).errors.id).toHaveLength(100)
  })
})

describe('when and by whom it can be undone', () => {
  test('once, and within 24 hours; the former values are deleted then', async () => {
    const property_id = await aProperty()
    const undone = await bring('accounts', ['name', 'Ann'], { property_id })
    expect((await undo(undone)).status).toBe(200)
    expect(await undo(undone)).toMatchObject({ status: 409, body: { message: messages.imports.undoneAlready } })
    const late = await bring('accounts', ['name,password', 'Bob,quiet-harbour'], { property_id })
    const fresh = await bring('accounts', ['name,password', 'Cid,quiet-harbour'], { property_id })
    await admin.query(`update imports set undo_until = now() where id = $1`, [late])
    const bad = csv(['name,expires', 'Eve,sometime'])
    await foyer.ask(imports.accounts, { AccountImport: bad, property_id }, editor)
    const ofFailed = async () => {
      const { data } = await foyer.get(
        imports.list,
        { params: { property_id }, filters: { outcome: 'failed' } },
        editor,
      )
      return data.map(({ problem_count }) => problem_count)
    }
    expect(await ofFailed()).toEqual([1])
    await admin.query(`update imports set created_at = now() - interval '25 hours' where outcome = 'failed'`)
    expect(await undo(late)).toMatchObject({ status: 409, body: { message: messages.imports.tooLateToUndo } })
    const tenancy = openTenancy(foyer.database)
    try {
      await forgetImports(tenancy)
    } finally {
      await tenancy.close()
    }
    const { rows } = await admin.query('select distinct import_id from import_rows where import_id = any($1)', [
      [undone, late, fresh],
    ])
    expect(rows).toEqual([{ import_id: fresh }])
    expect(await ofFailed()).toEqual([0])
    expect(await undo(late)).toMatchObject({ status: 409, body: { message: messages.imports.tooLateToUndo } })
    expect((await undo(fresh)).status).toBe(200)
    await foyer.ask(imports.accounts, { AccountImport: csv(['name,expires', 'Eve,sometime']), property_id }, editor)
    const failed = await foyer.get(imports.list, { params: { property_id }, filters: { outcome: 'failed' } }, editor)
    expect(await undo(failed.data[0]?.id ?? 0)).toMatchObject({
      status: 409,
      body: { message: messages.imports.nothingToUndo },
    })
  })

  test('of two concurrent requests one undoes it, and the other is refused as it is undone already', async () => {
    const property_id = await aProperty()
    const id = await bring('rooms', ['Room', '1', '2'], { property_id })
    const answers = await Promise.all([undo(id), undo(id)])
    expectRefusedBut(1, answers, clash(messages.imports.undoneAlready))
  })

  test('editors with reach to it; not viewers, the front desk, a sibling or a neighbour', async () => {
    const property_id = await aProperty()
    const place = { owner_type: 'Property', owner_id: property_id } as const
    const elsewhere = { owner_type: 'Property', owner_id: await aProperty() } as const
    const id = await bring('devices', ['name,mac', `Camera,${aMacAddress()}`], { property_id })
    expectRefused(await undo(id, await foyer.viewer(editor, place)), forbidden())
    expectRefused(await undo(id, await foyer.invited(editor, { ...place, user_type_id: 3 })), forbidden())
    expectRefused(await undo(id, await foyer.invited(editor, elsewhere)), notFound())
    expectRefused(await undo(id, await foyer.customer()), notFound())
    expect((await undo(id, await foyer.invited(editor, place))).status).toBe(200)
  })

  test('it is logged, without secrets; the list shows who imported what, and how long it can be undone', async () => {
    const property_id = await aProperty()
    const id = await bring('accounts', ['name,password', `${unique('Ann')},quiet-harbour`], { property_id })
    const listed = async () => (await foyer.get(imports.list, { params: { property_id } }, editor)).data
    const [row] = await listed()
    expect(row).toMatchObject({
      id,
      kind: 'accounts',
      file_name: 'list.csv',
      actor_name: editor.user.name,
      undone_at: null,
    })
    const hours = (Date.parse(row?.undo_until ?? '') - Date.parse(row?.created_at ?? '')) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    await undo(id)
    expect((await listed())[0]?.undone_at).not.toBeNull()
    const log = await foyer.ask(activity.list, { filters: { action: 'import' }, per_page: 1 }, editor)
    expect(log.body.data[0]).toMatchObject({
      object_type: 'properties',
      object_id: property_id,
      after: { file_name: 'list.csv', undone: 'accounts', removed: 1, restored: 0 },
    })
    expect(log.text).not.toContain('quiet-harbour')
  })
})
