// Guest help: each problem that can keep a guest from getting online is caused for real, found by what the desk types, explained, and
// fixed by the call that is offered; then the guest gets online.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '#contract/accounts.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as signInAttempts from '#contract/sign-in-attempts.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { notFound } from '#server/errors/refused.ts'
import { endpointAt, openSite, type Failure, type Mended } from '#test/guest-failures.ts'
import { accountFailures, deviceFailures, voucherFailures } from '#test/guest-failures-of-guests.ts'
import { placeFailures, stayFailures } from '#test/guest-failures-of-places.ts'
import { aMacAddress, type Person } from '#test/foyer.ts'
import { textIn } from '#test/radius-client.ts'
import { openRadius, type TestRadius } from '#test/radius.ts'
import { expectRefused } from '#test/refused.ts'

let radius: TestRadius
let desk: Person
beforeAll(async () => {
  radius = await openRadius('api,guest,radius')
  desk = await radius.foyer.invited(radius.editor, { user_type_id: 3 })
})
afterAll(() => radius.close())

const failures: Failure[] = [
  ...voucherFailures,
  ...accountFailures,
  ...stayFailures,
  ...deviceFailures,
  ...placeFailures,
]

test('forty things that go wrong are tried', () => expect(failures.length).toBeGreaterThanOrEqual(40))

test.each(failures)('$name', async ({ seed, reason, says, fix: label, editors }) => {
  const { foyer, editor } = radius
  const at = await openSite(radius)
  const { search, tries, kind, asks = desk, remedy } = await seed(at)
  expect(await tries(), 'the guest gets no further').toBe(false)

  const { candidates } = (await foyer.get(guestHelp.search, { search, property_id: null }, asks)).data
  const found = candidates.find((one) => kind === undefined || one.kind === kind)
  expect(found, `${search} finds ${JSON.stringify(candidates)}`).toBeDefined()
  const subject = { kind: found?.kind ?? 'attempt', id: found?.id ?? 0 }
  const help = (await foyer.get(guestHelp.get, subject, asks)).data
  expect(help.against.map((one) => one.reason)).toContain(reason)
  expect(help.against.find((one) => one.reason === reason)?.message).toMatch(says)
  expect(help.sentence).toBe(help.against[0]?.message)
  expect(help.against[0]?.reason, JSON.stringify(help.against)).toBe(reason)

  const offered = help.fixes.find((one) => label.test(one.label))
  expect(offered, JSON.stringify(help.fixes)).toBeDefined()
  expect(offered?.gateway !== null, 'who has to set a gateway up is led to its page').toBe(reason === 'gateway_unheard')
  if (remedy) {
    expect(offered?.who).toBeTruthy()
    await remedy()
    expect(await tries()).toBe(true)
    return
  }
  if (editors)
    expect(offered, 'the desk is shown who can').toMatchObject({ call: null, who: expect.any(String) as string })
  const caller = editors ? editor : asks
  const theirs = editors ? (await foyer.get(guestHelp.get, subject, editor)).data.fixes : help.fixes
  const fix = theirs.find((one) => label.test(one.label))
  const answer = await foyer.send(endpointAt(fix?.call ?? ''), fix?.ask ?? {}, caller)
  expect(answer.status, answer.text).toBeLessThan(300)
  const { data } = answer.body as { data: Mended }
  expect(await tries(data), 'the guest gets online').toBe(true)
})

test('guests read the same whether a code is another property’s or nobody’s', async () => {
  const [here, there] = [await openSite(radius), await openSite(radius)]
  const { typed } = await there.voucher()
  for (const user_name of [typed, 'AAAA-BBBB-CCCC']) {
    const answer = await here.gateway.access({ user_name, calling_station_id: aMacAddress() })
    expect(textIn(answer, attribute.reply_message)).toBe(signInAttempts.attemptReasons.unknown_user)
  }
})

