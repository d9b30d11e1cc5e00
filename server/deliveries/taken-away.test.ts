// Taken away: whatever is taken away between the asking and the going, nothing of it leaves by any channel. Each kind of message is
// asked for as people ask for it; a kind that nobody asks for says so, and a new kind does not compile without a word here.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import * as accounts from '#contract/accounts.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as guestHelp from '#contract/guest-help.ts'
import * as properties from '#contract/properties.ts'
import { messageKinds, type MessageKind, type UndeliveredRow } from '#contract/undelivered.ts'
import * as users from '#contract/users.ts'
import * as batches from '#contract/voucher-batches.ts'
import { mailWork, openMailer } from '#server/deliveries/mails.ts'
import { openTexter } from '#server/deliveries/texter.ts'
import { textWork } from '#server/deliveries/texts.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'

const received: TakenMail[] = []
let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
beforeAll(async () => {
  mail_server = await openMailServer((mail) => void received.push(mail))
  // Without the role of jobs: the test itself lets go what waits.
  foyer = await openFoyer({ env: { ROLES: 'api,guest', MAIL_FROM: 'Foyer <wifi@foyer.example>' } })
})
afterAll(async () => {
  await foyer?.close()
  await mail_server?.close()
})

// Each test has its own customer, and more sign up here than one address is allowed.
beforeEach(() => foyer.query('delete from rate_limits', []))

interface World {
  /** Who stays. */
  chief: Person
  /** Who asks, by themselves or by a key. */
  asker: Person
  key: { id: number; program: Asker }
  property_id: number
}
interface Waiting {
  /** The address or number that it goes to. */
  to: string
  /** Takes away what it is about. */
  remove?: () => Promise<unknown>
}
type Asking = (world: World, who: Asker) => Promise<Waiting>

let serial = 0
const anAddress = () => `reader${++serial}@readers.example`
const aNumber = () => `+44770090${String(1000 + ++serial).slice(-4)}`
const anAccount = async (who: Asker, { property_id }: Pick<World, 'property_id'>, values: object = {}) =>
  (
    await foyer.get(
      accounts.create,
      { name: unique('Guest'), property_id, username: unique('guest'), password: 'quiet-harbour', ...values },
      who,
    )
  ).data

/** How each kind comes to wait. Null: nobody asks for it (a guest or the product does), or another test asks it of every taking. */
const kinds: Record<MessageKind, Asking | null> = {
  async invitation({ chief, property_id }, who) {
    const to = anAddress()
    const place = { owner_type: 'Property', owner_id: property_id } as const
    const { data } = await foyer.get(users.invite, { email: to, name: 'Reader', user_type_id: viewer, ...place }, who)
    return { to, remove: () => foyer.get(users.remove, { id: data.id }, chief) }
  },
  async guest_sign_in(world, who) {
    const { id } = await anAccount(world.chief, world)
    const to = anAddress()
    await foyer.get(accounts.sendSignIn, { id, email: to }, who)
    return { to, remove: () => foyer.get(accounts.deactivate, { ids: [id] }, world.chief) }
  },
  async voucher_codes({ chief, property_id }, who) {
    const { id: package_id } = await foyer.package(chief)
    const { id } = await foyer.voucherBatch(chief, { property_id, package_id, quantity: 2 })
    const to = anAddress()
    await foyer.get(batches.sendCodes, { id, email: to }, who)
    return { to, remove: () => foyer.get(batches.deactivate, { ids: [id] }, chief) }
  },
  async how_to_sign_in(world, who) {
    const { id } = await anAccount(world.chief, world)
    const to = anAddress()
    await foyer.get(guestHelp.send, { kind: 'account', id, email: to }, who)
    return { to }
  },
  // server/reports/owners.test.ts: its schedules and receivers can be taken away, too.
  report: null,
  schedule_notice: null,
  receiver_question: null,
  guest_code: null,
  password_reset: null,
  address_confirmation: null,
  sign_in_notice: null,
  other: null,
}

