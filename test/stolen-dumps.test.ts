// Stolen dumps: whoever has all rows of the database reads no password, secret or voucher code that was put into it.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as sessions from '#contract/sessions.ts'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import * as stays from '#contract/stays.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import * as vouchers from '#contract/vouchers.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { mails } from '#server/deliveries/mails.ts'
import { attribute, code as packets } from '#server/radius-codec/dictionary.ts'
import { openAmong } from '#server/radius/gateway-request.ts'
import { sealCodes } from '#server/vouchers/seal-codes.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openRadius, type TestRadius } from '#test/radius.ts'
import { textIn } from '#test/radius-client.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'

/** As `pg_dump` writes them, and what is stored as bytes or in base64 besides. */
const formsOf = (word: string) => [
  word,
  Buffer.from(word).toString('hex'),
  // Wherever it begins in what was encoded.
  ...[0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + word)
      .toString('base64')
      .slice(before === 0 ? 0 : 4, -4),
  ),
]

async function dump(database: TestDatabase): Promise<string> {
  const admin = await connect(database.adminUrl)
  try {
    const { rows: tables } = await admin.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const dumped: string[] = []
    for (const { name } of tables)
      dumped.push(
        ...(await admin.query<{ row: string }>(`select t::text as row from ${name} as t`)).rows.map(
          ({ row }) => `${name} ${row}`,
        ),
      )
    return dumped.join('\n')
  } finally {
    await admin.end()
  }
}

test('a dump of the database has none of forty planted secrets', async () => {
  const foyer = await openFoyer()
  const planted: string[] = []
  const plant = () => {
    const word = `planted${randomBytes(8).toString('hex')}`
    planted.push(word)
    return word
  }
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor)
  const seen = `seen${randomBytes(8).toString('hex')}`
  for (let n = 0; n < 10; n++) {
    // With a key its answer is kept, which has the password.
    const account = { name: `${seen} ${n}`, username: `guest${n}`, property_id, password: plant() }
    const { status } = await foyer.ask(accounts.create, account, editor, { 'idempotency-key': `account ${n}` })
    expect(status).toBe(201)
    await foyer.voucherBatch(editor, { property_id, quantity: 1, password: plant() })
    await foyer.gateway(editor, { property_id, password: plant() })
  }
  for (let n = 0; n < 5; n++) await foyer.propertyInterface(editor, { username: plant(), password: plant() })
  expect(planted).toHaveLength(40)

  const stolen = await dump(foyer.database)
  // What is no secret is found: the rows are there.
  expect(stolen).toContain(seen)
  expect(planted.filter((word) => formsOf(word).some((form) => stolen.includes(form)))).toEqual([])
  await foyer.close()
})

test('what waits to be sent has no password and no link that signs somebody in, and leaves with them', async () => {
  const foyer = await openFoyer()
  const editor = await foyer.customer()
  const { id: property_id } = await foyer.property(editor, { send_sms: true, country_id: await british(foyer) })
  const password = `planted${randomBytes(8).toString('hex')}`
  const [mailed, texted] = ['ada@guest.example', '+447700900123']
  const { id } = await foyer.account(editor, {
    property_id,
    username: 'ada',
    password,
    email: mailed,
    mobile_number: texted,
  })
  await foyer.get(accounts.sendSignIn, { id }, editor)
  const colleague = 'ben@operator.example'
  await foyer.get(users.invite, { name: 'Ben', user_type_id: 2, email: colleague }, editor)
  const { id: room_id } = await foyer.room(editor, { property_id })
  const { stay_id } = await foyer.roomGuest(editor, { room_id, mobile_number: '+447700900456' })
  await foyer.get(stays.slip, { id: stay_id ?? 0, by: 'sms' }, editor)

  const stolen = await dump(foyer.database)
  expect(stolen).toContain(colleague)
  // Whoever writes one.
  const texts_stored = 'select text from outbox_mails union all select text from outbox_texts'
  const stored = (await foyer.query<{ text: string }>(texts_stored, [])).map(({ text }) => text)
  expect([stored.length >= 4, new Set(stored)]).toEqual([true, new Set(['(sealed)'])])
  const invitation = await foyer.mailTo(colleague)
  const token = /token=([\w-]+)/.exec(invitation)?.[1] ?? invitation
  for (const word of [password, token]) expect(formsOf(word).filter((form) => stolen.includes(form))).toEqual([])

  const texts = await foyer.query<Waiting>(`select ${waiting.outbox_texts} from outbox_texts order by id`, [])
  expect(opened('outbox_texts', texts)[0]?.text).toContain(password)
  expect(await foyer.mailTo(mailed)).toContain(password)
  // In the row of another recipient it does not open, so that nobody is sent what was meant for somebody else.
  await foyer.query(`update outbox_mails set recipient_email = 'eve@thief.example' where recipient_email = $1`, [
    mailed,
  ])
  await expect(foyer.mailTo('eve@thief.example')).rejects.toThrow()
  await foyer.close()
})

