// Trials: a guest of a simulated gateway goes the whole way, and leaves no trace: every table of the database is compared.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Client } from 'pg'
import * as dashboard from '#contract/dashboard.ts'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as trials from '#contract/trials.ts'
import { refusals, selectedInvalid } from '#contract/errors.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import type { Holder } from '#scripts/simulation/site.ts'
import { connect } from '#server/db/logins.ts'
import { endTrialsJob } from '#server/resources/gateways/trials.ts'
import { freePort } from '#server/start/free-port.ts'
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, patient, type Person, type TestFoyer } from '#test/foyer.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { answerOf, expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
let portal_url = ''
let env: Record<string, string>

beforeAll(async () => {
  const [port, access, accounting] = [await freePort(1), await freePort(2), await freePort(3)]
  portal_url = `http://127.0.0.1:${port}`
  const ports = { RADIUS_AUTH_PORT: String(access), RADIUS_ACCT_PORT: String(accounting) }
  env = { ROLES: 'api,guest,radius', HOST: '127.0.0.1', PORTAL_URL: portal_url, ...ports }
  foyer = await openFoyer({ env })
  await foyer.guest?.listen({ host: '127.0.0.1', port })
  await foyer.radius?.listen('127.0.0.1', { access, accounting })
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await admin.end()
  await foyer.close()
})
beforeEach(() => admin.query('delete from rate_limits'))

/** A property where guests sign in in every way, with a real guest in it already. */
async function house() {
  const editor = await foyer.customer()
  const auth_method_ids = Object.values(authMethods).filter((id) => id !== authMethods.device)
  const { id: portal_id } = await foyer.portal(editor, {
    auth_method_ids,
    terms: 'Be kind.',
    marketing_text: 'Send me news.',
  })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 2 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id, country_id: 1 })
  await foyer.gateway(editor, { property_id, gateway_type_id: 13 })
  const batch = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 2 })
  const codes = await codesOf(admin, batch.id)
  const room = await foyer.room(editor, { property_id })
  const { last_name } = await foyer.roomGuest(editor, { room_id: room.id })
  await foyer.account(editor, { property_id, username: 'ada', password: 'correct horse' })
  const holders: Record<string, Holder> = {
    free: { method: authMethods.free, typed: {} },
    voucher: { method: authMethods.voucher, typed: { voucher_code: codes[0] ?? '' } },
    account: { method: authMethods.account, typed: { username: 'ada', password: 'correct horse' } },
    room: { method: authMethods.room, typed: { room_number: room.number, last_name: last_name ?? '' } },
    email: { method: authMethods.email, typed: { email: 'ada@guest.example' } },
  }
  return { editor, property_id, holders, code: codes[0] ?? '' }
}

const trialOf = async (editor: Person, property_id: number) =>
  (await foyer.get(trials.trial, { property_id }, editor)).data
const begin = async (editor: Person, property_id: number) =>
  (await foyer.get(trials.startTrial, { property_id }, editor)).data.url

/** From the first page to the one after the gateway has let the guest in; what the portal says in place of that. */
async function goOnline(url: string, holder: Holder): Promise<string> {
  const answer = await signIn(await openPage(url), holder, true)
  if ('page' in answer) return answer.page.html.querySelector('[role=alert]')?.text ?? answer.page.html.text
  expect(answer.to.href).toContain(`${url}/login?`)
  const { html } = await openPage(answer.to.href)
  return html.querySelector('h2')?.text ?? html.text
}

/** Every row of every table but what the trial's own register says, and what bears the mark of a trial. */
async function everything(): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ name: string; marked: boolean }>(`
    select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'trial_id') as marked
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'customer_id') and c.relname <> 'trials'
    order by 1`)
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter(({ marked }) => marked).length).toBeGreaterThan(5)
  const found: Record<string, string> = {}
  for (const { name, marked } of rows) {
    const own = marked ? 'where t.trial_id is null' : ''
    // The trial's own secret goes with its gateway.
    const but =
      name === 'gateway_secrets' ? 'where gateway_id not in (select id from gateways where trial_id is not null)' : own
    const { rows: kept } = await admin.query<{ all: string }>(
      `select coalesce(json_agg(t order by t::text)::text, '') as all from ${name} t ${but}`,
    )
    found[name] = kept[0]?.all ?? ''
  }
  return found
}

