// Stays: who shares one, who is parted and joined again, and what the desk gives for it: a time, a package, devices, a departure.
import { addDays } from '#contract/days.ts'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as guests from '#contract/guests.ts'
import * as help from '#contract/guest-help.ts'
import * as imports from '#contract/imports.ts'
import * as packages from '#contract/packages.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as contract from '#contract/stays.ts'
import { refusals } from '#contract/errors.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { factsOf } from '#server/admission/holders.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { runBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import { setClock } from '#server/time/clock.ts'
import { dayBegins, localDay } from '#server/time/zones.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { aMacAddress, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
}, 'api,radius,jobs')
afterEach(() => setClock())

// Its clock shows UTC all year.
const zone = 'Atlantic/Reykjavik'
let property_id: number
let room_id: number
let today: string
beforeEach(async () => {
  property_id = (await foyer.property(editor, { time_zone: zone })).id
  room_id = (await foyer.room(editor, { property_id })).id
  today = localDay(Date.now(), zone)
})

const aRoom = async () => (await foyer.room(editor, { property_id })).id
const stayOf = async (guest_id: number) => {
  const { data } = await foyer.get(roomGuests.get, { id: guest_id }, editor)
  return (await foyer.get(contract.getStay, { id: data.stay_id ?? 0 }, editor)).data
}
const change = (input: Parameters<typeof foyer.get<typeof contract.updateStay>>[1]) =>
  foyer.get(contract.updateStay, input, editor)
const idsOf = ({ guests: there }: { guests: { id: number }[] }) => there.map(({ id }) => id)

/** Two who came by one line of a list, as a family does. */
async function aFamily(days = { departs_on: addDays(localDay(Date.now(), zone), 3) }) {
  const { rows } = await admin.query<{ id: number; stay_id: number }>(
    `insert into room_guests (customer_id, room_id, last_name, departs_on)
     select $1, $2, name, $3::date from unnest(array['Hart', 'Weber']) as name returning id, stay_id`,
    [editor.user.customer.id, room_id, days.departs_on],
  )
  const [one, other] = rows
  if (!one || !other) throw new Error('two were put there')
  return { one: one.id, other: other.id, id: one.stay_id }
}

