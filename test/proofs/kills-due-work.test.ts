// Kills of due work: each kind is done by a node that dies at each of its steps, and then by another one: what is declared to be done
// once is done once, what may be repeated is repeated under the same id, and nothing is left waiting.
//
// A step is what can be seen from outside the process: a transaction, a call, a mail. A transaction is there or not when the process
// ends, which the other proofs of kills show with a real SIGKILL; so the node that dies is one whose steps never end from that
// step on, or whose answer is lost.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as connections from '#contract/connections.ts'
import * as exportable from '#contract/reports.ts'
import * as guests from '#contract/guests.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { authMethods } from '#contract/portals.ts'
import * as users from '#contract/users.ts'
import { addDays } from '#contract/days.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { dueWorks, type DueNeeds } from '#server/apps/due-work.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { attempt, take, type Taken } from '#server/due/attempt.ts'
import { doubling, dueKind, queueDue, type DueWork } from '#server/due/due-work.ts'
import { openRunner } from '#server/due/runner.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { simulation } from '#server/gateways/unifi/simulation.ts'
import { receiveUpdates } from '#server/property-systems/receive-updates.ts'
import { interfaceOf } from '#server/property-systems/interfaces.ts'
import { setClock } from '#server/time/clock.ts'
import { noLog } from '#server/watch/log.ts'
import { aMacAddress, openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { keyOf, openMailchimp, type Mailchimp } from '#test/providers/mailchimp.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { openXero, type Xero } from '#test/providers/xero.ts'

/** Kinds whose real process is killed at each statement by another proof. */
const killed_elsewhere: Record<string, string> = {
  draft: 'kills-push',
  webhook: 'kills-steps',
  property_message: 'kills-synchronisations',
  property_file: 'kills-synchronisations',
  property_asking: 'kills-synchronisations',
}

interface Queued {
  about_id: number
  /** How often it was done over there, by the id under which that side knows it. */
  done: () => number | Promise<number>
}
/** What a kind is queued with here. */
type Prepare = () => Promise<Queued>

let foyer: TestFoyer
let editor: Person
let xero: Xero
let mailchimp: Mailchimp
let pigeons: Awaited<ReturnType<typeof openPigeons>>
/** What left, by its kind and id. */
const left: string[] = []
const countOf = (what: string) => left.filter((one) => one === what).length
const letIn: string[] = []

beforeAll(async () => {
  ;[xero, mailchimp, pigeons] = await Promise.all([openXero(), openMailchimp(), openPigeons()])
  foyer = await openFoyer({ env: { ...xero.env, ...mailchimp.env, ROLES: 'api,guest', REPORT_ROWS_AT_ONCE: '0' } })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  editor = await foyer.customer()
})
afterAll(async () => {
  setClock()
  await foyer?.close()
  await xero?.close()
  await mailchimp?.close()
  await pigeons?.close()
})

const customer = () => editor.user.customer.id
const one = async <R extends object>(text: string, values: unknown[] = []): Promise<R> => {
  const [row] = await foyer.query<R>(text, values)
  if (!row) throw new Error(`there is none: ${text}`)
  return row
}
const newest = async (kind: string) =>
  (
    await one<{ id: number }>('select about_id::integer as id from due_work where kind = $1 order by id desc limit 1', [
      kind,
    ])
  ).id
const needs = () =>
  ({
    ...foyer.services,
    config: { report_files_kept_ms: 3_600_000 },
    mailer: { deliver: ({ id }: { id: number | string }) => Promise.resolve(void left.push(`mail ${id}`)) },
    texter: { deliver: ({ id }: { id: number }) => Promise.resolve(void left.push(`text ${id}`)) },
    controllers: {
      open: () => ({
        isIn: ({ mac_address }: { mac_address: string }) => Promise.resolve(letIn.includes(mac_address)),
        letIn: ({ mac_address }: { mac_address: string }) => Promise.resolve(void letIn.push(mac_address)),
        counted: () =>
          Promise.resolve(letIn.map((mac_address) => ({ mac_address, is_in: true, bytes_up: 1000, bytes_down: 2000 }))),
        accessPoints: () => Promise.resolve([]),
      }),
    },
  }) as unknown as DueNeeds

/** A guest who has pressed on the portal of a gateway that is called. */
async function aGuestToLetIn() {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 1 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const mac_address = aMacAddress()
  const settings = { controller_url: 'https://controller.example' }
  const own = { gateway_type_id: 4, username: 'foyer', password: 'a controller', settings }
  const gateway = await foyer.gateway(editor, { property_id, mac_address, ...own })
  const guest = aMacAddress()
  const { query } = simulation.redirect({ gateway: { ...gateway, mac_address }, mac_address: guest, portal_url: url })
  const answer = await foyer.guest?.inject({
    method: 'POST',
    url: `${new URL(url).pathname}${query}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `method=${authMethods.free}`,
  })
  expect(answer?.statusCode).toBeLessThan(400)
  return { guest, gateway_id: gateway.id, about_id: await newest('guest_grant') }
}

let hotel: { interface_id: number; stays: number } | undefined
/** A guest of a property's system who has left, after a grace. */
async function aDeparture(): Promise<Queued> {
  if (!hotel) {
    const property = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik' })
    await foyer.rooms(
      editor,
      property.id,
      Array.from({ length: 40 }, (_, at) => `${100 + at}`),
    )
    const made = await foyer.propertyInterface(editor, {
      property_interface_type_id: 5,
      owner_type: 'Property',
      owner_id: property.id,
      settings: { signing_secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, grace_minutes: 60 },
    })
    hotel = { interface_id: made.id, stays: 0 }
  }
  const { interface_id } = hotel
  const stay_key = `stay ${++hotel.stays}`
  const room = `${99 + hotel.stays}`
  const today = new Date().toISOString().slice(0, 10)
  const guest = { last_name: 'Hart', first_name: null, email: null, mobile_number: null }
  const fields = { room, guests: [guest], arrives_on: today, departs_on: addDays(today, 3) }
  const at = Date.now() - 60_000
  await foyer.services.tenancy.enter(callerOfJob(customer(), 'test'), 'write', async (scope) => {
    const of = await interfaceOf(scope, interface_id)
    if (!of) throw new Error('there is one')
    await receiveUpdates(scope, foyer.services.queue, of, [
      { kind: 'stay', stay_key, at: new Date(at), fields, is_complete: true },
      { kind: 'ended', stay_key, at: new Date(at + 1000) },
    ])
  })
  await foyer.query('update told_stays set leaves_at = now() where leaves_at is not null', [])
  const gone = () =>
    one<{ gone: number }>(
      'select count(*)::integer as gone from room_guests where room_number = $1 and deleted_at is not null and customer_id = $2',
      [room, customer()],
    )
  return { about_id: await newest('departure'), done: async () => (await gone()).gone }
}

const none: Prepare = () => Promise.reject(new Error('nothing is prepared for it'))
/** A connection is of another customer each time, to an organisation or audience of its own. */
const prepares: Record<string, Prepare> = {
  mail: async () => {
    await foyer.query('delete from rate_limits', [])
    await foyer.ask(users.invite, { name: 'Bea', email: `${unique('bea').replaceAll(' ', '')}@example.com` }, editor)
    const about_id = await newest('mail')
    const { key } = await one<{ key: string }>('select id::text as key from outbox_mails where id = $1', [about_id])
    return { about_id, done: () => left.filter((what) => what.startsWith('mail') && what.includes(key)).length }
  },
  text_message: async () => {
    const { id } = await one<{ id: number }>(
      `insert into outbox_texts (customer_id, mobile_number, text, kind) values ($1, $2, 'Your code', 'guest_code') returning id::integer`,
      [customer(), `+4915${Math.floor(Math.random() * 1e8)}`],
    )
    return { about_id: id, done: () => countOf(`text ${id}`) }
  },
  report_file: async () => {
    const { id: property_id } = await foyer.property(editor)
    const gateway = await foyer.gateway(editor, { property_id })
    await foyer.query(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
       values ($1, $2, $3, $4, 'one', now(), now())`,
      [customer(), gateway.id, property_id, `${gateway.id} one`],
    )
    const { status } = await foyer.ask(exportable.exportFile, { date_range: 'today', format: 'csv' }, editor)
    expect(status).toBe(202)
    const about_id = await newest('report_file')
    return {
      about_id,
      done: async () =>
        (
          await one<{ done: number }>(
            `select count(*)::integer as done from report_runs where id = $1 and outcome = 'done' and file_id is not null`,
            [about_id],
          )
        ).done,
    }
  },
  accounting_connection: async () => {
    editor = await foyer.customer()
    await foyer.query('delete from rate_limits', [])
    xero.organisations.splice(0, Infinity, xero.anOrganisation(unique('Maple')))
    const organisation = xero.organisations[0]
    organisation?.contacts.push({
      ContactID: crypto.randomUUID(),
      Name: 'Payer',
      ContactStatus: 'ACTIVE',
      at: new Date(),
    })
    const { url } = (await foyer.get(accounting.authorize, {}, editor)).data
    const { id } = (await foyer.get(accounting.create, await xero.consent(url), editor)).data
    await foyer.query('update integration_tokens set expires_at = now()', [])
    const contacts = () => foyer.query('select from accounting_contacts where accounting_integration_id = $1', [id])
    return { about_id: id, done: async () => (await contacts()).length }
  },
  marketing_connection: async () => {
    editor = await foyer.customer()
    await foyer.query('delete from rate_limits', [])
    mailchimp.audiences.splice(0, Infinity, mailchimp.anAudience('Hotel guests'))
    const { url } = (await foyer.get(marketing.authorize, {}, editor)).data
    const { id } = (await foyer.get(marketing.create, await mailchimp.consent(url), editor)).data
    const { id: property_id } = await foyer.property(editor)
    await foyer.query(
      `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
         values ($1, $2, 'ada@example.com', 'Ada', now()) returning id)
       insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method)
         select $1, id, $2, 'marketing_email', 'Write to me', 'checkbox' from guest`,
      [customer(), property_id],
    )
    const audience = mailchimp.audiences[0]
    return {
      about_id: id,
      done: () => Number(audience?.members.get(keyOf('ada@example.com'))?.status === 'subscribed'),
    }
  },
  audience_erasure: async () => {
    const { about_id: id } = await (prepares['marketing_connection'] ?? none)()
    await untilSettled(workOf('marketing_connection'), id)
    const key = keyOf('ada@example.com')
    expect(mailchimp.audiences[0]?.members.has(key)).toBe(true)
    const { guest_id } = await one<{ guest_id: number }>(
      'select guest_id::integer from marketing_members where marketing_integration_id = $1',
      [id],
    )
    const before = mailchimp.requestsTo(/delete-permanent/).length
    await foyer.get(guests.erase, { ids: [guest_id] }, editor)
    return {
      about_id: await newest('audience_erasure'),
      done: () => mailchimp.requestsTo(/delete-permanent/).length - before,
    }
  },
  connection: async () => {
    editor = await foyer.customer()
    const { id } = (await foyer.get(connections.create, pigeons.asked, editor)).data
    // The day on which it was connected is no round.
    await foyer.query('update connections set synced_at = null where id = $1', [id])
    const rounds = () => foyer.query('select from connections where id = $1 and synced_at is not null', [id])
    return { about_id: id, done: async () => (await rounds()).length }
  },
  departure: aDeparture,
  guest_grant: async () => {
    const { guest, about_id } = await aGuestToLetIn()
    return { about_id, done: () => letIn.filter((mac) => mac === guest).length }
  },
  controller_count: async () => {
    const { about_id: grant, gateway_id } = await aGuestToLetIn()
    await untilSettled(workOf('guest_grant'), grant)
    return {
      about_id: gateway_id,
      done: async () =>
        (
          await one<{ bytes: number }>(
            'select coalesce(max(bytes_up), 0)::integer as bytes from radius_sessions where gateway_id = $1',
            [gateway_id],
          )
        ).bytes / 1000,
    }
  },
}

function workOf(kind: string): DueWork<DueNeeds> {
  const work = dueWorks.find((other) => other.kind.name === kind)
  if (!work) throw new Error(`there is no ${kind}`)
  return work
}
async function held(work: DueWork<DueNeeds>, about_id: number): Promise<Taken | undefined> {
  const [taken] = await take(foyer.services.tenancy, work, { customer_id: customer(), rows_max: 1, of: { about_id } })
  return taken
}
/** What is left of it is done by nodes that live, each in its turn. */
async function untilSettled(work: DueWork<DueNeeds>, about_id: number) {
  for (let turn = 0; turn < 5; turn++) {
    const taken = await held(work, about_id)
    if (!taken) return
    const result = await attempt(foyer.services.tenancy, noLog, work, needs(), taken)
    if (result === 'done') return
    expect(result).toBe('waits')
    // What a report's run or an audience waits for when its node falls silent.
    await foyer.query(
      "update report_runs set touched_at = touched_at - interval '1 hour' where outcome = 'running'",
      [],
    )
  }
  throw new Error(`${work.kind.name} is not settled`)
}

const never = new Promise<never>(() => {})
/** What a node does, until a step from which on nothing of it ends: the one before which it dies, or of which it never learns the end. */
function dyingAt(step: number) {
  let steps = 0
  const died = Promise.withResolvers<'died'>()
  const moment = () => {
    if (++steps < step) return false
    died.resolve('died')
    return true
  }
  const counted =
    <Args extends unknown[], R>(does: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> => {
      if (moment()) return never
      const result = await does(...args)
      return moment() ? never : result
    }
  const whole = needs()
  const { tenancy, storage, mailer, texter, controllers } = whole
  const mortal = {
    ...whole,
    tenancy: { ...tenancy, enter: counted(tenancy.enter), callFunction: counted(tenancy.callFunction) },
    storage: { ...storage, putStream: counted(storage.putStream.bind(storage)) },
    mailer: { deliver: counted(mailer.deliver) },
    texter: { deliver: counted(texter.deliver) },
    controllers: {
      open: (registration: Parameters<typeof controllers.open>[0]) => {
        const opened = controllers.open(registration)
        return { ...opened, isIn: counted(opened.isIn), letIn: counted(opened.letIn), counted: counted(opened.counted) }
      },
    },
  }
  return { mortal, died: died.promise }
}

test('each kind of due work is killed at its steps, here or by a proof that is named', () => {
  const kinds = dueWorks.map(({ kind }) => kind.name)
  expect([...Object.keys(prepares), ...Object.keys(killed_elsewhere)].toSorted()).toEqual(kinds.toSorted())
})

test.each(Object.keys(prepares))(
  '%s, whose node dies at any step, is done as it is declared, and waits for nobody afterwards',
  { timeout: 600_000 },
  async (kind) => {
    const work = workOf(kind)
    let step = 1
    for (let isKilled = true; isKilled; step++) {
      const { about_id, done } = await (prepares[kind] ?? none)()
      await foyer.query(
        'insert into due_work (customer_id, kind, about_id) values ($1, $2, $3) on conflict do nothing',
        [customer(), kind, about_id],
      )
      const taken = await held(work, about_id)
      if (!taken) throw new Error(`${kind} could not be taken`)
      const { mortal, died } = dyingAt(step)
      const ended = await Promise.race([attempt(mortal.tenancy, noLog, work, mortal, taken), died])
      isKilled = ended === 'died'
      const where = `${kind}, step ${step}`
      // Nobody else has it before the node was silent for its lease.
      const [row] = await foyer.query<{ state: string; is_unsure: boolean }>(
        'select state, is_unsure from due_work where kind = $1 and about_id = $2 and customer_id = $3',
        [kind, about_id, customer()],
      )
      if (isKilled && row?.state === 'trying') expect(row.is_unsure, where).toBe(work.promise === 'once')
      await foyer.query(`update due_work set next_at = now() where state = 'trying'`, [])
      await foyer.query(`update integration_tokens set renewing_until = null`, [])
      await foyer.query('update marketing_members set due_at = null where due_at is not null', [])
      if (row?.state === 'trying') await untilSettled(work, about_id)
      const times = await done()
      expect(times, where).toBeGreaterThanOrEqual(1)
      if (work.promise === 'once') expect(times, where).toBe(1)
      else expect(times, where).toBeLessThanOrEqual(2)
      const open = await foyer.query(
        `select state, last_error from due_work where kind = $1 and about_id = $2 and customer_id = $3
           and (state <> 'waiting' or last_error is not null)`,
        [kind, about_id, customer()],
      )
      expect(open, where).toEqual([])
    }
    expect(step).toBeGreaterThan(2)
  },
)

let serial = 0
const aKind = (does: (customer_id: number) => void): DueWork<object> => ({
  kind: dueKind(`crowd_${++serial}`),
  about: () => sql`''`,
  promise: 'repeated',
  at_once: 8,
  of_one_customer: 2,
  tries_max: 3,
  wait_s: doubling(60),
  run: (_, { caller }) => Promise.resolve(does(caller.customer_id)),
})
const queue = (kind: DueWork<object>, customer_id: number, about_id: number) =>
  foyer.services.tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
    queueDue(scope, { send: () => Promise.resolve() }, kind.kind, [{ about_id }]),
  )

test(
  'with 100,000 due of one customer another one’s waits no longer than alone and two seconds',
  { timeout: 600_000 },
  async ({ task }) => {
    const [many, other] = [await foyer.customer(), await foyer.customer()]
    const [crowd, few] = [many.user.customer.id, other.user.customer.id]
    let seen = Promise.withResolvers<void>()
    let crowded = 0
    const kind = aKind((customer_id) => (customer_id === few ? seen.resolve() : void crowded++))
    const node = openRunner({ tenancy: foyer.services.tenancy, log: noLog, ran: () => {} }, [kind], {})
    const waited = async (about_id: number) => {
      seen = Promise.withResolvers<void>()
      const began_at = performance.now()
      await queue(kind, few, about_id)
      node.wake(kind.kind.name)
      await seen.promise
      return performance.now() - began_at
    }
    const alone = Math.max(await waited(1), await waited(2), await waited(3))
    await foyer.query(
      'insert into due_work (customer_id, kind, about_id) select $1, $2, n from generate_series(1, 100000) as n',
      [crowd, kind.kind.name],
    )
    node.wake(kind.kind.name)
    await expect.poll(() => crowded, { timeout: 60_000 }).toBeGreaterThan(20)
    const beside: number[] = []
    for (let about_id = 10; about_id < 20; about_id++) beside.push(await waited(about_id))
    const longest = Math.max(...beside)
    const left_over = await one<{ left: number }>('select count(*)::integer as left from due_work where kind = $1', [
      kind.kind.name,
    ])
    await node.stop()
    await foyer.query('delete from due_work where kind = $1', [kind.kind.name])
    expect(left_over.left).toBeGreaterThan(10_000)
    expect(longest).toBeLessThan(alone + 2000)
    task.meta.figures = `alone at most ${alone.toFixed(0)} ms, beside ${left_over.left} of another at most ${longest.toFixed(0)} ms`
  },
)

// What is due is decided by the database's own clock. The one that is moved is this process's, for both runners. That two nodes, each with
// connections of its own, do each piece once is shown by test/two-nodes-work.test.ts.
test(
  'two runners do each piece once and none before its time, whether their clock is a day ahead or behind',
  { timeout: 120_000 },
  async () => {
    const who = (await foyer.customer()).user.customer.id
    let done = 0
    const kind = aKind(() => void done++)
    const nodes = [1, 2].map(() =>
      openRunner({ tenancy: foyer.services.tenancy, log: noLog, ran: () => {} }, [kind], {}),
    )
    await foyer.query(
      `insert into due_work (customer_id, kind, about_id, next_at)
     select $1, $2, n, now() + case when n > 50 then interval '1 hour' else interval '0' end from generate_series(1, 100) as n`,
      [who, kind.kind.name],
    )
    for (const days of [1, -1]) {
      setClock(Date.now() + days * 86_400_000)
      for (const node of nodes) node.wake(kind.kind.name)
      await expect.poll(() => done, { timeout: 60_000 }).toBe(50)
    }
    setClock()
    // Its row goes in the transaction that follows what is done.
    const waiting = async () => (await foyer.query('select from due_work where kind = $1', [kind.kind.name])).length
    await expect.poll(waiting, { timeout: 60_000 }).toBe(50)
    expect(done).toBe(50)
    await Promise.all(nodes.map((node) => node.stop()))
  },
)
