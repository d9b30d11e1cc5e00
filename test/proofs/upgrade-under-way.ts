// Upgrade, under way: work of each kind that a node has begun and not ended when another release takes its database over, the systems
// of others that it is for, and what has to have reached them in the end.
import type { Client } from 'pg'
import { vi } from 'vitest'
import { code } from '#server/radius-codec/dictionary.ts'
import { queues } from '#server/apps/jobs.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { pushReference } from '#server/integrations/push.ts'
import { aMacAddress, aProperty, password } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { keyOf, openMailchimp } from '#test/providers/mailchimp.ts'
import { openProvider } from '#test/providers/provider-server.ts'
import { openXero } from '#test/providers/xero.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'
import { aContact, terms, writeNights } from './billed-nights.ts'

const patience = { timeout: 150_000, interval: 100 }
const generic_radius = 13

/** The companies that a Foyer is connected to. Mails and texts are refused for the moment until `areBack`. */
export async function openOthers() {
  const [xero, mailchimp] = await Promise.all([openXero(), openMailchimp()])
  const mails: TakenMail[] = []
  const texts: string[] = []
  let isDown = true
  const smtp = await openMailServer((mail) => {
    if (isDown) throw Object.assign(new Error('Try again later'), { responseCode: 451 })
    mails.push(mail)
  })
  const sms = await openProvider(({ body }) => {
    if (isDown) return { status: 503 }
    texts.push((JSON.parse(body) as { to: string }).to)
    return { status: 200 }
  })
  return {
    xero,
    mailchimp,
    mails,
    texts,
    env: { ...xero.env, ...mailchimp.env, SMTP_URL: smtp.url, SMS_URL: `${sms.url}/`, ALLOWED_HOSTS: '127.0.0.1' },
    areBack() {
      isDown = false
      xero.goRight()
      mailchimp.goRight()
    },
    close: () => Promise.all([xero, mailchimp, smtp, sms].map((one) => one.close())),
  }
}
type Others = Awaited<ReturnType<typeof openOthers>>

export interface At {
  url: string
  ports: RadiusPorts
}
interface Context {
  admin: Client
  others: Others
  /** Of an editor of the customer. */
  token: string
}