const british = async (foyer: TestFoyer) =>
  (await foyer.query<{ id: number }>(`select id from countries where code = 'GB'`, []))[0]?.id ?? null

const email = 'reception@hotel.example'

/** Codes in the ways in which they are used: by guests, right and wrong, at the desk, mailed. */
async function codesInUse({ foyer, admin, editor, gatewayAt }: TestRadius) {
  const property = await foyer.property(editor)
  const { made, gateway } = await gatewayAt(property.id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const batch = await foyer.voucherBatch(editor, { property_id: property.id, quantity: 4 })
  const listed = (await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)).data
  const elsewhere = await foyer.voucherBatch(editor, { quantity: 1 })
  const [foreign] = (await foyer.get(vouchers.list, { params: { voucher_batch_id: elsewhere.id } }, editor)).data
  const shown = [...listed, ...(foreign ? [foreign] : [])].map(({ code }) => code)
  const [online = '', wrong = '', tested = '', mailed = '', away = ''] = shown

  const guest = { user_name: online.toLowerCase(), calling_station_id: aMacAddress() }
  const accepted = await gateway.access(guest)
  expect(accepted.code).toBe(packets.access_accept)
  const session = { ...guest, class: textIn(accepted, attribute.class) ?? '', acct_session_id: online.slice(-4) }
  await gateway.report({ ...session, acct_status_type: 1, acct_session_time: 0 })
  for (const [user_name, password] of [
    [wrong, 'guess'],
    [away, ''],
    [away.toLowerCase().replaceAll('-', ''), ''],
  ] as const)
    expect((await gateway.access({ user_name, password, calling_station_id: aMacAddress() })).code).toBe(
      packets.access_reject,
    )
  const [open] = (await foyer.get(sessions.list, { params: { property_id: property.id } }, editor)).data
  await foyer.get(sessions.disconnect, { ids: [open?.id ?? 0], reason: 'to be counted' }, editor)
  // Nobody known to Foyer goes online by a name that is a code.
  await gateway.report({
    user_name: away,
    calling_station_id: aMacAddress(),
    acct_session_id: 'nobody',
    acct_status_type: 1,
  })
  await foyer.get(vouchers.validate, { code: tested }, editor)
  await foyer.get(guestHelp.search, { search: tested }, editor)
  const ids = listed.slice(2, 3).map(({ id }) => id)
  await foyer.get(vouchers.deactivate, { ids }, editor)
  await foyer.ask(batches.sendCodes, { id: batch.id, email }, editor, { 'idempotency-key': `mail ${batch.id}` })
  return { property, batch, gateway, shown, online, away, mailed }
}
type InUse = Awaited<ReturnType<typeof codesInUse>>

const found = (stolen: string, shown: string[]) =>
  shown.filter((code) =>
    [code, code.replaceAll('-', '')]
      .flatMap((form) => [form, form.toLowerCase()])
      .some((form) => formsOf(form).some((word) => stolen.includes(word))),
  )

/** Whoever may see codes reads and finds them as ever, and gateways are told the names that they use. */
async function expectShown(
  { foyer, admin, editor }: TestRadius,
  { property, batch, shown, online, away, mailed }: InUse,
) {
  const params = { property_id: property.id }
  const codes = (await foyer.get(vouchers.list, { params: { voucher_batch_id: batch.id } }, editor)).data
  expect(codes.map(({ code }) => code)).toEqual(shown.slice(0, 4))
  expect((await foyer.get(vouchers.findByCode, { code: online }, editor)).data.code).toBe(online)
  for (const list of [sessions.list, signInAttempts.list]) {
    const names = async (searchValue: string) =>
      (await foyer.get(list, { params, searchValue, filters: {} }, editor)).data.map(({ identifier }) => identifier)
    expect(await names(online)).toEqual([online])
    expect(await names(online.slice(-4))).toContain(online)
    const seen = (await foyer.get(list, { params, filters: {} }, await foyer.viewer(editor))).data
    expect(seen.map(({ identifier }) => identifier)).toContain(vouchers.masked(online))
    expect(found(JSON.stringify(seen), [online])).toEqual([])
    // What was typed of a voucher of elsewhere is kept without it, and found by it.
    expect((await names(away)).map((name) => name?.slice(-4))).toContain(away.slice(-4))
  }
  const caller = callerOfJob(editor.user.customer.id, 'test')
  const { rows } = await admin.query<{ id: number; voucher_id: number | null }>(
    'select id::float8, voucher_id::float8 from radius_sessions where property_id = $1 order by voucher_id',
    [property.id],
  )
  const told = await foyer.services.tenancy.enter(caller, 'read', (scope) =>
    openAmong(
      scope,
      rows.map(({ id }) => id),
    ),
  )
  expect(told.find(({ id }) => id === rows[0]?.id)?.username).toBe(online.toLowerCase())
  const [mail] = await foyer.query<{ id: number }>(
    'select id::float8 from outbox_mails where recipient_email = $1 and about_id = $2',
    [email, batch.id],
  )
  const leaving = await foyer.services.tenancy.enter(caller, 'read', async (scope) => {
    const found = await mails.read(scope, mail?.id ?? 0)
    return found && mails.opened(scope, found)
  })
  expect(leaving?.text).toContain(mailed)
}

