// Property states: the one word for what is wrong at a property, since when, and what to do; for lists, events and dashboards alike.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as events from '#contract/events.ts'
import * as gateways from '#contract/gateways.ts'
import * as properties from '#contract/properties.ts'
import * as groups from '#contract/groups.ts'
import * as portals from '#contract/portals.ts'
import * as activity from '#contract/activity.ts'
import * as dashboard from '#contract/dashboard.ts'
import { propertyWords, type PropertyWord } from '#contract/status.ts'
import * as users from '#contract/users.ts'
import * as vouchers from '#contract/vouchers.ts'
import { keepStates } from '#server/sessions/property-states.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
beforeAll(async () => {
  foyer = await openFoyer()
})
afterAll(() => foyer.close())

const minute = () => keepStates(foyer.services)
const stateOf = async (who: Person, id: number) => (await foyer.get(properties.get, { id }, who)).data.state
const wordOf = async (who: Person, id: number) => (await stateOf(who, id))?.word

interface Place {
  editor: Person
  property_id: number
  gateway_id: number
}
/** A property that lacks nothing, and whose gateway was heard just now. */
async function place(editor?: Person, name = 'Lobby'): Promise<Place> {
  const who = editor ?? (await foyer.customer())
  const portal = await foyer.portal(who)
  const { id: package_id } = await foyer.package(who)
  const { id } = await foyer.property(who, { portal_id: portal.id, package_id })
  const gateway = await foyer.gateway(who, { property_id: id, name })
  await heard(gateway.id, '0 minutes')
  return { editor: who, property_id: id, gateway_id: gateway.id }
}
const heard = (gateway_id: number, ago: string) =>
  foyer.query('update gateways set last_seen_at = now() - $2::interval where id = $1', [gateway_id, ago])
const guestsOnline = ({ editor, property_id, gateway_id }: Place, count: number) =>
  foyer.query(
    `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
     select $1, $2, $3, n::text, n::text, now(), now() from generate_series(1, $4) as n`,
    [editor.user.customer.id, gateway_id, property_id, count],
  )
const tried = ({ editor, property_id, gateway_id }: Place, accepted: number, refused: number) =>
  foyer.query(
    `insert into radius_authorisations (customer_id, gateway_id, property_id, accepted, reason)
     select $1::integer, $2::integer, $3::integer, n > $5, case when n > $5 then 'accepted' else 'wrong_password' end
     from generate_series(1, $4::integer + $5::integer) as n`,
    [editor.user.customer.id, gateway_id, property_id, accepted, refused],
  )

test('what people change shows at once: what it lacks, until it has all and its gateway was heard', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.property(editor, { portal_id: null, package_id: null })
  expect(await stateOf(editor, id)).toMatchObject({
    word: 'incomplete',
    sentence: 'It has no gateway, no portal and no package. Choose one, so that guests get online.',
  })
  const gateway = await foyer.gateway(editor, { property_id: id, name: 'Lobby' })
  expect(await stateOf(editor, id)).toMatchObject({
    word: 'never_heard',
    sentence: 'The gateway Lobby has never been heard from. Set it up as its page says.',
  })
  await heard(gateway.id, '0 minutes')
  expect((await stateOf(editor, id))?.sentence).toMatch(/^It has no portal and no package\./)
  const portal = await foyer.portal(editor)
  const { id: package_id } = await foyer.package(editor)
  const { data } = await foyer.get(properties.update, { id, portal_id: portal.id, package_id }, editor)
  expect(data.state?.word).toBe('served')
  // The state is no change that anybody made.
  const { data: lines } = await foyer.get(
    activity.list,
    { filters: { object_type: 'properties', object_id: id } },
    editor,
  )
  for (const { after } of lines.filter(({ action }) => action === 'update')) expect(after).not.toHaveProperty('state')
  await foyer.get(properties.deactivate, { ids: [id] }, editor)
  expect(await stateOf(editor, id)).toBeNull()
  await foyer.get(properties.activate, { id }, editor)
  expect(await wordOf(editor, id)).toBe('served')
})

test('a portal that shows guests no page is told at once, whether it is disabled or a draft again', async () => {
  const { editor, property_id } = await place()
  const { portal } = (await foyer.get(properties.get, { id: property_id }, editor)).data
  if (!portal) throw new Error('the place has a portal')
  await foyer.get(portals.deactivate, { ids: [portal.id] }, editor)
  expect(await stateOf(editor, property_id)).toMatchObject({
    word: 'incomplete',
    sentence: `Its portal ${portal.name} is disabled: guests are told that there is no page. Activate it, or choose another one.`,
  })
  await foyer.get(portals.activate, { id: portal.id }, editor)
  expect(await wordOf(editor, property_id)).toBe('served')
  await foyer.get(portals.update, { id: portal.id, draft: true }, editor)
  expect((await stateOf(editor, property_id))?.sentence).toContain(`Its portal ${portal.name} is a draft: `)
  await minute()
  expect(await wordOf(editor, property_id)).toBe('incomplete')
})