describe('who shares a stay', () => {
  test('guests whom one line of a list puts into a room do, those who come apart do not', async () => {
    const number = unique('Room')
    const file = aFile('rooms.csv', `room,name,departure\n${number},"Hart, Amelia; Weber, Jonas",\n`)
    await foyer.get(imports.rooms, { property_id, RoomImport: file }, editor)
    const { rows } = await admin.query<{ id: number; stay_id: number }>(
      `select g.id, g.stay_id from room_guests g join rooms r on r.id = g.room_id where r.number = $1`,
      [number],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map(({ stay_id }) => stay_id)).size).toBe(1)
    expect((await stayOf(rows[0]?.id ?? 0)).source).toBe('import')

    const alone = await foyer.roomGuest(editor, { room_id })
    const later = await foyer.roomGuest(editor, { room_id })
    expect(later.stay_id).not.toBe(alone.stay_id)
    expect(await stayOf(alone.id)).toMatchObject({ source: 'desk', room: { id: room_id }, no_show: false })
  })

  test('who is moved has a stay of their own with what the desk gave, and shares again when the move is taken back', async () => {
    const { one, other, id } = await aFamily()
    await change({ id, devices: 6, note: 'cot', group_name: 'Wedding' })
    const elsewhere = await aRoom()
    await foyer.get(roomGuests.update, { id: one, room_id: elsewhere }, editor)
    const own = await stayOf(one)
    expect(own).toMatchObject({ room: { id: elsewhere }, devices: 6, note: 'cot', group_name: 'Wedding' })
    expect([own.id === id, idsOf(own), idsOf(await stayOf(other))]).toEqual([false, [one], [other]])
    await foyer.get(roomGuests.undo, { ids: [one], act: 'move' }, editor)
    expect(idsOf(await stayOf(other))).toEqual([one, other])
  })

  test('who is parted by another departure shares again when given that of the others, and what else is given then holds', async () => {
    const { one, other, id } = await aFamily()
    const [early, late] = [addDays(today, 3), addDays(today, 4)]
    const part = async () => {
      await foyer.get(roomGuests.update, { id: other, departs_on: late }, editor)
      const own = await stayOf(other)
      expect([own.id === id, idsOf(own)]).toEqual([false, [other]])
      return own.id
    }
    const joined = (await change({ id: await part(), departs_on: early, was: { departs_on: late } })).data
    expect(joined).toMatchObject({ id, departs_on: early })
    expect(idsOf(joined)).toEqual([one, other])

    const own = await part()
    expect((await change({ id: own, departs_on: early, note: 'cot' })).data).toMatchObject({ id: own, note: 'cot' })
    expect(await stayOf(one)).toMatchObject({ id, note: null, guests: [{ id: one }] })
  })

  test('it ends when the last of them leaves, and goes on when that is taken back', async () => {
    const { one, other, id } = await aFamily()
    await foyer.get(roomGuests.checkOut, { ids: [one] }, editor)
    expect(idsOf((await foyer.get(contract.getStay, { id }, editor)).data)).toEqual([other])
    await foyer.get(roomGuests.checkOut, { ids: [other] }, editor)
    expectRefused(await foyer.ask(contract.getStay, { id }, editor), notFound())
    await foyer.get(roomGuests.undo, { ids: [other], act: 'check_out' }, editor)
    expect(idsOf((await foyer.get(contract.getStay, { id }, editor)).data)).toEqual([other])
  })

  test('another departure of the stay is given to each of its guests, with a line of the log each', async () => {
    const { one, other, id } = await aFamily()
    const departs_on = addDays(today, 5)
    expect((await change({ id, departs_on })).data).toMatchObject({ id, departs_on })
    for (const guest of [one, other]) {
      expect((await foyer.get(roomGuests.get, { id: guest }, editor)).data.departs_on).toBe(departs_on)
      const { rows } = await admin.query<{ was: string }>(
        `select before ->> 'departs_on' as was from activity where object_type = 'room_guests' and object_id = $1 and action = 'update'`,
        [guest],
      )
      expect(rows).toEqual([{ was: addDays(today, 3) }])
    }
    const refused = await foyer.ask(contract.updateStay, { id, departs_on: addDays(today, 5000) }, editor)
    expectRefused(refused, invalid({ departs_on: ['This is more than 3 years ahead. Please check the year'] }))
    expect((await stayOf(one)).departs_on).toBe(departs_on)
  })

  test('days and rooms that are told of the stay are those of its guests', async () => {
    const { one, other, id } = await aFamily()
    const elsewhere = await aRoom()
    const departs_on = addDays(today, 9)
    await admin.query('update stays set room_id = $2, departs_on = $3 where id = $1', [id, elsewhere, departs_on])
    for (const guest of [one, other])
      expect((await foyer.get(roomGuests.get, { id: guest }, editor)).data).toMatchObject({
        room: { id: elsewhere },
        departs_on,
        stay_id: id,
      })
  })

  test('those who were there before there were stays get theirs, also while the release before writes', async () => {
    const { one, other, id } = await aFamily()
    const written = await foyer.roomGuest(editor, { room_id })
    await admin.query('alter table room_guests disable trigger share_stay')
    await admin.query('update room_guests set stay_id = null where id = any($1)', [[one, other, written.id]])
    await admin.query('alter table room_guests enable trigger share_stay')
    await admin.query('delete from stays where id = any($1)', [[id, written.stay_id]])
    // As the release before does it.
    await admin.query("update room_guests set email = 'a@b.example' where id = $1", [written.id])
    expect(idsOf(await stayOf(written.id))).toEqual([written.id])
    const owner = await connect(foyer.database.ownerUrl)
    await owner.query("delete from upgrade_backfills where name = '0433-stays-of-guests'")
    await runBackfills(owner, { signal: new AbortController().signal, progress() {}, rest: 0 })
    await owner.end()
    expect(idsOf(await stayOf(one))).toEqual([one, other])
  })
})

