// Kinds of due work: what each is about in the proof that kills it at every step: how one piece is prepared, what has it done, and how
// often the other side has seen it done, by the id under which that side knows it.
import fs from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, vi } from 'vitest'
import * as accounting from '#contract/accounting-integrations.ts'
import * as guests from '#contract/guests.ts'
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import * as connections from '#contract/connections.ts'
import * as exportable from '#contract/reports.ts'
import * as marketing from '#contract/marketing-integrations.ts'
import { authMethods } from '#contract/portals.ts'
import * as users from '#contract/users.ts'
import * as webhooks from '#contract/webhooks.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { connect } from '#server/db/logins.ts'
import { dueKind, queueDue } from '#server/due/due-work.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import { gatewayTypes } from '#server/gateways/find-kind.ts'
import { pushReference } from '#server/integrations/push.ts'
import { openController, simulation } from '#server/gateways/unifi/simulation.ts'
import { aMacAddress, inDays, openFoyer, unique, type Person } from '#test/foyer.ts'
import { openHookReceiver } from '#test/hook-receiver.ts'
import { openMailServer } from '#test/mail-server.ts'
import { openApaleoServer } from '#test/providers/hotel-systems.ts'
import { keyOf, openMailchimp } from '#test/providers/mailchimp.ts'
import { openPigeons } from '#test/providers/pigeons.ts'
import { openProvider } from '#test/providers/provider-server.ts'
import { openXero } from '#test/providers/xero.ts'
import { aContact, terms, writeNights } from './billed-nights.ts'

export interface Piece {
  customer_id: number
  /** Given where it is queued, or done before, already. */
  about_id?: number
  /** Has it done. */
  begin(): Promise<unknown>
  /** Where it was done: an id for each time. */
  done(): readonly unknown[] | Promise<readonly unknown[]>
}

const patience = { timeout: 120_000 }
const signing_secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The other sides, and a Foyer whose people have work done and that does none. */
export async function openDueHouse() {
  const mails: { to: string; id: string }[] = []
  const [xero, mailchimp, pigeons, apaleo, hooks, controller, texts, mail_server] = await Promise.all([
    openXero(),
    openMailchimp(),
    openPigeons(),
    openApaleoServer(),
    openHookReceiver(),
    openController(),
    openProvider(() => ({ status: 200, body: {} })),
    openMailServer(({ to: [to = ''], text }) => {
      mails.push({ to, id: /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '' })
    }),
  ])
  const env = {
    ...xero.env,
    ...mailchimp.env,
    ...apaleo.env,
    SMTP_URL: mail_server.url,
    SMS_URL: texts.url,
    PUBLIC_URL: 'http://foyer.test',
  }
  const foyer = await openFoyer({ env: { ...env, ROLES: 'api,guest', REPORT_ROWS_AT_ONCE: '0' } })
  await keepLookup(foyer.database.ownerUrl, 'gateway_types', gatewayTypes())
  const admin = await connect(foyer.database.adminUrl)
  const editor = await foyer.customer()
  return {
    foyer,
    admin,
    env,
    editor,
    mails,
    xero,
    mailchimp,
    pigeons,
    apaleo,
    hooks,
    controller,
    texts,
    /** What several pieces share, made by the first. */
    shared: new Map<string, Promise<unknown>>(),
    async close() {
      await admin.end()
      await foyer.close()
      await Promise.all(
        [xero, mailchimp, pigeons, apaleo, hooks, controller, texts, mail_server].map((one) => one.close()),
      )
    },
  }
}
export type House = Awaited<ReturnType<typeof openDueHouse>>

const idOf = (who: Person) => who.user.customer.id
const once = <T>({ shared }: House, name: string, make: () => Promise<T>) => {
  const made = (shared.get(name) as Promise<T> | undefined) ?? make()
  shared.set(name, made)
  return made
}
const column = async ({ foyer }: House, text: string, values: unknown[]) =>
  (await foyer.query<{ id: unknown }>(text, values)).map(({ id }) => id)