test('a property without a portal of its own follows its group’s, at once', async () => {
  const { editor, property_id } = await place()
  const [first, second] = [await foyer.portal(editor), await foyer.portal(editor)]
  const { id: group_id } = await foyer.group(editor)
  await foyer.get(properties.update, { id: property_id, portal_id: null, group_id }, editor)
  expect((await stateOf(editor, property_id))?.sentence).toBe(
    'It has no portal. Choose one, so that guests get online.',
  )
  await foyer.get(groups.update, { id: group_id, portal_id: first.id }, editor)
  expect(await wordOf(editor, property_id)).toBe('served')
  const { data } = await foyer.get(properties.get, { id: property_id }, editor)
  expect(data).toMatchObject({ portal_id: null, shown_portal: { id: first.id, name: first.name } })
  await foyer.get(portals.deactivate, { ids: [first.id] }, editor)
  expect((await stateOf(editor, property_id))?.sentence).toContain(`Its portal ${first.name} is disabled: `)
  await foyer.get(properties.update, { id: property_id, portal_id: second.id }, editor)
  expect(await wordOf(editor, property_id)).toBe('served')
  await foyer.get(properties.update, { id: property_id, portal_id: null }, editor)
  await foyer.get(groups.update, { id: group_id, portal_id: null }, editor)
  expect(await wordOf(editor, property_id)).toBe('incomplete')
  await minute()
  expect(await wordOf(editor, property_id)).toBe('incomplete')
})

test('a gateway is silent after 15 minutes if guests were online, is so until it is heard, and each is one event', async () => {
  const one = await place()
  await guestsOnline(one, 3)
  await heard(one.gateway_id, '14 minutes')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  await heard(one.gateway_id, '16 minutes')
  await Promise.all([minute(), minute()])
  const state = await stateOf(one.editor, one.property_id)
  expect(state).toMatchObject({
    word: 'silent',
    sentence:
      'The gateway Lobby has not been heard from. Check power and line there: guests behind it cannot get online.',
  })
  expect(Math.round((Date.now() - Date.parse(state?.since ?? '')) / 60_000)).toBe(16)
  // Nothing is reported of its guests any more: it stays silent.
  await foyer.query(
    `update radius_sessions set stopped_at = last_seen_at, stop_inferred = true where gateway_id = $1`,
    [one.gateway_id],
  )
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('silent')
  const told = async () =>
    (await foyer.get(events.list, {}, one.editor)).data.filter(({ type }) => type.startsWith('gateway.'))
  expect((await told()).map(({ type, data }) => [type, data.id, data.sequence])).toEqual([
    ['gateway.silent', one.gateway_id, 1],
  ])
  await heard(one.gateway_id, '0 minutes')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  expect((await told()).map(({ type }) => type)).toEqual(['gateway.heard', 'gateway.silent'])
})

test('guests whose sessions were given up in the meantime were online, too', async () => {
  const one = await place()
  await guestsOnline(one, 1)
  await heard(one.gateway_id, '16 minutes')
  await foyer.query(
    `update radius_sessions set stopped_at = now() - interval '17 minutes', stop_inferred = true where gateway_id = $1`,
    [one.gateway_id],
  )
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('silent')
})

test('an empty hotel at night is not silent, for a day', async () => {
  const one = await place()
  await heard(one.gateway_id, '23 hours')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  await heard(one.gateway_id, '25 hours')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('silent')
})

test('a gateway is silent if nothing comes for 15 minutes after a guest was sent to the portal', async () => {
  const one = await place()
  await heard(one.gateway_id, '2 hours')
  const redirected = (ago: string) =>
    foyer.query('update gateways set redirected_at = now() - $2::interval where id = $1', [one.gateway_id, ago])
  await redirected('14 minutes')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  await redirected('16 minutes')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('silent')
})

test('one of several gateways counts, and the sentence names it', async () => {
  const one = await place()
  await guestsOnline(one, 2)
  const second = await foyer.gateway(one.editor, { property_id: one.property_id, name: 'Tower' })
  await minute()
  // It is new: it may still be set up.
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  await foyer.query(`update gateways set created_at = now() - interval '25 hours' where id = $1`, [second.id])
  await minute()
  expect(await stateOf(one.editor, one.property_id)).toMatchObject({ word: 'silent' })
  await foyer.query(`update gateways set refused_at = now(), refused_for = 'wrong_secret' where id = $1`, [second.id])
  await minute()
  expect((await stateOf(one.editor, one.property_id))?.sentence).toBe(
    'The gateway Tower asks with another secret than ours. Make a new secret on its page and enter it there.',
  )
  await foyer.get(gateways.deactivate, { ids: [second.id] }, one.editor)
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
})