test('a gateway that enforces nothing is named together with what is left', async () => {
  const { foyer, editor } = radius
  const property_id = (await foyer.property(editor)).id
  const { id } = await foyer.account(editor, { property_id, username: 'free', password: 'quiet-harbour' })
  const unenforced = async () =>
    (await foyer.get(guestHelp.get, { kind: 'account', id }, editor)).data.others?.unenforced
  await foyer.gateway(editor, { property_id, gateway_type_id: 1, name: 'Router' })
  expect(await unenforced()).toBeNull()
  await foyer.gateway(editor, { property_id, gateway_type_id: 3, name: 'Cellar' })
  expect(await unenforced()).toMatch(/^Cellar does not report usage and does not end sessions/)
})

test('a guest who is online is shown as such, even if another gateway of the property is silent', async () => {
  const at = await openSite(radius)
  const { foyer, editor } = radius
  const [online, waiting] = [await at.account(), await at.account()]
  await at.online({ user_name: online.username ?? '', password: 'right password' })
  const cellar = await foyer.gateway(editor, { property_id: at.property.id, name: 'Cellar' })
  await at.sql(`update gateways set last_seen_at = now() - interval '1 hour' where id = $1`, cellar.id)
  const helpFor = async (id: number) => (await foyer.get(guestHelp.get, { kind: 'account', id }, editor)).data
  expect(await helpFor(online.id)).toMatchObject({
    against: [],
    sentence: 'They are online now, with one device.',
    others: { warnings: [{ reason: 'gateway_silent' }] },
  })
  expect(await helpFor(waiting.id)).toMatchObject({ against: [{ reason: 'gateway_silent' }] })
})

test('an attempt by somebody known opens their record, and one by somebody deleted the attempt itself', async () => {
  const at = await openSite(radius)
  const { foyer, editor } = radius
  const { id, username, name } = await at.account()
  await at.signIn({ user_name: username ?? '', password: 'a wrong one' })
  const attempt = async () =>
    (await foyer.get(signInAttempts.list, { searchValue: username ?? '' }, editor)).data[0]?.id ?? 0
  await expect.poll(attempt).toBeGreaterThan(0)
  const asked = { kind: 'attempt', id: await attempt() } as const
  expect((await foyer.get(guestHelp.get, asked, editor)).data).toMatchObject({ kind: 'account', id, name })
  await foyer.get(accounts.remove, { ids: [id] }, editor)
  expect((await foyer.get(guestHelp.get, asked, editor)).data).toMatchObject({ ...asked, name: username })
})

test('nobody asks about, or fixes, what is out of their reach', async () => {
  const { foyer } = radius
  const at = await openSite(radius)
  const [account, stay] = [await at.account(), await foyer.roomGuest(radius.editor)]
  const { id: device } = await foyer.device(radius.editor, { property_id: at.property.id })
  const guest = await at.guest(null, `${aMacAddress().replaceAll(':', '')}@guest.example`)
  await at.signIn({ user_name: 'nobody at all' })
  const { rows } = await at.admin.query<{ voucher: number; attempt: number }>(
    `select (select max(id) from radius_authorisations where property_id = $1) as attempt,
      (select max(id) from vouchers where voucher_batch_id = $2) as voucher`,
    [at.property.id, (await at.voucher()).batch.id],
  )
  const ids = {
    account: account.id,
    stay: stay.id,
    device,
    guest,
    voucher: rows[0]?.voucher ?? 0,
    attempt: rows[0]?.attempt ?? 0,
  }
  const elsewhere = await foyer.property(radius.editor)
  const outsiders = [
    await foyer.customer(),
    await foyer.invited(radius.editor, { owner_type: 'Property', owner_id: elsewhere.id, user_type_id: 3 }),
  ]
  for (const who of outsiders)
    for (const kind of guestHelp.kinds) {
      expectRefused(await foyer.ask(guestHelp.get, { kind, id: ids[kind] }, who), notFound(), kind)
      const holder = guestHelp.holderKinds.find((one) => one === kind)
      if (!holder) continue
      const ask = { kind: holder, id: ids[holder] }
      expectRefused(await foyer.ask(guestHelp.renew, ask, who), notFound(), kind)
      const forgotten = await foyer.ask(guestHelp.forgetDevice, { ...ask, mac_address: aMacAddress() }, who)
      expectRefused(forgotten, notFound(), kind)
    }
  for (const kind of guestHelp.kinds)
    expect((await foyer.ask(guestHelp.get, { kind, id: ids[kind] }, desk)).status, kind).toBe(200)
})