test('of many who change at once nobody else in house is read, also where the database has no statistics yet', async () => {
  const others = 1500
  await admin.query(
    `insert into room_guests (customer_id, room_id, last_name, departs_on) select $1, $2, 'Other', current_date + n
     from generate_series(1, $3) as n`,
    [editor.user.customer.id, await aRoom(), others],
  )
  const { rows } = await admin.query<{ id: number }>(
    `with made as (insert into rooms (customer_id, property_id, number) select $1, $2, 'many ' || n from generate_series(1, 60) as n
       returning id)
     insert into room_guests (customer_id, room_id, last_name) select $1, id, 'Hart' from made returning id`,
    [editor.user.customer.id, property_id],
  )
  const ids = rows.map(({ id }) => id)
  const read = await foyer.services.tenancy.enter(
    callerOfJob(editor.user.customer.id, 'test'),
    'write',
    async (scope) => {
      const reads = async () => {
        const [one] = await scope.run(sql<{ reads: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as reads from pg_stat_xact_user_tables where relname = 'room_guests'`)
        return one?.reads ?? 0
      }
      const before = await reads()
      await scope.run(sql`update room_guests set departs_on = current_date + 1 where id = any(${ids})`)
      return (await reads()) - before
    },
  )
  // Once or twice a statement, and not for each of those who change.
  expect(read).toBeLessThan(10 * (others + ids.length))
})

describe('what the desk gives', () => {
  /** The guest as holder, with a device that is remembered. */
  async function holderOf(guest_id: number, mac_address = aMacAddress()) {
    const { rows } = await admin.query<{ id: number }>(
      `with guest as (insert into guests (customer_id, property_id, auth_method_id, room_guest_id) values ($1, $2, 4, $3)
         on conflict (customer_id, room_guest_id) where room_guest_id is not null and deleted_at is null
         do update set visits = guests.visits + 1 returning id)
       insert into guest_devices (customer_id, guest_id, mac_address) select $1, id, $4 from guest returning guest_id as id`,
      [editor.user.customer.id, property_id, guest_id, mac_address],
    )
    return { id: Number(rows[0]?.id), mac_address }
  }
  const facts = (id: number) =>
    foyer.services.tenancy.enter(callerOfJob(editor.user.customer.id, 'test'), 'read', (scope) =>
      factsOf(scope, property_id, { holder: { kind: 'guest', id }, mac_address: null, package_id: null }),
    )

  test('until a time on the day of departure they are online, without one until that day is over', async () => {
    const { one, id } = await aFamily({ departs_on: today })
    const holder = await holderOf(one)
    const ends = async () => Date.parse((await facts(holder.id))?.ends_at ?? '')
    expect(await ends()).toBe(dayBegins(addDays(today, 1), zone))
    await change({ id, until_time: '16:00' })
    expect(await ends()).toBe(Date.parse(`${today}T16:00:00Z`))
    expect((await stayOf(one)).until_time).toBe('16:00')
    await change({ id, until_time: null })
    expect(await ends()).toBe(dayBegins(addDays(today, 1), zone))
  })

  test('whoever is online past that time is disconnected, and the desk reads why', async () => {
    const { made, gateway } = await radius.gatewayAt(property_id)
    await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
    const { one, id } = await aFamily({ departs_on: today })
    const { mac_address } = await holderOf(one)
    const wifi = await foyer.package(editor)
    setClock(Date.parse(`${today}T12:00:00Z`))
    await change({ id, until_time: '16:00', package_id: wifi.id })
    const answer = await gateway.access({ calling_station_id: mac_address, user_name: mac_address })
    expect(answer.code).toBe(code.access_accept)
    await gateway.report({
      user_name: mac_address,
      calling_station_id: mac_address,
      class: textIn(answer, attribute.class) ?? '',
      acct_session_id: unique('session'),
      acct_status_type: status_type.start,
      acct_session_time: 0,
    })
    // Heard of until then: who is not is given up, whatever the stay says.
    await admin.query('update radius_sessions set started_at = $2, last_seen_at = $2 where mac_address = $1', [
      mac_address,
      `${today}T16:00:00Z`,
    ])
    setClock(Date.parse(`${today}T16:01:00Z`))
    await endSessions(foyer.services.tenancy, foyer.services.queue)
    const { rows } = await admin.query<{ cause: string }>(
      'select disconnect_for as cause from radius_sessions where mac_address = $1',
      [mac_address],
    )
    expect(rows).toEqual([{ cause: 'Stay-Over' }])
    const refused = await gateway.access({ calling_station_id: mac_address, user_name: mac_address })
    expect(refused.code).toBe(code.access_reject)
    const { data } = await foyer.get(help.get, { kind: 'stay', id: one }, editor)
    expect(data.against.map(({ reason }) => reason)).toContain('stay_over')
    expect(data.sentence).toContain('ended today at 16:00')
  })

  test('the package is that of the stay before that of the room, and it cannot be deleted meanwhile', async () => {
    const [ofRoom, ofStay] = [await foyer.package(editor), await foyer.package(editor, { name: unique('Faster') })]
    await admin.query('update rooms set package_id = $2 where id = $1', [room_id, ofRoom.id])
    const { one, other, id } = await aFamily()
    const holder = await holderOf(one)
    expect((await facts(holder.id))?.package_id).toBe(ofRoom.id)
    await change({ id, package_id: ofStay.id })
    expect((await facts(holder.id))?.package_id).toBe(ofStay.id)
    expect((await facts((await holderOf(other)).id))?.package_id).toBe(ofStay.id)
    const next = await foyer.roomGuest(editor, { room_id })
    expect((await facts((await holderOf(next.id)).id))?.package_id).toBe(ofRoom.id)
    const refused = await foyer.ask(packages.remove, { id: ofStay.id }, editor)
    expectRefused(refused, {
      ...refusals.clash,
      message: /^Still needed by the stays Room [\d ]+\. Change or remove them first\.$/,
    })
  })

  test('its devices are those of all its guests together, whoever brings them', async () => {
    const { gateway } = await radius.gatewayAt(property_id)
    const wifi = await foyer.package(editor, { max_users: 1 })
    await admin.query('update rooms set package_id = $2 where id = $1', [room_id, wifi.id])
    const { one, other, id } = await aFamily()
    const macs = [await holderOf(one), await holderOf(one), await holderOf(other), await holderOf(other)].map(
      ({ mac_address }) => mac_address,
    )
    const codes = async () => {
      const answers = await Promise.all(macs.map((mac) => gateway.access({ calling_station_id: mac, user_name: mac })))
      return answers.map((answer) => answer.code).toSorted((one, other) => one - other)
    }
    await change({ id, devices: 3 })
    expect(await codes()).toEqual([code.access_accept, code.access_accept, code.access_accept, code.access_reject])
  })

  test('what the desk wrote is erased with its people, also in the log', async () => {
    const { one, id } = await aFamily()
    const holder = await holderOf(one)
    await change({ id, note: 'allergic to feathers', group_name: 'Hart wedding' })
    await foyer.get(guests.erase, { ids: [holder.id] }, editor)
    const { rows } = await admin.query<{ text: string }>(
      `select to_jsonb(s)::text as text from stays s where id = $1
       union all select to_jsonb(a)::text from activity a where object_type = 'stays' and object_id = $1`,
      [id],
    )
    expect(rows.map(({ text }) => text).join()).not.toMatch(/feathers|wedding/)
  })

  test('a stay is found by its group, and by its note', async () => {
    const { id } = await aFamily()
    const group_name = unique('Wedding')
    await change({ id, group_name })
    const found = await foyer.get(contract.stayList, { searchValue: group_name, params: { property_id } }, editor)
    expect(found.data.map((stay) => stay.id)).toEqual([id])
    const listed = await foyer.get(
      contract.stayList,
      { filters: { group_name: [group_name] }, sort: 'departs_on' },
      editor,
    )
    expect(listed.data[0]).toMatchObject({ id, guests: [{ name: 'Hart' }, { name: 'Weber' }] })
  })
})