/** Has a piece done that is known already, or whose turn has not come. */
const queueNow = ({ foyer: { services } }: House, kind: string, customer_id: number, about_id: number) =>
  services.tenancy.enter(callerOfJob(customer_id, 'test'), 'write', (scope) =>
    queueDue(scope, services.queue, dueKind(kind), [{ about_id, urgent: true }]),
  )
const isOpen = ({ foyer }: House, kind: string, about_id: number) =>
  foyer.query(
    `select from due_work where kind = $1 and about_id = $2 and (state = 'trying' or state = 'waiting' and next_at <= now())`,
    [kind, about_id],
  )
/** Several kinds are prepared at once, which `expect.poll` is not made for. */
const untilThereAre = (count: number, find: () => Promise<unknown[]> | unknown[]) =>
  vi.waitUntil(async () => (await find()).length === count, patience)
/** What was queued by what prepares a piece has been done. */
const untilIdle = (house: House, kind: string, about_id: number) =>
  untilThereAre(0, () => isOpen(house, kind, about_id))

/** A connection to the books, each of another customer. */
async function toTheBooks({ foyer, xero }: House) {
  const editor = await foyer.customer()
  const { url } = (await foyer.get(accounting.authorize, {}, editor)).data
  const { id } = (await foyer.get(accounting.create, await xero.consent(url), editor)).data
  return { editor, id }
}

/** Somebody who has agreed to be in an audience, at a customer's of their own, and is not there yet. */
async function aSubscriber(house: House) {
  const { foyer, mailchimp } = house
  const editor = await foyer.customer()
  const email = `${unique('ada').replaceAll(' ', '.')}@example.com`
  const { id: property_id } = await foyer.property(editor)
  const { url } = (await foyer.get(marketing.authorize, {}, editor)).data
  const { id: about_id } = (await foyer.get(marketing.create, await mailchimp.consent(url), editor)).data
  await untilIdle(house, 'marketing_connection', about_id)
  const [guest] = await foyer.query<{ id: number }>(
    `with guest as (insert into guests (customer_id, property_id, email, name, confirmed_at)
       values ($1, $2, $3, 'Ada', now()) returning id),
     consent as (insert into consent_records (customer_id, guest_id, property_id, purpose, wording, method)
       select $1, id, $2, 'marketing_email', 'Write to me', 'checkbox' from guest)
     select id::integer from guest`,
    [idOf(editor), property_id, email],
  )
  const member = () => mailchimp.audiences[0]?.members.get(keyOf(email))
  return { editor, customer_id: idOf(editor), about_id, guest_id: guest?.id ?? 0, email, member }
}