interface Channel {
  asking: Partial<Record<MessageKind, Asking>>
  /** Lets go all that waits; returns to whom it went. */
  letGo: () => Promise<string[]>
}
const asked = Object.entries(kinds).flatMap(([kind, asking]) =>
  asking ? [[kind as MessageKind, asking] as const] : [],
)
const channels: Record<z.output<typeof UndeliveredRow>['channel'], Channel> = {
  mail: {
    asking: Object.fromEntries(asked),
    async letGo() {
      const mailer = openMailer({
        smtp_url: mail_server.url,
        mail_from: 'wifi@foyer.example',
        outbox_dir: foyer.storage,
      })
      const open = await foyer.query<{ customer_id: number; mail_id: string }>(
        `select customer_id, id as mail_id from outbox_mails where sent_at is null and failed_at is null and held_at is null order by id`,
        [],
      )
      for (const { customer_id, mail_id } of open)
        await tryDue(mailWork, { ...foyer.services, mailer }, { customer_id, about_id: Number(mail_id) })
      return received.flatMap(({ to }) => to)
    },
  },
  text: {
    asking: {
      // The property texts its guests when their account is made.
      async guest_sign_in(world, who) {
        const mobile_number = aNumber()
        const { id } = await anAccount(who, world, { mobile_number })
        return { to: mobile_number, remove: () => foyer.get(accounts.deactivate, { ids: [id] }, world.chief) }
      },
    },
    async letGo() {
      const outbox_dir = path.join(foyer.storage, 'texts')
      const texter = openTexter({ sms_url: null, sms_token: null, outbox_dir }, foyer.services.safeFetch)
      const open = await foyer.query<{ customer_id: number; text_id: string }>(
        `select customer_id, id as text_id from outbox_texts where sent_at is null and failed_at is null order by id`,
        [],
      )
      for (const { customer_id, text_id } of open)
        await tryDue(textWork, { ...foyer.services, texter }, { customer_id, about_id: Number(text_id) })
      const files = fs.readdirSync(outbox_dir)
      return files.map((file) => /^To: (\S+)/.exec(fs.readFileSync(path.join(outbox_dir, file), 'utf8'))?.[1] ?? '')
    },
  },
}

interface Taking {
  by: 'asker' | 'key'
  take: (world: World, waiting: Waiting) => Promise<unknown>
}
const disabled = ({ chief, asker }: World) => foyer.get(users.deactivate, { ids: [asker.user.id] }, chief)
const takings: Record<string, Taking> = {
  'the user, disabled': { by: 'asker', take: disabled },
  'the user, deleted': {
    by: 'asker',
    take: ({ chief, asker }) => foyer.get(users.remove, { id: asker.user.id }, chief),
  },
  'the right': {
    by: 'asker',
    take: ({ chief, asker }) => foyer.get(users.update, { id: asker.user.id, user_type_id: viewer }, chief),
  },
  'the user of the key': { by: 'key', take: disabled },
  'the key, deleted': { by: 'key', take: ({ asker, key }) => foyer.get(apiKeys.removeOfUser, { id: key.id }, asker) },
  'the key, run out': {
    by: 'key',
    take: ({ key }) => foyer.query('update api_keys set expires_at = now() where id = $1', [key.id]),
  },
  'the property': {
    by: 'asker',
    take: ({ chief, property_id }) => foyer.get(properties.remove, { id: property_id }, chief),
  },
  'what it is about': { by: 'asker', take: (_, { remove }) => remove?.() ?? Promise.resolve() },
}
const viewer = 1
/** Keys reach no users. */
const notByKeys: readonly MessageKind[] = ['invitation']

async function aWorld(): Promise<World & { spared_id: number }> {
  const chief = await foyer.customer()
  const asker = await foyer.invited(chief)
  const [country] = await foyer.query<{ id: number }>(`select id from countries where code = 'GB'`, [])
  const place = async () => (await foyer.property(chief, { send_sms: true, country_id: country?.id ?? 0 })).id
  return { chief, asker, key: await foyer.apiKey(asker), property_id: await place(), spared_id: await place() }
}

const tried = Object.entries(channels).flatMap(([channel, { asking, letGo }]) =>
  Object.entries(asking).flatMap(([kind, ask]) =>
    Object.entries(takings)
      .filter(([, { by }]) => by === 'asker' || !notByKeys.includes(kind as MessageKind))
      .map(([what, taking]) => ({ channel, kind: kind as MessageKind, what, taking, ask, letGo })),
  ),
)

test.each(tried)('take away $what, and no $kind leaves by $channel', async ({ kind, what, taking, ask, letGo }) => {
  const world = await aWorld()
  const waiting = await ask(world, taking.by === 'key' ? world.key.program : world.asker)
  const spared = await ask({ ...world, property_id: world.spared_id }, world.chief)
  if (what === 'what it is about' && !waiting.remove) return expect(ofNothing).toContain(kind)
  await taking.take(world, waiting)
  const to = await letGo()
  expect(to.filter((one) => one === waiting.to)).toEqual([])
  expect(to.filter((one) => one === spared.to)).toHaveLength(1)
})
/** It is about whoever stands at the desk, of whom nothing may be kept. */
const ofNothing: readonly MessageKind[] = ['how_to_sign_in']

test('each kind of message is asked here, or by nobody', () => {
  expect(Object.keys(kinds).toSorted()).toEqual(Object.keys(messageKinds).toSorted())
  expect(tried.length).toBeGreaterThan(30)
})