test('a voucher of one group is good at none of another: the search says so, and so does its record', async () => {
  const { foyer, editor } = radius
  const [here, there] = [await openSite(radius), await openSite(radius)]
  const groups = await Promise.all([here, there].map(() => foyer.group(editor)))
  for (const [index, { property }] of [here, there].entries())
    await here.sql('update properties set group_id = $2 where id = $1', property.id, groups[index]?.id)
  const { typed, batch } = await there.voucher({}, { property_id: null, group_id: groups[1]?.id })
  const sought = async ({ property }: typeof here) =>
    (await foyer.get(guestHelp.search, { search: typed, property_id: property.id }, desk)).data
  expect(await sought(here)).toMatchObject({
    candidates: [],
    note: expect.stringContaining('another property') as string,
  })
  const [found] = (await sought(there)).candidates
  expect(found).toMatchObject({ kind: 'voucher', name: typed })

  const id = found?.id ?? 0
  const against = async ({ property }: typeof here) =>
    (await foyer.get(guestHelp.get, { kind: 'voucher', id, property_id: property.id }, desk)).data.against
  expect(await against(there)).not.toContainEqual(expect.objectContaining({ reason: 'wrong_property' }))
  expect((await against(here))[0]).toEqual({ reason: 'wrong_property', message: `${typed} is for ${groups[1]?.name}.` })
  expect(await here.signIn({ user_name: typed }), batch.batch_number).toBe(false)
})

test('what is done for a voucher is logged without its code', async () => {
  const { foyer, admin } = radius
  const at = await openSite(radius)
  const { typed } = await at.voucher({ volume_gb: 1 })
  const { candidates } = (await foyer.get(guestHelp.search, { search: typed }, desk)).data
  await foyer.get(guestHelp.renew, { kind: 'voucher', id: candidates[0]?.id ?? 0 }, desk)
  const { rows } = await admin.query<{ object_name: string; line: string }>(
    `select object_name, to_jsonb(a)::text as line from activity as a where object_type = 'vouchers' and object_id = $1`,
    [candidates[0]?.id],
  )
  expect(rows.map(({ object_name }) => object_name)).toEqual([`••••-••••-${typed.slice(-4)}`])
  expect(rows[0]?.line).not.toContain(typed.replaceAll('-', ''))
})

test('the search finds guests by code, name, user name, room, e-mail, phone and MAC, and by similar spellings', async () => {
  const { foyer, editor } = radius
  const at = await openSite(radius)
  const [room_id] = await foyer.rooms(editor, at.property.id, ['417'])
  const own = {
    name: 'Amélie Thornbury-Vaughan',
    username: 'thornbury417',
    email: 'amelie@guest.example',
    mobile_number: '+44 7700 900417',
  }
  const account = await at.account({ ...own, room_id: room_id ?? null })
  const mac = aMacAddress()
  const device = await foyer.device(editor, { property_id: at.property.id, name: 'Kettle of 417', mac_address: mac })
  const { typed } = await at.voucher()
  const found = async (search: string) =>
    (await foyer.get(guestHelp.search, { search, property_id: at.property.id }, desk)).data.candidates.map(
      ({ kind, id }) => `${kind} ${id}`,
    )
  for (const text of [
    'amelie',
    'thornbury417',
    '417',
    'amelie@guest.example',
    '07700 900417',
    'Amelia Thornbery',
    'Thornburi Vaughn',
  ])
    expect(await found(text), text).toContain(`account ${account.id}`)
  // Another room's number does not count as a similar spelling.
  await foyer.roomGuest(editor, { room_id: room_id ?? 0, last_name: 'Hart' })
  expect(await found('418')).toEqual([])
  for (const text of [mac, mac.toUpperCase().replaceAll(':', '-'), mac.replaceAll(':', '')])
    expect(await found(text), text).toContain(`device ${device.id}`)
  for (const text of [typed, typed.replaceAll('-', '').toLowerCase(), typed.slice(-4)])
    expect(
      (await found(text)).some((one) => one.startsWith('voucher')),
      text,
    ).toBe(true)
  expect(await found('xqxqxq')).toEqual([])
})