test('a property refuses from 10 sign-ins and 30 per cent in an hour on', async () => {
  const [few, many] = [await place(), await place()]
  await tried(few, 0, 9)
  await tried(many, 7, 3)
  await minute()
  expect(await wordOf(few.editor, few.property_id)).toBe('served')
  expect(await stateOf(many.editor, many.property_id)).toMatchObject({
    word: 'refusing',
    sentence: '3 of 10 sign-ins of the last hour were refused. The sign-in attempts say why.',
  })
})

test('used codes, late nights and a link that is down follow in their order', async () => {
  const one = await place()
  const { id } = await foyer.voucherBatch(one.editor, { property_id: one.property_id, quantity: 5 })
  // One is used and the others are taken back.
  const { data: codes } = await foyer.get(vouchers.list, { params: { voucher_batch_id: id } }, one.editor)
  await foyer.query('update voucher_batches set redeemed = 1 where id = $1', [id])
  await foyer.query('update vouchers set redeemed_at = now() where id = $1', [codes[0]?.id])
  await foyer.get(vouchers.deactivate, { ids: codes.map((code) => code.id) }, one.editor)
  await foyer.query(
    `update night_ledgers set begins_on = '2020-01-01', kept_from = '2020-01-01', kept_until = current_date - 4
    where property_id = $1`,
    [one.property_id],
  )
  await minute()
  expect(await stateOf(one.editor, one.property_id)).toMatchObject({ word: 'codes_out' })
  await foyer.voucherBatch(one.editor, { property_id: one.property_id, quantity: 5 })
  await minute()
  expect(await stateOf(one.editor, one.property_id)).toMatchObject({
    word: 'nights_late',
    sentence: expect.stringMatching(/^\d nights are not recorded yet/),
  })
  const link = await foyer.propertyInterface(one.editor, { owner_type: 'Property', owner_id: one.property_id })
  await foyer.query(
    `insert into property_links (customer_id, property_interface_id, state) values ($1, $2, 'down')
     on conflict (customer_id, property_interface_id) do update set state = 'down'`,
    [one.editor.user.customer.id, link.id],
  )
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('link_down')
})

test('a link that is silent for longer than its system may be is down, and one of several properties says nothing of them', async () => {
  const one = await place()
  const webhook = {
    property_interface_type_id: 5,
    settings: { signing_secret: `whsec_${'A'.repeat(32)}`, silent_hours: 2 },
  }
  const own = { ...webhook, name: 'OPERA', owner_type: 'Property' as const, owner_id: one.property_id }
  const link = await foyer.propertyInterface(one.editor, own)
  const heard = (id: number, ago: string, state = 'up') =>
    foyer.query(
      `insert into property_links (customer_id, property_interface_id, state, heard_at)
       values ($1, $2, $4, now() - $3::interval)
       on conflict (customer_id, property_interface_id) do update set state = excluded.state, heard_at = excluded.heard_at`,
      [one.editor.user.customer.id, id, ago, state],
    )
  await heard(link.id, '1 hour')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
  await heard(link.id, '3 hours')
  await minute()
  expect(await stateOf(one.editor, one.property_id)).toMatchObject({
    word: 'link_down',
    sentence: expect.stringContaining('OPERA'),
  })
  await heard(link.id, '1 minute')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')

  await foyer.property(one.editor)
  const all = await foyer.propertyInterface(one.editor, { ...webhook, owner_type: 'Customer' })
  await heard(all.id, '1 hour', 'down')
  await minute()
  expect(await wordOf(one.editor, one.property_id)).toBe('served')
})

test('lists are filtered and sorted by it, and it is each caller’s own', async () => {
  const well = await place()
  const { editor } = well
  const down = await place(editor)
  await heard(down.gateway_id, '25 hours')
  const bare = await foyer.property(editor, { portal_id: null })
  const draft = await foyer.get(properties.create, { name: 'Half done', draft: true }, editor)
  await guestsOnline(well, 4)
  await minute()
  const list = async (asked: Parameters<typeof foyer.get<typeof properties.list>>[1], who = editor) =>
    (await foyer.get(properties.list, asked, who)).data
  const inOrder = [down.property_id, bare.id, well.property_id, draft.data.id]
  expect((await list({ sort: 'state' })).map(({ id }) => id)).toEqual(inOrder)
  expect((await list({ sort: '-state' })).map(({ id }) => id)).toEqual(inOrder.toReversed())
  const first = await foyer.get(properties.list, { sort: 'state', per_page: 2 }, editor)
  const next = await foyer.get(properties.list, { sort: 'state', per_page: 2, cursor: first.meta.next_cursor }, editor)
  expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(inOrder)
  expect((await list({ filters: { state: ['silent', 'incomplete'] } })).map(({ id }) => id)).toEqual([
    bare.id,
    down.property_id,
  ])
  expect((await list({ filters: { state: ['served'] } })).map(({ id, guests_online }) => [id, guests_online])).toEqual([
    [well.property_id, 4],
  ])
  const stranger = await foyer.customer()
  expect(await list({ filters: { state: ['silent'] } }, stranger)).toEqual([])
})