const marked = async () =>
  (
    await admin.query<{
      name: string
    }>(`select a.attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'trial_id' and c.relkind = 'r' order by 1`)
  ).rows.map(({ name }) => name)
async function left() {
  const counts: Record<string, number> = {}
  for (const name of await marked()) {
    const { rows } = await admin.query<{ n: number }>(
      `select count(*)::int as n from ${name} where trial_id is not null`,
    )
    if (rows[0]?.n) counts[name] = rows[0].n
  }
  return counts
}

const until = async <T>(look: () => Promise<T>, holds: (found: T) => boolean): Promise<T> => {
  for (;;) {
    const found = await look()
    if (holds(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('a guest of a trial', () => {
  test.each(['free', 'voucher', 'account', 'room', 'email'])(
    'gets online by %s, and nothing else is touched',
    async (way) => {
      const { editor, property_id, holders } = await house()
      const figures = async () => {
        const { tried: _, hours, days, days_before, ...rest } = (await foyer.get(dashboard.get, {}, editor)).data
        // Added up, as an hour may end meanwhile.
        const online = hours.reduce((sum, hour) => sum + hour.online + hour.before, 0)
        const sessions = [...days, ...days_before].reduce((sum, day) => sum + day.sessions + day.data_gb, 0)
        return { ...rest, online, sessions }
      }
      const before = { all: await everything(), figures: await figures() }
      const url = await begin(editor, property_id)
      expect(url).toMatch(new RegExp(`^${portal_url}/trial/[\\w-]{22}$`))
      const holder = holders[way]
      if (!holder) throw new Error('there is no such way')
      expect(await goOnline(url, holder)).toBe('You are online')
      const seen = await until(
        () => trialOf(editor, property_id),
        ({ session }) => (session?.bytes_down ?? 0) > 0,
      )
      expect(seen.steps.map(({ key, at }) => [key, at !== null])).toEqual([
        ['joined', true],
        ['signed_in', true],
        ['let_in', true],
        ['online', true],
        ['used', true],
        ['left', false],
      ])
      expect(seen.attempts[0]).toMatchObject({ accepted: true })
      expect(seen.session).toMatchObject({ online: true })
      expect(seen.tried_at).not.toBeNull()
      expect({ all: await everything(), figures: await figures() }).toEqual(before)
      expect(Object.keys(await left())).toContain('radius_sessions')

      await foyer.get(trials.endTrial, { property_id }, editor)
      expect(await left()).toEqual({})
      expect(await everything()).toEqual(before.all)
      expect(await trialOf(editor, property_id)).toMatchObject({ url: null, session: null, tried_at: seen.tried_at })
      expectRefused(await answerOf(await fetch(url)), { ...refusals.notFound, message: 'This trial is over' })
    },
  )

  test('is shown the portal of the group where the property has none of its own', async () => {
    const { editor, property_id, holders } = await house()
    const { portal_id } = (await foyer.get(properties.get, { id: property_id }, editor)).data
    const { id: group_id } = await foyer.group(editor, { portal_id })
    await foyer.get(properties.update, { id: property_id, portal_id: null, group_id }, editor)
    const url = await begin(editor, property_id)
    expect(await goOnline(url, holders['free'] as Holder)).toBe('You are online')
    await foyer.get(trials.endTrial, { property_id }, editor)
  })

  test('reads why a code is refused, and so does the desk', async () => {
    const { editor, property_id, code } = await house()
    const url = await begin(editor, property_id)
    const wrong = {
      method: authMethods.voucher,
      typed: { voucher_code: `${code.slice(0, -1)}${code.endsWith('2') ? '3' : '2'}` },
    }
    expect(await goOnline(url, wrong)).not.toBe('You are online')
    const { attempts } = await trialOf(editor, property_id)
    expect(attempts[0]).toMatchObject({ accepted: false, message: expect.stringMatching(/\w/) as string })
    await foyer.get(trials.endTrial, { property_id }, editor)
  })

  test('is written what the desk reads instead, and nothing is sent', async () => {
    const { editor, property_id, holders } = await house()
    const url = await begin(editor, property_id)
    if (holders['email']) await goOnline(url, holders['email'])
    const { messages } = await trialOf(editor, property_id)
    expect(messages).toMatchObject([{ to: 'ada@guest.example', text: expect.stringMatching(/\d{6}/) as string }])
    const { rows } = await admin.query(`select from due_work where kind in ('mail', 'text') and about_id in (
      select id from outbox_mails where trial_id is not null)`)
    expect(rows).toEqual([])
    await foyer.get(trials.endTrial, { property_id }, editor)
  })

  test('leaves the network, and the session ends', async () => {
    const { editor, property_id, holders } = await house()
    const url = await begin(editor, property_id)
    const { headers } = await fetch(url, { redirect: 'manual' })
    const answer = await signIn(await openPage(headers.get('location') ?? ''), holders['free'] as Holder, true)
    if (!('to' in answer)) throw new Error('the portal showed another page')
    await fetch(answer.to)
    await until(
      () => trialOf(editor, property_id),
      ({ session }) => session !== null,
    )
    const cookie = /trial-device=[\w-]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''
    await fetch(`${url}/logout`, { headers: { cookie } })
    const { session, steps } = await trialOf(editor, property_id)
    expect(session).toMatchObject({ online: false, termination_reason: 'Logged out' })
    expect(steps.at(-1)).toMatchObject({ key: 'left', at: expect.any(String) as string })
    await foyer.get(trials.endTrial, { property_id }, editor)
  })

  test('leaves the network at another node than let them in, which reports them no more', async () => {
    const { editor, property_id, holders } = await house()
    const url = await begin(editor, property_id)
    const join = async () => {
      const { headers } = await fetch(url, { redirect: 'manual' })
      const first = headers.get('location') ?? ''
      const answer = await signIn(await openPage(first), holders['free'] as Holder, true)
      if (!('to' in answer)) throw new Error('the portal showed another page')
      await fetch(answer.to)
      return {
        cookie: /trial-device=[\w-]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '',
        device: new URL(first).searchParams.get('device') ?? '',
      }
    }
    const [leaves, stays] = [await join(), await join()]
    const sessionOf = async ({ device }: typeof leaves) => {
      const { rows } = await admin.query<{ bytes_down: string; termination_cause: string | null }>(
        'select bytes_down, termination_cause from radius_sessions where property_id = $1 and mac_address = $2',
        [property_id, device],
      )
      return rows[0]
    }
    const used = async (more_than: string) =>
      (
        await until(
          () => sessionOf(stays),
          (session) => Number(session?.bytes_down ?? 0) > Number(more_than),
        )
      )?.bytes_down ?? ''
    await until(() => sessionOf(leaves), Boolean)

    const second = await openNode({ config: readConfig(env), ...foyer.database, webRoot: null, tenancy: patient })
    try {
      const path = `${new URL(url).pathname}/logout`
      await second.guest?.inject({ method: 'GET', url: path, headers: { cookie: leaves.cookie } })
    } finally {
      await second.close()
    }
    const left_with = await sessionOf(leaves)
    expect(left_with).toMatchObject({ termination_cause: 'User-Request' })
    // The first node has reported its guests twice since.
    await used(await used((await sessionOf(stays))?.bytes_down ?? '0'))
    expect(await sessionOf(leaves)).toEqual(left_with)
    await foyer.get(trials.endTrial, { property_id }, editor)
  })
})

test('a real guest comes first where one of a trial is in the way', async () => {
  const { editor, property_id, holders } = await house()
  await goOnline(await begin(editor, property_id), holders['room'] as Holder)
  const { rows } = await admin.query<{ customer_id: number; room_guest_id: number }>(
    'select customer_id, room_guest_id from guests where property_id = $1',
    [property_id],
  )
  const [guest] = rows
  if (!guest) throw new Error('the trial has a guest')
  await admin.query(
    `insert into guests (customer_id, property_id, room_guest_id, name) values ($1, $2, $3, 'The real one')
     on conflict (customer_id, room_guest_id) where room_guest_id is not null and deleted_at is null do update set name = 'taken over'`,
    [guest.customer_id, property_id, guest.room_guest_id],
  )
  const { rows: names } = await admin.query('select name, trial_id from guests where property_id = $1', [property_id])
  expect(names).toEqual([{ name: 'The real one', trial_id: null }])
  await foyer.get(trials.endTrial, { property_id }, editor)
})

test('a trial is over after its hour, and the next one begins anew', async () => {
  const { editor, property_id, holders } = await house()
  const first = await begin(editor, property_id)
  await goOnline(first, holders['voucher'] as Holder)
  const second = await begin(editor, property_id)
  expect(second).not.toBe(first)
  expectRefused(await answerOf(await fetch(first)), { ...refusals.notFound, message: 'This trial is over' })
  expect(await left()).toEqual({ gateways: 1 })
  await admin.query('update trials set ends_at = now() where property_id = $1', [property_id])
  expect(await trialOf(editor, property_id)).toMatchObject({ url: null, ends_at: null })
  expectRefused(await answerOf(await fetch(second)), { ...refusals.notFound, message: 'This trial is over' })
  await foyer.services.tenancy.callFunction(sql`select door_end_trials()`)
  expect(endTrialsJob.cron).toBe('* * * * *')
  expect(await left()).toEqual({})
})

test('nobody registers a trial, and none stands among the gateways', async () => {
  const { editor, property_id } = await house()
  await begin(editor, property_id)
  const { data } = await foyer.get(gateways.list, { params: { property_id } }, editor)
  expect(data.map(({ gateway_type }) => gateway_type?.id)).toEqual([13])
  const refused = await foyer.ask(gateways.create, { property_id, gateway_type_id: 1000 }, editor)
  expectRefused(refused, invalid({ gateway_type_id: [selectedInvalid('gateway_type_id')] }))
  await foyer.get(trials.endTrial, { property_id }, editor)
})

/** Whichever table comes later is left out of trials, unless it keeps their marks. */
test('every table of customers either bears the mark of trials or keeps nothing of them', async () => {
  const { rows } = await admin.query<{ name: string }>(`
    select p.tablename as name from pg_policies p where p.policyname = 'app_sees_its_customer' and (
      exists (select from pg_policies q where q.tablename = p.tablename and q.policyname = 'trials_stand_apart')
        <> exists (select from pg_trigger t where t.tgrelid = p.tablename::regclass and t.tgname = 'trials_change_their_own')
      or exists (select from pg_trigger t where t.tgrelid = p.tablename::regclass and t.tgname = 'trials_change_nothing')
        = exists (select from pg_policies q where q.tablename = p.tablename and q.policyname = 'trials_stand_apart'))`)
  expect(rows).toEqual([])
})

/** Which the owner's functions search by an index, and say themselves that trials are left out. */
const openToOwner = async () =>
  (
    await admin.query<{ name: string }>(
      `select tablename as name from pg_policies where policyname = 'trials_stand_apart' and roles = '{foyer_app}'`,
    )
  ).rows.map(({ name }) => name)

test('neither the app nor the owner sees the mark of another trial', async () => {
  const { editor, property_id, holders } = await house()
  await goOnline(await begin(editor, property_id), holders['email'] as Holder)
  const seenBy = { [foyer.database.ownerUrl]: await openToOwner(), [foyer.database.appUrl]: [] }
  for (const [url, seen] of Object.entries<string[]>(seenBy)) {
    const client = await connect(url)
    await client.query(`set app.customer_id = '${editor.user.customer.id}'`)
    for (const name of (await marked()).filter((marked_table) => !seen.includes(marked_table))) {
      const { rows } = await client.query(`select from ${name} where trial_id is not null limit 1`)
      expect(rows, name).toEqual([])
    }
    await client.end()
  }
  await foyer.get(trials.endTrial, { property_id }, editor)
})
