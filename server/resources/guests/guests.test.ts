// Guests: who sees them, what is handed out, that an erasure leaves nothing personal anywhere, and what is forgotten with time.
import { expect, test } from 'vitest'
import type { Client } from 'pg'
import * as accounts from '#contract/accounts.ts'
import * as dueWork from '#contract/due-work.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as guests from '#contract/guests.ts'
import * as sessions from '#contract/sessions.ts'
import * as stays from '#contract/stays.ts'
import * as undelivered from '#contract/undelivered.ts'
import * as batches from '#contract/voucher-batches.ts'
import { selectedIdsInvalid } from '#contract/errors.ts'
import { runBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { guestKeys } from '#server/entities/activity-log.ts'
import { forgetGuests } from '#server/sessions/forget-guests.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const rowsOf = async <R extends object>(text: string, ...values: unknown[]) => (await admin.query<R>(text, values)).rows

const day_ms = 24 * 3600 * 1000
const kept = { sessions_kept_ms: 365 * day_ms, attempts_kept_ms: 30 * day_ms }

let serial = 0
async function place(given?: Person) {
  const editor = given ?? (await foyer.customer())
  const portal = await foyer.portal(editor, {
    auth_method_ids: [5],
    terms: 'Be kind.',
    marketing_text: 'Tell me of offers',
  })
  const group = await foyer.group(editor)
  const { id: property_id } = await foyer.property(editor, { portal_id: portal.id, group_id: group.id })
  const gateway = await foyer.gateway(editor, { property_id, gateway_type_id: 13, dns_name: 'hotspot.example' })
  const customer_id = editor.user.customer.id
  return {
    editor,
    customer_id,
    property_id,
    group_id: group.id,
    /** Signs in at the page and confirms; then has been online for a while. */
    async guest({ marketing = false, online = false } = {}) {
      const email = `guest${++serial}@guests.example`
      const mac_address = aMacAddress()
      const answer = await foyer.guest?.inject({
        method: 'POST',
        url: `${portal.url.replace(portal_url, '')}?nasid=${gateway.nas_identifier}&client_mac=${mac_address}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': `Phone of ${email}` },
        payload: new URLSearchParams({
          method: '5',
          email,
          terms: '1',
          ...(marketing ? { marketing: '1' } : {}),
        }).toString(),
      })
      expect(answer?.body).toContain('name="username" value="pass-')
      const path = /\/confirm\/[\w-]+/.exec(await foyer.mailTo(email))?.[0] ?? ''
      await foyer.guest?.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      const [row] = await rowsOf<{ id: number }>('select id::integer from guests where email = $1', email)
      const id = row?.id ?? 0
      await admin.query(
        `insert into radius_sessions (customer_id, gateway_id, property_id, guest_id, session_key, acct_session_id, identifier,
           username, mac_address, ip, started_at, last_seen_at, stopped_at, seconds, bytes_up, bytes_down)
         values ($1, $2, $3, $4, $5, 'abc', $6, $6, $7, '10.1.2.3', now() - interval '1 hour', now(),
           case when $8 then null else now() end, 3600, 1000, 9000)`,
        [customer_id, gateway.id, property_id, id, `${email} ${mac_address}`, email, mac_address, online],
      )
      await admin.query(
        `insert into radius_authorisations (customer_id, gateway_id, property_id, guest_id, identifier, mac_address, accepted, reason)
         values ($1, $2, $3, $4, $5, $6, true, 'accepted'), ($1, $2, $3, null, $5, $7, false, 'no_more_messages')`,
        [customer_id, gateway.id, property_id, id, email, mac_address, aMacAddress()],
      )
      return { id, email, mac_address }
    },
  }
}

const idsOf = async (who: Person, ask: Parameters<typeof foyer.get<typeof guests.list>>[1]) =>
  (await foyer.get(guests.list, ask, who)).data.map(({ id }) => id)

test('guests are listed by property, group and consent, and found by address', async () => {
  const its = await place()
  const [silent, told] = [await its.guest(), await its.guest({ marketing: true })]
  const other = await place(its.editor)
  const elsewhere = await other.guest()
  const { editor, property_id, group_id } = its
  expect(await idsOf(editor, {})).toEqual([elsewhere.id, told.id, silent.id])
  expect(await idsOf(editor, { params: { property_id } })).toEqual([told.id, silent.id])
  expect(await idsOf(editor, { filters: { group_id } })).toEqual([told.id, silent.id])
  expect(await idsOf(editor, { filters: { marketing: true } })).toEqual([told.id])
  expect(await idsOf(editor, { searchValue: silent.email.toUpperCase() })).toEqual([silent.id])
  const { data } = await foyer.get(guests.get, { id: told.id }, editor)
  expect(data).toMatchObject({
    email: told.email,
    marketing: true,
    marketing_wording: 'Tell me of offers',
    terms_version: 1,
    confirmed_at: expect.any(String),
  })
  const ofProperty = await foyer.invited(editor, { owner_type: 'Property', owner_id: other.property_id })
  expect(await idsOf(ofProperty, {})).toEqual([elsewhere.id])
  for (const endpoint of [guests.get, guests.data])
    expectRefused(await foyer.ask(endpoint, { id: told.id }, ofProperty), notFound())
  for (const endpoint of [guests.known, guests.erase])
    expectRefused(await foyer.ask(endpoint, { ids: [told.id] }, ofProperty), invalid({ ids: [selectedIdsInvalid] }))
})

test('the list is taken away with the wording that each agreed to, and one guest gets all that is known', async () => {
  const its = await place()
  const guest = await its.guest({ marketing: true })
  const file = await foyer.file(guests.exportList, { format: 'csv' }, its.editor)
  expect(file.text).toContain('Marketing wording')
  expect(file.text).toMatch(new RegExp(`${guest.email}.*yes.*Tell me of offers`))
  const data = JSON.parse((await foyer.file(guests.data, { id: guest.id }, its.editor)).text) as Record<
    string,
    object[]
  >
  expect(data).toMatchObject({
    guest: { email: guest.email },
    devices: [{ mac_address: guest.mac_address }],
    sessions: [{ bytes_down: 9000, mac_address: guest.mac_address }],
    attempts: [{ accepted: true }],
  })
  expect(data['consents']).toHaveLength(2)
  const table = (await foyer.file(guests.data, { id: guest.id, format: 'csv' }, its.editor)).text
  expect(table).toMatch(new RegExp(`^E-mail,${guest.email},`, 'm'))
  expect(table).toMatch(new RegExp(`^Device,,\\d{4}-.*,${guest.mac_address},`, 'm'))
  expect(table).toMatch(/^Marketing by e-mail,"“Tell me of offers”, .*ticked, then confirmed by a link/m)
  expect(table).toMatch(new RegExp(`^Session,.*,${guest.mac_address},.*,9000$`, 'm'))
  expect(table).toMatch(new RegExp(`^Sign-in,,.*,${guest.mac_address},`, 'm'))
  for (const format of ['xlsx', 'xls'] as const)
    expect((await foyer.file(guests.data, { id: guest.id, format }, its.editor)).bytes.length, format).toBeGreaterThan(
      1000,
    )
  const log = await rowsOf(
    `select action, object_type, object_name from activity where customer_id = $1 and object_type = 'guests' order by id`,
    its.customer_id,
  )
  expect(log).toEqual([
    { action: 'export', object_type: 'guests', object_name: null },
    ...Array.from({ length: 4 }, () => ({ action: 'export', object_type: 'guests', object_name: String(guest.id) })),
  ])
})

/** Every table in which the text stands somewhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await rowsOf<{ there: boolean }>(
        `select exists (select from ${name} t where position($1 in lower(t::text)) > 0) as there`,
        text.toLowerCase(),
      )
      return row?.there ? [name] : []
    }),
  )
  return found.flat()
}

test('an erasure leaves nothing personal in any table, and keeps the sums', async () => {
  const its = await place()
  const [guest, stays] = [await its.guest({ marketing: true }), await its.guest()]
  const { data: known } = await foyer.get(guests.known, { ids: [guest.id] }, its.editor)
  expect(known).toEqual({ guests: 1, devices: 1, consents: 2, sessions: 1, attempts: 1, online: 0 })
  const sums = () =>
    rowsOf(
      `select count(*)::integer as sessions, count(distinct mac_address)::integer as devices, sum(seconds)::integer as seconds,
         sum(bytes_down)::integer as bytes from radius_sessions where property_id = $1`,
      its.property_id,
    )
  const before = await sums()
  await foyer.get(guests.erase, { ids: [guest.id] }, its.editor)
  for (const text of [guest.email, guest.mac_address]) expect(await tablesWith(text), text).toEqual([])
  expect(await sums()).toEqual(before)
  expect(await tablesWith(stays.email)).toContain('guests')
  expect(await idsOf(its.editor, {})).toEqual([stays.id])
  expectRefused(await foyer.ask(guests.get, { id: guest.id }, its.editor), notFound())
  const [line] = await rowsOf<object>(
    `select object_id::integer, object_name from activity where customer_id = $1 and action = 'delete'`,
    its.customer_id,
  )
  expect(line).toEqual({ object_id: guest.id, object_name: String(guest.id) })
})

/** A mail, a text message and a call that did not arrive, to be dismissed; and a mail that was given up. */
async function inVain(customer_id: number, id: number) {
  const [given_up] = await rowsOf<{ id: number }>(
    `insert into undelivered (customer_id, mail_id, recipient, kind, why, attempts, written_at)
     select m.customer_id, m.id, m.recipient_email, 'guest_code', 'nobody', 1, now() from outbox_mails as m join guests as g
       on g.customer_id = m.customer_id and g.email = m.recipient_email where g.id = $1 limit 1 returning id`,
    id,
  )
  const due = await rowsOf<{ id: number }>(
    `with theirs as (select g.*, d.mac_address from guests as g join guest_devices as d on d.customer_id = g.customer_id
         and d.guest_id = g.id where g.id = $2),
       texts as (insert into outbox_texts (customer_id, mobile_number, text) select $1, mobile_number, 'a code' from theirs returning id),
       grants as (insert into controller_grants (customer_id, gateway_id, access_pass_id, authorisation_id, mac_address, sent)
         select $1, p.gateway_id, p.id, 0, t.mac_address, '{}' from theirs as t
           join access_passes as p on p.customer_id = $1 and p.guest_id = t.id limit 1 returning id)
     insert into due_work (customer_id, kind, about_id, state)
     select $1, 'mail', m.id, 'failed' from outbox_mails as m join theirs as t on t.email = m.recipient_email
     union all select $1, 'text_message', id, 'failed' from texts union all select $1, 'guest_grant', id, 'failed' from grants
     on conflict (customer_id, kind, about_id) do update set state = 'failed' returning id::integer`,
    customer_id,
    id,
  )
  expect(due.length).toBeGreaterThanOrEqual(3)
  return { given_up: given_up?.id ?? 0, due: due.map((row) => row.id) }
}

test('an erasure leaves nothing personal of what was done for a guest, whichever call did it', async () => {
  const its = await place()
  const { editor, customer_id, property_id } = its
  const { id, email, mac_address } = await its.guest({ online: true })
  const [mobile_number, name] = ['+447700900991', 'Ottoline Quillfeather']
  await admin.query('update guests set mobile_number = $2, name = $3 where id = $1', [id, mobile_number, name])
  const holder = { kind: 'guest', id } as const
  const helped = new Map<Endpoint, () => Promise<unknown>>([
    [guestHelp.renew, () => foyer.get(guestHelp.renew, holder, editor)],
    [guestHelp.forgetDevice, () => foyer.get(guestHelp.forgetDevice, { ...holder, mac_address }, editor)],
    [guestHelp.send, () => foyer.get(guestHelp.send, { ...holder, email }, editor)],
    [guestHelp.letTryAgain, () => foyer.get(guestHelp.letTryAgain, { property_id, mac_address }, editor)],
  ])
  const asked = Object.values(guestHelp).filter((one) => 'path' in one && one.kind === 'write')
  expect(new Set(helped.keys())).toEqual(new Set(asked))
  const { given_up, due } = await inVain(customer_id, id)
  const [online] = (await foyer.get(sessions.list, { params: { property_id } }, editor)).data
  await foyer.get(sessions.disconnect, { ids: [online?.id ?? 0], reason: `${name} asked for it` }, editor)
  for (const help of helped.values()) await help()
  await foyer.get(undelivered.dismiss, { ids: [given_up] }, editor)
  await foyer.get(dueWork.dismiss, { ids: due, reason: `${name.toUpperCase()} is to be erased` }, editor)
  const local_part = `${email.split('@')[0]}@`
  for (const searchValue of [email, local_part, mac_address.replaceAll(':', '-'), 'QUILL', '07700 900991'])
    await foyer.file(guests.exportList, { format: 'csv', searchValue }, editor)
  // Also where it is the guest's address that somebody else's was sent to.
  const account = await foyer.account(editor, { property_id, username: `reader ${id}`, password: 'quiet-harbour' })
  await foyer.get(accounts.sendSignIn, { id: account.id, email }, editor)
  const batch = await foyer.voucherBatch(editor, { property_id, quantity: 1 })
  await foyer.get(batches.sendCodes, { id: batch.id, email }, editor)
  const { stay_id } = await foyer.roomGuest(editor)
  for (const to of [
    { by: 'email', email },
    { by: 'sms', mobile_number },
  ] as const)
    await foyer.get(stays.slip, { id: stay_id ?? 0, ...to }, editor)
  const said = await rowsOf<{ key: string }>(
    `select distinct jsonb_object_keys(after) as key from activity where customer_id = $1`,
    customer_id,
  )
  expect(said.map(({ key }) => key)).toEqual(expect.arrayContaining([...guestKeys]))

  // The log names nobody also before, as it outlives the guest.
  const names = (await rowsOf('select object_type, object_name from activity where customer_id = $1', customer_id)).map(
    (line) => JSON.stringify(line),
  )
  expect(names).toContain(JSON.stringify({ object_type: 'radius_sessions', object_name: String(online?.id) }))
  for (const text of [email, mac_address, mobile_number]) expect(names.join('\n')).not.toContain(text)

  await admin.query('update radius_sessions set stopped_at = now() where guest_id = $1', [id])
  await foyer.get(guests.erase, { ids: [id] }, editor)
  for (const text of [
    email,
    local_part,
    mac_address,
    mac_address.replaceAll(':', '-'),
    mobile_number,
    '900991',
    'quill',
  ])
    expect(await tablesWith(text), text).toEqual([])
})

test('what the release before wrote to the log of guests goes with them, and by and by of everybody', async () => {
  const its = await place()
  const { editor, customer_id } = its
  const guest = await its.guest()
  const { email, mac_address } = guest
  const lineOf = async (object_type: string, object_name: string, object_id = 77) => {
    const [line] = await rowsOf<{ id: string }>(
      `insert into activity (customer_id, action, object_type, object_id, object_name) values ($1, 'update', $2, $3, $4) returning id`,
      customer_id,
      object_type,
      object_id,
      object_name,
    )
    return line?.id ?? ''
  }
  const namesOf = async (ids: string[]) =>
    (await rowsOf<{ object_name: string }>('select object_name from activity where id = any($1) order by id', ids)).map(
      (line) => line.object_name,
    )
  const [session] = (await foyer.get(sessions.list, { params: { property_id: its.property_id } }, editor)).data
  const theirs = [
    await lineOf('radius_sessions', email),
    await lineOf('radius_sessions', 'another spelling', session?.id),
    await lineOf('undelivered', email.toUpperCase()),
    await lineOf('due_work', `Your code to ${email}`),
    await lineOf('due_work', `${mac_address} at Cellar`),
  ]
  const others = [
    await lineOf('radius_sessions', 'Somebody'),
    await lineOf('undelivered', '+447700900123'),
    await lineOf('due_work', 'To +447700900123'),
    await lineOf('due_work', 'Your code to somebody@guests.example'),
    await lineOf('due_work', '02:00:00:00:00:01 at Cellar'),
  ]
  const kept = [
    await lineOf('due_work', 'report.made to https://events.example/foyer'),
    await lineOf('undelivered', 'guest_code'),
    await lineOf('users', 'somebody@guests.example'),
  ]
  const before = await namesOf([...others, ...kept])
  await foyer.get(guests.erase, { ids: [guest.id] }, editor)
  expect(await namesOf(theirs)).toEqual(['77', String(session?.id), '77', '77', '77'])
  expect(await namesOf([...others, ...kept])).toEqual(before)

  await admin.query(`delete from upgrade_backfills where name ~ '^0612-'`)
  const owner = await connect(foyer.database.ownerUrl)
  expect(await runBackfills(owner, { signal: new AbortController().signal, progress() {}, rest: 0 })).toBe(true)
  await owner.end()
  expect(await namesOf(others)).toEqual(others.map(() => '77'))
  expect(await namesOf(kept)).toEqual(before.slice(others.length))
})

test('whoever is online is not erased', async () => {
  const its = await place()
  const { id } = await its.guest({ online: true })
  const refused = await foyer.ask(guests.erase, { ids: [id] }, its.editor)
  expect([refused.status, (JSON.parse(refused.text) as { message: string }).message]).toEqual([
    409,
    'A guest among them is online. Disconnect the session first, or wait until it is over.',
  ])
})

test('sessions, attempts, sent messages and addresses that nobody confirmed are forgotten with time', async () => {
  const its = await place()
  const [old, recent] = [await its.guest(), await its.guest()]
  await admin.query(
    `update radius_sessions set started_at = now() - interval '367 days', stopped_at = now() - interval '366 days' where guest_id = $1`,
    [old.id],
  )
  await admin.query(`update radius_authorisations set created_at = now() - interval '31 days' where mac_address = $1`, [
    old.mac_address,
  ])
  await admin.query(
    `update outbox_mails set created_at = now() - interval '31 days', sent_at = now() where recipient_email = $1`,
    [old.email],
  )
  await admin.query(
    `insert into guests (customer_id, property_id, email, waiting_mac_address, last_seen_at)
     values ($1, $2, 'claimed@guests.example', $3, now() - interval '31 days')`,
    [its.customer_id, its.property_id, aMacAddress()],
  )
  await forgetGuests(foyer.services.tenancy, kept)
  const left = await rowsOf(
    `select (select array_agg(guest_id::integer) from radius_sessions where property_id = $1) as sessions,
       (select count(*)::integer from radius_authorisations where mac_address = $2) as attempts,
       (select count(*)::integer from radius_authorisations where mac_address = $3) as recent`,
    its.property_id,
    old.mac_address,
    recent.mac_address,
  )
  expect(left).toEqual([{ sessions: [recent.id], attempts: 0, recent: 1 }])
  expect(await foyer.mailTo(old.email)).toBe('')
  expect(await foyer.mailTo(recent.email)).not.toBe('')
  expect(await tablesWith('claimed@guests.example')).toEqual([])
})

test('the address that a guest comes back by is forgotten with time, save of whoever is online still', async () => {
  const its = await place()
  const [old, online, recent] = [await its.guest(), await its.guest({ online: true }), await its.guest()]
  await admin.query(
    `update access_passes set expires_at = now() - interval '31 days' where mac_address = any($1::macaddr[])`,
    [[old.mac_address, online.mac_address]],
  )
  await forgetGuests(foyer.services.tenancy, kept)
  const left = await rowsOf<{ mac_address: string }>(
    `select mac_address::text from access_passes where customer_id = $1 order by id`,
    its.customer_id,
  )
  expect(left.map((pass) => pass.mac_address)).toEqual([online.mac_address, recent.mac_address])
})