test('of 231 properties each active one is in one state, as the list counts; one that falls silent is seen everywhere', async () => {
  const editor = await foyer.customer()
  const customer_id = editor.user.customer.id
  const portal = await foyer.portal(editor)
  const { id: package_id } = await foyer.package(editor)
  // In turns: served, never heard, silent for a day, refusing, without a portal, a draft, disabled.
  await foyer.query(
    `with places as (
       insert into properties (customer_id, name, portal_id, package_id, time_zone, draft, active)
       select $1, 'House ' || n, case when n % 7 = 4 then null else $2::integer end, $3, 'UTC', n % 7 = 5, n % 7 not in (5, 6)
       from generate_series(0, 230) as n returning id, name),
     turns as (select id, replace(name, 'House ', '')::integer % 7 as turn from places),
     boxes as (
       insert into gateways (customer_id, property_id, name, nas_identifier, gateway_type_id, last_seen_at)
       select $1, id, 'Box', 'box ' || id, 13,
         case turn when 1 then null when 2 then now() - interval '25 hours' else now() end from turns returning id, property_id)
     insert into radius_authorisations (customer_id, gateway_id, property_id, accepted, reason)
     select $1, b.id, b.property_id, n > 6, case when n > 6 then 'accepted' else 'wrong_password' end
     from boxes as b join turns as t on t.id = b.property_id and t.turn = 3 cross join generate_series(1, 12) as n`,
    [customer_id, portal.id, package_id],
  )
  await foyer.get(users.update, { id: editor.user.id, outage_mails: true }, editor)
  await minute()
  await foyer.query('delete from outbox_mails where customer_id = $1', [customer_id])

  const listed = async (state: PropertyWord) => {
    const { data, meta } = await foyer.get(properties.list, { filters: { state: [state] }, per_page: 200 }, editor)
    expect(data.every((one) => one.state?.word === state && one.status === 'active')).toBe(true)
    return { ids: data.map(({ id }) => id), total: meta.total }
  }
  /** Each state's count on the dashboard is that of its list; together they are the active properties, each once. */
  const agree = async () => {
    const { states } = (await foyer.get(dashboard.get, {}, editor)).data
    const lists = new Map<string, number>()
    const ids: number[] = []
    for (const word of propertyWords) {
      const list = await listed(word)
      if (list.total > 0) lists.set(word, list.total)
      ids.push(...list.ids)
    }
    expect(new Map(states.map(({ word, count }) => [word, count]))).toEqual(lists)
    const active = await foyer.get(properties.list, { filters: { status: ['active'] }, per_page: 200 }, editor)
    expect(ids).toHaveLength(active.data.length)
    expect(new Set(ids)).toEqual(new Set(active.data.map(({ id }) => id)))
    return lists
  }
  expect(await agree()).toEqual(
    new Map([
      ['never_heard', 33],
      ['silent', 33],
      ['refusing', 33],
      ['incomplete', 33],
      ['served', 33],
    ]),
  )

  const [house = 0] = (await listed('served')).ids
  await foyer.query(`update gateways set last_seen_at = now() - interval '25 hours' where property_id = $1`, [house])
  await minute()
  expect(await agree()).toEqual(
    new Map([
      ['never_heard', 33],
      ['silent', 34],
      ['refusing', 33],
      ['incomplete', 33],
      ['served', 32],
    ]),
  )
  expect((await listed('silent')).ids).toContain(house)
  expect(await wordOf(editor, house)).toBe('silent')
  const { standings } = (await foyer.get(dashboard.get, {}, editor)).data
  expect(standings.find(({ id }) => id === house)?.state.word).toBe('silent')
  // The first screen of a phone asks for the worst, of which it says how many there are.
  const phone = {
    filters: { state: propertyWords.filter((word) => word !== 'served') },
    sort: 'state',
    per_page: 3,
  } as const
  const worst = await foyer.get(properties.list, phone, editor)
  expect([worst.data.length, worst.meta.total]).toEqual([3, 133])
  // By mail with the minute that finds it, once.
  const mails = () =>
    foyer.query<{ subject: string }>('select subject from outbox_mails where customer_id = $1 order by id', [
      customer_id,
    ])
  const told = await mails()
  expect(told).toEqual([{ subject: expect.stringMatching(/^Guests cannot get online: House \d+$/) }])
  await minute()
  await minute()
  expect(await mails()).toEqual(told)
})