/** A guest who presses on the portal of a gateway that is called. */
async function aGuest({ foyer, editor, controller }: House) {
  const { id: portal_id, url } = await foyer.portal(editor, { auth_method_ids: [authMethods.free] })
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 1 })
  const { id: property_id } = await foyer.property(editor, { portal_id, package_id })
  const mac_address = aMacAddress()
  const settings = { controller_url: controller.url }
  const own = { gateway_type_id: 4, username: 'foyer', password: 'controller password', settings }
  const gateway = await foyer.gateway(editor, { property_id, mac_address, ...own })
  const guest = aMacAddress()
  const { query } = simulation.redirect({ gateway: { ...gateway, mac_address }, mac_address: guest, portal_url: url })
  const press = async () => {
    const answer = await foyer.guest?.inject({
      method: 'POST',
      url: `${new URL(url).pathname}${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `method=${authMethods.free}`,
    })
    expect(answer?.statusCode).toBeLessThan(400)
  }
  const letIn = () => Array.from({ length: controller.granted.get(guest) ?? 0 }, () => guest)
  return { press, guest, gateway_id: gateway.id, letIn }
}

/** A property whose system is linked to. */
async function aLinkedProperty({ foyer, editor }: House, rooms: number, link: object, property: object = {}) {
  const { id } = await foyer.property(editor, { time_zone: 'Atlantic/Reykjavik', ...property })
  await foyer.rooms(
    editor,
    id,
    Array.from({ length: rooms }, (_, at) => String(at + 1)),
  )
  const of = { owner_type: 'Property' as const, owner_id: id, ...link }
  return { property_id: id, link: await foyer.propertyInterface(editor, of) }
}
/** One whose system posts its stays, each to a room of its own. */
const aPostingProperty = (house: House) =>
  once(house, 'posting property', async () => {
    const settings = { signing_secret, grace_minutes: 60 }
    const made = await aLinkedProperty(house, 200, { property_interface_type_id: 5, settings })
    return { ...made, stays: 0 }
  })
async function post({ foyer }: House, { uuid }: { uuid: string }, type: string, data: object) {
  const [id, at] = [unique('msg'), new Date()]
  const payload = JSON.stringify({ type, occurred_at: at.toISOString(), data })
  const answer = await foyer.guest?.inject({
    method: 'POST',
    url: `/hooks/${uuid}`,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(signing_secret).sign(id, at, payload),
    },
    payload,
  })
  expect(answer?.statusCode).toBe(202)
}
/** Who is in house by a name. */
const inHouse = (house: House, property_id: number, last_name: string) =>
  column(house, 'select id from room_guests where property_id = $1 and last_name = $2 and deleted_at is null', [
    property_id,
    last_name,
  ])

/** Those first whose work, once its node is gone, waits longest. */
export const prepares: Record<string, (house: House) => Promise<Piece>> = {
  draft: async (house) => {
    const { foyer, admin, xero } = house
    const { editor } = await once(house, 'books', async () => {
      const books = await toTheBooks(house)
      await untilIdle(house, 'accounting_connection', books.id)
      await aContact(admin, xero)
      return books
    })
    const { id } = await foyer.property(editor, terms)
    const period = await writeNights(admin, id)
    const run = (await foyer.get(billing.createRun, { property_ids: [id], ...period }, editor)).data
    await foyer.get(billing.approveRun, { id: run.id }, editor)
    const keys = 'select idempotency_key as id from billing_invoices where billing_run_id = $1'
    return {
      customer_id: idOf(editor),
      begin: () => foyer.get(invoices.push, { id: run.id }, editor),
      async done() {
        const made = (await column(house, keys, [run.id])).map((key) => pushReference({ idempotency_key: String(key) }))
        return xero.books.drafts
          .filter(({ Reference = '' }) => made.includes(Reference))
          .map(({ Reference }) => Reference)
      },
    }
  },
  marketing_connection: async (house) => {
    const { about_id, customer_id, email, member } = await aSubscriber(house)
    return {
      customer_id,
      about_id,
      begin: () => queueNow(house, 'marketing_connection', customer_id, about_id),
      done: () => (member()?.status === 'subscribed' ? [email] : []),
    }
  },
  audience_erasure: async (house) => {
    const { foyer, mailchimp } = house
    const { about_id, customer_id, editor, guest_id, email, member } = await aSubscriber(house)
    await queueNow(house, 'marketing_connection', customer_id, about_id)
    await untilIdle(house, 'marketing_connection', about_id)
    expect(member()?.status).toBe('subscribed')
    const erased = `/members/${keyOf(email)}/actions/delete-permanent`
    return {
      customer_id,
      begin: () => foyer.get(guests.erase, { ids: [guest_id] }, editor),
      done: () => mailchimp.asked.map(({ path: asked }) => asked).filter((asked) => asked.endsWith(erased)),
    }
  },
  mail: async ({ foyer, editor, mails }) => {
    const email = `${unique('bea').replaceAll(' ', '.')}@example.com`
    return {
      customer_id: idOf(editor),
      begin: () => foyer.get(users.invite, { name: 'Bea', email }, editor),
      done: () => mails.filter(({ to }) => to === email).map(({ id }) => id),
    }
  },
  text_message: async (house) => {
    const customer_id = idOf(house.editor)
    const [id] = await house.foyer.query<{ id: number }>(
      `insert into outbox_texts (customer_id, mobile_number, text, kind) values ($1, '+491511234567', 'Your code', 'guest_code')
       returning id::integer`,
      [customer_id],
    )
    const about_id = id?.id ?? 0
    const its = `foyer-text-${about_id}`
    return {
      customer_id,
      about_id,
      begin: () => queueNow(house, 'text_message', customer_id, about_id),
      done: () => house.texts.asked.map(({ headers }) => headers['idempotency-key']).filter((key) => key === its),
    }
  },
  report_file: async (house) => {
    const { foyer, editor } = house
    await once(house, 'session', async () => {
      const { id: property_id } = await foyer.property(editor)
      const gateway = await foyer.gateway(editor, { property_id })
      await foyer.query(
        `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
         values ($1, $2, $3, 'one', 'one', now(), now())`,
        [idOf(editor), gateway.id, property_id],
      )
    })
    const name = unique('Sessions')
    const asked = { date_range: 'today', format: 'csv', name } as const
    return {
      customer_id: idOf(editor),
      async begin() {
        expect((await foyer.ask(exportable.exportFile, asked, editor)).status).toBe(202)
      },
      done: () => column(house, `select file_id as id from report_runs where name = $1 and outcome = 'done'`, [name]),
    }
  },
  accounting_connection: async (house) => {
    const { foyer, xero } = house
    const { editor, id } = await toTheBooks(house)
    await untilIdle(house, 'accounting_connection', id)
    await foyer.query('update integration_tokens set expires_at = now() where customer_id = $1', [idOf(editor)])
    const contact = { ContactID: crypto.randomUUID(), Name: unique('Payer'), ContactStatus: 'ACTIVE', at: new Date() }
    xero.organisations[0]?.contacts.push(contact)
    const found = 'select id from accounting_contacts where accounting_integration_id = $1 and external_id = $2'
    return {
      customer_id: idOf(editor),
      about_id: id,
      begin: () => queueNow(house, 'accounting_connection', idOf(editor), id),
      done: () => column(house, found, [id, contact.ContactID]),
    }
  },
  connection: async (house) => {
    const { foyer, pigeons } = house
    const editor = await foyer.customer()
    const { id } = (await foyer.get(connections.create, pigeons.asked, editor)).data
    await untilIdle(house, 'connection', id)
    // The day on which it was connected is no round.
    await foyer.query('update connections set synced_at = null where id = $1', [id])
    return {
      customer_id: idOf(editor),
      about_id: id,
      begin: () => queueNow(house, 'connection', idOf(editor), id),
      done: () => column(house, 'select id from connections where id = $1 and synced_at is not null', [id]),
    }
  },
  webhook: async (house) => {
    const { foyer, editor, hooks } = house
    await once(house, 'webhook', () =>
      foyer.get(webhooks.create, { url: `http://${hooks.host}/`, events: ['account.created'] }, editor),
    )
    const { id: property_id } = await foyer.property(editor)
    let account = 0
    return {
      customer_id: idOf(editor),
      begin: async () => ({ id: account } = await foyer.account(editor, { property_id })),
      done: () => hooks.received.filter(({ body }) => body.data.id === account).map(({ id }) => id),
    }
  },
  property_message: async (house) => {
    const hotel = await aPostingProperty(house)
    const [last_name, room] = [unique('Hart'), String(++hotel.stays)]
    return {
      customer_id: idOf(house.editor),
      begin: () => post(house, hotel.link, 'stay.changed', { stay_key: room, room, guests: [{ last_name }] }),
      done: () => inHouse(house, hotel.property_id, last_name),
    }
  },
  departure: async (house) => {
    const { foyer, editor } = house
    const hotel = await aPostingProperty(house)
    const [last_name, stay_key] = [unique('Weber'), String(++hotel.stays)]
    await post(house, hotel.link, 'stay.changed', { stay_key, room: stay_key, guests: [{ last_name }] })
    await untilThereAre(1, () => inHouse(house, hotel.property_id, last_name))
    await post(house, hotel.link, 'stay.ended', { stay_key })
    const leaving = `select id::integer from told_stays where stay_key = $1 and leaves_at is not null`
    await untilThereAre(1, () => column(house, leaving, [stay_key]))
    const about_id = Number((await column(house, leaving, [stay_key]))[0])
    const gone = 'select id from room_guests where property_id = $1 and last_name = $2 and deleted_at is not null'
    return {
      customer_id: idOf(editor),
      about_id,
      async begin() {
        await foyer.query('update told_stays set leaves_at = now() where id = $1', [about_id])
        await queueNow(house, 'departure', idOf(editor), about_id)
      },
      done: () => column(house, gone, [hotel.property_id, last_name]),
    }
  },
  property_file: async (house) => {
    const { foyer, editor } = house
    const { property_id, link } = await aLinkedProperty(house, 1, { property_interface_type_id: 6 })
    const last_name = unique('Lind')
    const inbox = path.join(foyer.data_dir, 'inbox', link.uuid)
    return {
      customer_id: idOf(editor),
      about_id: link.id,
      async begin() {
        fs.mkdirSync(inbox, { recursive: true })
        const head = 'Room;First name;Last name;Reservation;Arrival;Departure'
        fs.writeFileSync(path.join(inbox, 'house.csv'), `${head}\n1;Cy;${last_name};S-1;${inDays(0)};${inDays(3)}\n`)
        fs.writeFileSync(path.join(inbox, 'house.csv.done'), '')
        await queueNow(house, 'property_file', idOf(editor), link.id)
      },
      done: () => (fs.existsSync(path.join(inbox, 'house.csv')) ? [] : inHouse(house, property_id, last_name)),
    }
  },
  property_asking: async (house) => {
    const { editor, apaleo } = house
    const settings = { client_id: 'HOTEL-WIFI', client_secret: 's3cret' }
    const of = { property_interface_type_id: 4, settings }
    // A property of its own: whom the others have would be read with each piece.
    const code = unique('P')
    apaleo.system.others.add(code)
    const { property_id, link } = await aLinkedProperty(house, 1, of, { external_reference: code })
    await queueNow(house, 'property_asking', idOf(editor), link.id)
    await untilIdle(house, 'property_asking', link.id)
    const [key, last] = [unique('S'), unique('Ney')]
    return {
      customer_id: idOf(editor),
      about_id: link.id,
      async begin() {
        const guests = [{ first: 'Di', last }]
        apaleo.system.checkIn({ key, room: '1', guests, arrives: inDays(0), departs: inDays(3) }, code)
        await queueNow(house, 'property_asking', idOf(editor), link.id)
      },
      done: () => inHouse(house, property_id, last),
    }
  },
  guest_grant: async (house) => {
    const { press, letIn } = await aGuest(house)
    return { customer_id: idOf(house.editor), begin: press, done: letIn }
  },
  controller_count: async (house) => {
    const { press, guest, gateway_id, letIn } = await aGuest(house)
    await press()
    await untilThereAre(1, letIn)
    const granted = `select id from controller_grants where gateway_id = $1 and state = 'granted'`
    await untilThereAre(1, () => column(house, granted, [gateway_id]))
    const counted = 'select id from radius_sessions where gateway_id = $1 and bytes_up = 1000'
    return {
      customer_id: idOf(house.editor),
      about_id: gateway_id,
      async begin() {
        Object.assign(house.controller.guests.get(guest) ?? {}, { rx_bytes: 1000 })
        await queueNow(house, 'controller_count', idOf(house.editor), gateway_id)
      },
      done: () => column(house, counted, [gateway_id]),
    }
  },
}