export async function openUnderWay({ admin, others, token }: Context) {
  const { xero, mailchimp } = others
  /** What has to arrive, by where. */
  const expected = {
    runs: [] as number[],
    /** Of these no draft. */
    refused: [] as number[],
    mails: [] as string[],
    texts: [] as string[],
    files: [] as { reader: string; name: string }[],
    members: [] as string[],
  }
  const boxes: { gateway: TestGateway; account_id: number }[] = []
  let serial = 0
  // Otherwise messages to guests wait.
  await admin.query('update customers set confirmed_at = now()')

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'app-context': 'customer' }
  async function post<T = { id: number }>({ url }: At, call: string, body: object = {}): Promise<T> {
    const response = await fetch(`${url}/api/v1${call}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: T }).data
  }
  const isSo = async (condition: string, values: unknown[] = []) =>
    (await admin.query<{ so: boolean }>(`select (select ${condition}) as so`, values)).rows[0]?.so === true
  const becomes = (condition: string, values: unknown[] = []) => vi.waitUntil(() => isSo(condition, values), patience)

  const first = async (table: string) =>
    (await admin.query<{ id: number }>(`select id::float8 as id from ${table} order by id limit 1`)).rows[0]?.id ?? 0

  async function boxesOfEachType(at: At, property_id: number) {
    const answer = await fetch(`${at.url}/api/v1/gateway-types`, { headers })
    const { data } = (await answer.json()) as { data: { id: number }[] }
    for (const { id } of data) await post(at, '/gateways-create', { property_id, gateway_type_id: id })
    const days = { starts_on: '2027-03-01', ends_on: '2027-03-02' }
    await post(at, '/property-holidays-create', { property_id, name: 'Founder’s day', ...days })
  }

  /** A node synchronises it then; with an id it is given anew. */
  async function consentToAudience(at: At, again: { id?: number } = {}) {
    const { url } = await post<{ url: string }>(at, '/marketing-integrations-authorize', again)
    return post(at, '/marketing-integrations-create', await mailchimp.consent(url))
  }

  /** Connected by consent; contacts and audiences are read by the work of the node. */
  async function connect(at: At) {
    const accounts = await post<{ url: string }>(at, '/accounting-integrations-authorize')
    const books = await post(at, '/accounting-integrations-create', await xero.consent(accounts.url))
    await becomes('synced_at is not null from accounting_integrations where id = $1', [books.id])
    await aContact(admin, xero)
    const audience = await consentToAudience(at)
    const audience_id = mailchimp.audiences[0]?.id
    await post(at, '/marketing-integrations-update', { id: audience.id, audience_id })
    await becomes('changes_since is not null from marketing_integrations where id = $1', [audience.id])
    return audience.id
  }

  /** An approved run of three nights at a property of its own. */
  async function approved(at: At) {
    const { id } = await post(at, '/properties-create', { ...aProperty(), ...terms })
    const run = await post(at, '/billing-runs-create', { property_ids: [id], ...(await writeNights(admin, id)) })
    await post(at, '/billing-runs-approve', { id: run.id })
    return run.id
  }
  async function pushed(at: At, expects = expected.runs) {
    const id = await approved(at)
    await post(at, '/billing-runs-push', { id })
    expects.push(id)
    return id
  }
  const draftIs = (run: number, condition: string) =>
    becomes(`count(*) = 1 from billing_invoices where billing_run_id = $1 and ${condition}`, [run])

  /** Sent, refused, not known whether it was sent, and one whose answer is held: that one ends when its node does. */
  async function draftsOfEachState(at: At) {
    const made = /^(PUT|POST) .*\/Invoices$/
    await draftIs(await pushed(at), `state = 'sent'`)
    const errors = [{ ValidationErrors: [{ Message: 'The books are closed.' }] }]
    xero.goWrong({ at: made, act: { status: 400, body: { Type: 'ValidationException', Elements: errors } } })
    await draftIs(await pushed(at, expected.refused), `state = 'failed'`)
    xero.goWrong({ at: made, act: 'lose' }, { at: /^GET .*\/Invoices$/, act: { status: 503 }, times: 1000 })
    await draftIs(await pushed(at), `state = 'waiting' and is_unsure and claim is null and attempts > 0`)
    const held = xero.holds(made)
    await pushed(at)
    await held.asked
    return held
  }

  /** Guests who agreed to be told: sent, leaving because they withdrew or were erased, and not sent yet. */
  async function membersOfEachState(at: At, integration_id: number) {
    const { rows } = await admin.query<{ id: number; email: string }>(
      `update guests set email = 'guest-' || id || '@upgrade.example' where id in
         (select id from guests where deleted_at is null order by id limit 9) returning id::float8 as id, email`,
    )
    const [sent, withdrawn, erased, waiting] = [rows.slice(0, 3), rows.slice(3, 5), rows.slice(5, 6), rows.slice(6)]
    const ids = (some: typeof rows) => some.map(({ id }) => id)
    const agree = (some: typeof rows) =>
      admin.query(
        `insert into consent_records (customer_id, guest_id, purpose, wording, method)
         select customer_id, id, 'marketing_email', 'You may send me offers.', 'checkbox' from guests where id = any ($1)`,
        [ids(some)],
      )
    const are = (state: string, count: number) =>
      becomes('count(*) = $2 from marketing_members where state = $1', [state, count])
    await agree([...sent, ...withdrawn, ...erased])
    await consentToAudience(at, { id: integration_id })
    await are('sent', 6)
    mailchimp.goWrong({ at: /^(POST|PUT|DELETE) .*\/lists\//, act: { status: 503 }, times: 1000 })
    await agree(waiting)
    await admin.query(
      `update consent_records set withdrawn_at = now(), withdrawn_via = 'guest' where guest_id = any ($1)`,
      [ids(withdrawn)],
    )
    await post(at, '/guests-erase', { ids: ids(erased) })
    await consentToAudience(at, { id: integration_id })
    await are('waiting', waiting.length)
    await are('leaving', withdrawn.length + erased.length)
    // Whose address is not confirmed yet is asked by the provider.
    expected.members = [
      ...sent.map(() => 'pending'),
      ...withdrawn.map(() => 'archived'),
      ...erased.map(() => 'erased'),
      ...waiting.map(() => 'pending'),
    ]
    return rows.map((guest) => guest.email)
  }

  /** A mail, a text, and a report for its reader, who is a stranger unless they are given. */
  async function messages(at: At, reader = `reader-${serial}@upgrade.example`) {
    const n = ++serial
    const email = `colleague-${n}@upgrade.example`
    await post(at, '/users-invite', { email, name: `Colleague ${n}`, user_type_id: 1 })
    expected.mails.push(email)
    const { id: property_id } = await post(at, '/properties-create', { ...aProperty(), send_sms: true })
    const mobile_number = `+4477009000${String(n).padStart(2, '0')}`
    const account = { name: `Guest ${n}`, username: `told-${n}`, password, property_id }
    await post(at, '/accounts-create', { ...account, mobile_number })
    expected.texts.push(mobile_number)
    const report = { name: `Sessions ${n}`, property_ids: [property_id], recipients: [reader], frequency: 2 }
    const saved = await post(at, '/scheduled-reports-create', { ...report, start_date: '2030-01-01', format: 'csv' })
    await post(at, '/scheduled-reports-run', { id: saved.id })
    expected.files.push({ reader, name: report.name })
  }

  /** Somebody goes online at a gateway of their own, until their account ends. */
  async function goOnline(at: At) {
    const { id: property_id } = await post(at, '/properties-create', aProperty())
    const username = `online-${boxes.length}`
    const account = { name: 'Somebody online', username, password, property_id }
    const { id: account_id } = await post(at, '/accounts-create', account)
    const made = await post<{ id: number; nas_identifier: string; radius_secret: string }>(at, '/gateways-create', {
      property_id,
      gateway_type_id: generic_radius,
    })
    const gateway = await openGateway(at.ports, made)
    await post(at, '/gateways-update', { id: made.id, disconnect_port: gateway.port })
    const mac = aMacAddress()
    const answer = await gateway.access({ user_name: username, password, calling_station_id: mac })
    if (answer.code !== code.access_accept) throw new Error(`${username} was refused`)
    const session = { user_name: username, calling_station_id: mac, acct_session_id: `session of ${username}` }
    await gateway.report({ ...session, acct_status_type: 1, acct_session_time: 0 })
    boxes.push({ gateway, account_id })
  }
  /** The gateway of the last one has to be told. */
  const endOnline = (at: At) => post(at, '/accounts-deactivate', { ids: [boxes.at(-1)?.account_id] })

  /** As if time had gone by: what killed nodes hold is free, and the pauses between tries are over. */
  async function letTimePass() {
    for (const text of [
      `update billing_invoices set claimed_until = now(), next_try_at = now() where state = 'waiting'`,
      `update marketing_integrations set next_sync_at = now()`,
      `update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
      `update pgboss.job set started_on = started_on - interval '1 day' where state = 'active'`,
    ])
      await admin.query(text)
  }

  /** How often each of it has arrived. */
  async function arrived(guests: readonly string[]) {
    const { rows } = await admin.query<{ run: number; idempotency_key: string }>(
      'select billing_run_id as run, idempotency_key from billing_invoices',
    )
    const references = new Map(rows.map((draft) => [draft.run, pushReference(draft)]))
    const mailsTo = (address: string) => others.mails.filter(({ to }) => to.includes(address))
    const audience = mailchimp.audiences[0]
    return {
      drafts: [...expected.runs, ...expected.refused].map(
        (run) => xero.books.drafts.filter(({ Reference }) => Reference === references.get(run)).length,
      ),
      mails: expected.mails.map((address) => mailsTo(address).length),
      files: expected.files.map(
        ({ reader, name }) =>
          mailsTo(reader).filter(
            ({ text }) => text.includes(`Subject: ${name},`) && /disposition: attachment/i.test(text),
          ).length,
      ),
      texts: expected.texts.map((number) => others.texts.filter((to) => to === number).length),
      ended: boxes.map(({ gateway }) => gateway.requests.length),
      members: guests.map((email) =>
        audience?.barred.has(keyOf(email)) ? 'erased' : (audience?.members.get(keyOf(email))?.status ?? 'absent'),
      ),
    }
  }
  /** All of it, once, but for what was refused. */
  const once = () => ({
    drafts: [...expected.runs.map(() => 1), ...expected.refused.map(() => 0)],
    mails: expected.mails.map(() => 1),
    files: expected.files.map(() => 1),
    texts: expected.texts.map(() => 1),
    ended: boxes.map(() => 1),
    members: expected.members,
  })
  /** What was put right in the books is sent after all. */
  async function pushRefused(at: At) {
    for (const id of expected.refused) await post(at, '/billing-runs-push', { id })
    expected.runs.unshift(...expected.refused.splice(0))
  }
  /** What somebody is still at work on. A queue that only the release before had is dropped a week later. */
  const open = async () =>
    (
      await admin.query<{ kind: string }>(
        `select kind from due_work where state <> 'waiting' or next_at <= now() union all
         select name from pgboss.job where name = any ($1)
           and (state = 'active' or state in ('created', 'retry') and start_after <= now())`,
        [queues.map(({ name }) => name)],
      )
    ).rows.map(({ kind }) => kind)
  const messagesAreTried = () =>
    becomes(
      `bool_and(attempts > 0) and count(*) = $1 from outbox_mails where recipient_email = any ($2) and sent_at is null`,
      [
        expected.mails.length + expected.files.length,
        [...expected.mails, ...expected.files.map(({ reader }) => reader)],
      ],
    )

  return {
    post,
    first,
    boxesOfEachType,
    messagesAreTried,
    open,
    pushRefused,
    close: () => Promise.all(boxes.map(({ gateway }) => gateway.close())),
    letTimePass,
    arrived,
    once,
    connect,
    approved,
    pushed,
    draftsOfEachState,
    membersOfEachState,
    messages,
    goOnline,
    endOnline,
  }
}
export type UnderWay = Awaited<ReturnType<typeof openUnderWay>>