test('a dump of a new installation has no code of a voucher, however it was used', async () => {
  const radius = await openRadius()
  const used = await codesInUse(radius)
  const stolen = await dump(radius.foyer.database)
  expect(stolen).toContain(used.online.slice(-4))
  expect(found(stolen, used.shown)).toEqual([])
  await expectShown(radius, used)
  await radius.close()
})

test('an upgraded installation has codes as nodes of the release before read them, until the next release', async () => {
  const database = await freshDatabase()
  const admin = await connect(database.adminUrl)
  await admin.query(`update releases set serves_since = '0.1.0'`)
  const radius = await openRadius('api,radius', database)
  const { foyer } = radius
  const used = await codesInUse(radius)
  // A node of the release before makes one.
  const former = 'ABCD-EFGH-JKMN'
  await admin.query(
    'insert into vouchers (customer_id, voucher_batch_id, code) select customer_id, id, $2 from voucher_batches where id = $1',
    [used.batch.id, vouchers.normalised(former)],
  )
  used.shown.splice(4, 0, former)
  // And notes in the log that a session was ended.
  await admin.query(
    `insert into activity (customer_id, action, object_type, object_id, object_name)
     select customer_id, 'update', 'radius_sessions', id, $2 from radius_sessions where property_id = $1 and voucher_id is not null`,
    [used.property.id, used.online],
  )
  expect((await foyer.get(vouchers.findByCode, { code: former }, radius.editor)).data.code).toBe(former)
  const [mail] = (
    await admin.query<{ text: string }>('select text from outbox_mails where about_id = $1', [used.batch.id])
  ).rows
  expect(mail?.text).toContain(used.mailed)
  const sealed = async () =>
    (await admin.query<{ n: number }>('select count(*)::integer as n from voucher_codes')).rows[0]?.n
  expect(await sealed()).toBe(5)
  await sealCodes(foyer.services)
  expect(await sealed()).toBe(6)
  expect(found(await dump(database), used.shown)).toEqual(used.shown)
  const { rows } = await admin.query<{ code: string }>('select code from vouchers order by id')
  expect(rows.map(({ code }) => vouchers.shown(code)).toSorted()).toEqual(used.shown.toSorted())

  // The next release upgrades the database.
  await admin.query(`insert into releases (version, serves_since) values ('1.1.0', '1.0.0')`)
  await expect.poll(() => foyer.services.codes(0).arePlain, { timeout: 60_000 }).toBe(false)
  await sealCodes(foyer.services)
  // What names no voucher goes with its age, as mails do that were written before.
  await admin.query('delete from radius_authorisations where voucher_id is null')
  await admin.query('delete from radius_sessions where voucher_id is null')
  await admin.query('delete from outbox_mails')
  const stolen = await dump(database)
  expect(found(stolen, used.shown)).toEqual([])
  const again = await codesInUse(radius)
  expect(found(await dump(database), [...used.shown, ...again.shown])).toEqual([])
  await expectShown(radius, again)
  const codes = (await foyer.get(vouchers.list, { params: { voucher_batch_id: used.batch.id } }, radius.editor)).data
  expect(codes.map(({ code }) => code)).toEqual(used.shown.slice(0, 5))
  const [session] = (await foyer.get(sessions.list, { params: { property_id: used.property.id } }, radius.editor)).data
  expect(session?.identifier).toBe(used.online)
  await admin.end()
  await radius.close()
})
