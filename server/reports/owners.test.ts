// Owners and receivers of schedules: nothing of a schedule leaves once its owner, its key, what it names or its receiver is gone, also
// not what was queued before; it rests and says so, and is taken over by one press. Who is no user of the customer confirms first.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as groups from '#contract/groups.ts'
import * as properties from '#contract/properties.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import * as users from '#contract/users.ts'
import { mailWork, openMailer } from '#server/deliveries/mails.ts'
import { startDueReports } from '#server/reports/due-reports.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { checkSchedules } from '#server/reports/owners.ts'
import { askReceiversJob } from '#server/reports/questions.ts'
import { invalid } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { openMailServer, type TakenMail } from '#test/mail-server.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

const received: TakenMail[] = []
let mail_server: Awaited<ReturnType<typeof openMailServer>>
let foyer: TestFoyer
beforeAll(async () => {
  mail_server = await openMailServer((mail) => void received.push(mail))
  // Without the role of jobs: the test itself runs what waits, when it wants.
  foyer = await openFoyer({ env: { ROLES: 'api,guest', MAIL_FROM: 'Foyer <wifi@foyer.example>' } })
})
afterAll(async () => {
  await foyer?.close()
  await mail_server?.close()
})

let serial = 0
const someone = () => `reader${++serial}@readers.example`
const mailsTo = (address: string) => received.filter(({ to }) => to.includes(address))

const aSchedule = async (who: Asker, values: Partial<Input<typeof scheduled.create>> = {}) =>
  (
    await foyer.get(
      scheduled.create,
      { name: unique('Usage'), frequency: 3, start_date: '2026-01-05', format: 'csv', ...values },
      who,
    )
  ).data
const confirm = (who: Person, email: string) =>
  foyer.query(
    `insert into report_receivers (customer_id, email, confirmed_at) values ($1, $2, now())
    on conflict (customer_id, email) do update set confirmed_at = now()`,
    [who.user.customer.id, email],
  )
async function makeDue(id: number) {
  // Each due day has one run, in whichever order the rows are read.
  await foyer.query(`update report_runs set due_on = date '1990-01-01' + id::integer where report_id = $1`, [id])
  await foyer.query(
    `update reports set next_due_on = next_due_on - 7, next_run_at = next_run_at - interval '7 days' where id = $1`,
    [id],
  )
}

async function makeRuns() {
  const open = await foyer.query<{ customer_id: number; run_id: number }>(
    `select customer_id, id as run_id from report_runs where outcome = 'queued' order by id`,
    [],
  )
  const needs = { ...foyer.services, config: { report_files_kept_ms: 86_400_000 } }
  for (const { customer_id, run_id } of open) await tryDue(reportFileWork, needs, { customer_id, about_id: run_id })
}
async function deliverAll() {
  const mailer = openMailer({ smtp_url: mail_server.url, mail_from: 'wifi@foyer.example', outbox_dir: foyer.storage })
  const open = await foyer.query<{ customer_id: number; mail_id: string }>(
    `select customer_id, id as mail_id from outbox_mails where sent_at is null and failed_at is null and held_at is null order by id`,
    [],
  )
  for (const { customer_id, mail_id } of open)
    await tryDue(mailWork, { ...foyer.services, mailer }, { customer_id, about_id: Number(mail_id) })
}
const stateOf = async (id: number, who: Asker) => {
  const { state, paused_for, next_run_at, owner } = (await foyer.get(reports.get, { id }, who)).data
  return { state, paused_for, next_run_at, owner: owner?.name }
}

interface World {
  /** Who stays. */
  chief: Person
  owner: Person
  key: { id: number; program: Asker }
  property_id: number
  group_id: number
}
async function aWorld(): Promise<World> {
  const chief = await foyer.customer()
  const owner = await foyer.invited(chief)
  return {
    chief,
    owner,
    key: await foyer.apiKey(owner),
    property_id: (await foyer.property(chief)).id,
    group_id: (await foyer.group(chief)).id,
  }
}

/** What can be taken away from a schedule, by whom it is saved, and why it rests then. */
const takings: [
  what: string,
  by: 'owner' | 'key',
  take: (world: World, id: number) => Promise<unknown>,
  why: string | null,
][] = [
  [
    'the user, disabled',
    'owner',
    ({ chief, owner }) => foyer.get(users.deactivate, { ids: [owner.user.id] }, chief),
    'owner_left',
  ],
  [
    'the user, deleted',
    'owner',
    ({ chief, owner }) => foyer.get(users.remove, { id: owner.user.id }, chief),
    'owner_left',
  ],
  [
    'the user of the key',
    'key',
    ({ chief, owner }) => foyer.get(users.deactivate, { ids: [owner.user.id] }, chief),
    'owner_left',
  ],
  ['the key, deleted', 'key', ({ owner, key }) => foyer.get(apiKeys.removeOfUser, { id: key.id }, owner), 'owner_left'],
  [
    'the key, run out',
    'key',
    ({ key }) => foyer.query(`update api_keys set expires_at = now() where id = $1`, [key.id]),
    'owner_left',
  ],
  [
    'the right',
    'owner',
    ({ owner }) => foyer.query(`update users set user_type_id = 1 where id = $1`, [owner.user.id]),
    'owner_lowered',
  ],
  [
    'the property',
    'owner',
    ({ chief, property_id }) => foyer.get(properties.remove, { id: property_id }, chief),
    'owner_reach',
  ],
  ['the group', 'owner', ({ chief, group_id }) => foyer.get(groups.remove, { id: group_id }, chief), 'owner_reach'],
  ['the report', 'owner', ({ chief }, id) => foyer.get(reports.remove, { id }, chief), null],
  [
    'the receiver, by the editor',
    'owner',
    ({ chief }, id) => foyer.get(scheduled.update, { id, recipients: [] }, chief),
    null,
  ],
  ['the receiver, by the link', 'owner', () => Promise.resolve(), null],
]

test.for(takings)(
  'take away %s, and nothing of the schedule leaves, whenever it was queued',
  async ([what, by, take, why]) => {
    const world = await aWorld()
    const { chief, owner, key, property_id, group_id } = world
    const [reader, spared] = [someone(), someone()]
    for (const email of [reader, spared]) await confirm(chief, email)
    const values = { recipients: [reader], property_ids: [property_id], group_ids: [group_id] }
    const { id } = await aSchedule(by === 'key' ? key.program : owner, values)
    const { id: other } = await aSchedule(chief, { recipients: [spared] })
    expect((await stateOf(id, chief)).owner).toBe(owner.user.name)

    // Three things are queued: a mail, a run that is not made, and a schedule that is due.
    for (const one of [id, other]) await makeDue(one)
    await startDueReports(foyer.services)
    await makeRuns()
    for (const one of [id, other]) await makeDue(one)
    await startDueReports(foyer.services)
    for (const one of [id, other]) await makeDue(one)
    await take(world, id)
    if (what.endsWith('link')) await stop(chief, reader)

    await startDueReports(foyer.services)
    await makeRuns()
    await deliverAll()
    expect(mailsTo(reader)).toEqual([])
    expect(mailsTo(spared).length).toBeGreaterThanOrEqual(2)
    if (why === null) return
    expect(await stateOf(id, chief)).toMatchObject({ state: 'paused', paused_for: why, next_run_at: null })
    const listed = await foyer.get(scheduled.listScheduled, { filters: { state: ['paused'] } }, chief)
    expect(listed.data.map((row) => [row.id, row.paused_for])).toEqual([[id, why]])
    // The key's owner is still there.
    const to = why === 'owner_reach' || what.startsWith('the key') ? owner : chief
    expect(mailsTo(to.user.email).filter(({ text }) => text.includes('is paused'))).toHaveLength(1)

    const resumed = await foyer.ask(scheduled.activateScheduled, { id }, chief)
    expect([resumed.status, resumed.text]).toEqual([
      422,
      expect.stringContaining(why === 'owner_reach' ? 'Change what' : 'Take it over'),
    ])
    const taken = await foyer.ask(scheduled.takeOver, { id }, chief)
    if (why === 'owner_reach') {
      expectRefused(
        taken,
        invalid({ id: ['Something that it names no longer exists, or is out of reach. Change what it names first.'] }),
      )
      // What mends nothing changes nothing of it.
      await foyer.get(scheduled.update, { id, name: 'Still hindered' }, owner)
      expect(await stateOf(id, chief)).toMatchObject({ state: 'paused', paused_for: why })
      await foyer.get(scheduled.update, { id, property_ids: [], group_ids: [] }, owner)
    }
    expect(await stateOf(id, chief)).toMatchObject({
      state: 'active',
      paused_for: null,
      next_run_at: expect.any(String) as string,
    })
    if (why !== 'owner_reach') expect((await stateOf(id, chief)).owner).toBe(chief.user.name)
  },
)

/** As the link in a mail does. */
async function stop(who: Person, email: string) {
  const [mail] = await foyer.query<{ stop_url: string }>(
    `select stop_url from outbox_mails where customer_id = $1 and recipient_email = $2 and stop_url is not null limit 1`,
    [who.user.customer.id, email],
  )
  const url = new URL(mail?.stop_url ?? '').pathname
  const pressed = await foyer.guest?.inject({
    method: 'POST',
    url,
    payload: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(pressed?.body).toContain('No more reports')
}

test('a schedule rests within a minute of its owner’s going, before it is due', async () => {
  const { chief, owner } = await aWorld()
  const { id } = await aSchedule(owner, { recipients: [chief.user.email] })
  await checkSchedules(foyer.services)
  expect(await stateOf(id, chief)).toMatchObject({ state: 'active' })
  await foyer.get(users.deactivate, { ids: [owner.user.id] }, chief)
  await checkSchedules(foyer.services)
  expect(await stateOf(id, chief)).toMatchObject({ state: 'paused', paused_for: 'owner_left' })
})

test('a schedule without an owner goes to the oldest active editor, who is told', async () => {
  const { chief, owner } = await aWorld()
  const { id } = await aSchedule(owner)
  await foyer.query('update reports set user_id = null where id = $1', [id])
  await checkSchedules(foyer.services)
  expect(await stateOf(id, chief)).toMatchObject({ state: 'active', owner: chief.user.name })
  expect(await foyer.mailTo(chief.user.email)).toContain('it is yours now')
})

test('a stranger is asked once, in fixed words, and is sent to after a yes; a no is final', async () => {
  const { chief } = await aWorld()
  const [yes, no] = [someone(), someone()]
  const name = unique('Secret offer')
  const { id } = await aSchedule(chief, { name, recipients: [yes, no, chief.user.email] })
  await foyer.get(scheduled.update, { id, recipients: [no, yes, chief.user.email] }, chief)
  const { data } = await foyer.get(reports.get, { id }, chief)
  expect([data.unconfirmed, data.receivers.map(({ state }) => state)]).toEqual([
    2,
    ['unconfirmed', 'unconfirmed', 'confirmed'],
  ])
  const pageOf = async (email: string) => /\/receive-reports\/[\w.-]+/.exec(await foyer.mailTo(email))?.[0] ?? ''
  const [page, noPage] = [await pageOf(yes), await pageOf(no)]
  await deliverAll()
  expect([mailsTo(yes).length, mailsTo(no).length]).toEqual([1, 1])
  for (const word of [name, chief.user.name, chief.user.customer.name])
    expect(mailsTo(yes)[0]?.text).not.toContain(word)

  const opened = await foyer.guest?.inject({ method: 'GET', url: page })
  expect(opened?.body).toContain('Do you want these reports?')
  const press = (url: string) =>
    foyer.guest?.inject({
      method: 'POST',
      url,
      payload: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const sent = async () => {
    await foyer.get(runs.runNow, { id }, chief)
    await makeRuns()
    await deliverAll()
    return [mailsTo(yes).length, mailsTo(no).length]
  }
  expect(await sent()).toEqual([1, 1])
  expect((await press(`${page}/yes`))?.body).toContain('You get these reports')
  expect((await press(`${noPage}/no`))?.body).toContain('No more reports')
  expect((await press(`${noPage}/yes`))?.body).toContain('No more reports')
  // Not its last letter, of which two bits say nothing.
  const altered = page.replace(/.(?=.{8}$)/, (letter) => (letter === 'x' ? 'y' : 'x'))
  expectRefused(await press(`${altered}/yes`), nothingHere)
  expect(await sent()).toEqual([2, 1])
  await aSchedule(chief, { recipients: [no] })
  await deliverAll()
  expect(mailsTo(no)).toHaveLength(1)
})

test('an address in the domain of an editor needs no question, unless anybody can have one there', async () => {
  const { chief } = await aWorld()
  await foyer.query(`update logins set email = $2 where email = $1`, [
    chief.user.email,
    `me${++serial}@own-house.example`,
  ])
  const own = await aSchedule(chief, { recipients: [`colleague${serial}@own-house.example`] })
  expect(own.unconfirmed).toBe(0)
  await foyer.query(`update logins set email = $2 where email = $1`, [
    `me${serial}@own-house.example`,
    `me${serial}@gmail.com`,
  ])
  expect((await aSchedule(chief, { recipients: [`anybody${serial}@gmail.com`] })).unconfirmed).toBe(1)
})

test('receivers from before go on for thirty days, and are asked once', async () => {
  const { chief } = await aWorld()
  const reader = someone()
  const { id } = await aSchedule(chief)
  await foyer.query('update reports set recipients = array[$2] where id = $1', [id, reader])
  const before = `insert into report_receivers (customer_id, email, goes_until) values ($1, $2, now() + interval '30 days')`
  for (const email of [reader, chief.user.email]) await foyer.query(before, [chief.user.customer.id, email])
  const ask = () => askReceivers()
  await ask()
  await ask()
  await foyer.get(runs.runNow, { id }, chief)
  await makeRuns()
  await deliverAll()
  expect(mailsTo(reader)).toHaveLength(2)
  const { data } = await foyer.get(reports.get, { id }, chief)
  expect(data.receivers).toEqual([{ email: reader, state: 'unconfirmed', until: expect.any(String) as string }])
  await foyer.query('update report_receivers set goes_until = now() where email = $1', [reader])
  await foyer.get(runs.runNow, { id }, chief)
  await makeRuns()
  await deliverAll()
  expect(mailsTo(reader)).toHaveLength(2)
})

/** The job, as a node runs it. */
async function askReceivers() {
  let run: () => Promise<void> = () => Promise.resolve()
  await askReceiversJob.work(
    { ...foyer.services.queue, work: (_kind, work) => Promise.resolve(void (run = () => work({} as never))) },
    foyer.services,
    () => Promise.resolve(),
  )
  await run()
}

test('only if there is something: an empty report is made and not sent', async () => {
  const { chief } = await aWorld()
  const reader = someone()
  await confirm(chief, reader)
  const { id } = await aSchedule(chief, { recipients: [reader], only_if_rows: true })
  await makeDue(id)
  await startDueReports(foyer.services)
  await makeRuns()
  await deliverAll()
  expect((await foyer.get(runs.listRuns, { params: { report_id: id } }, chief)).data).toMatchObject([
    { outcome: 'done', row_count: 0 },
  ])
  expect(mailsTo(reader)).toEqual([])
})

test('a report that is disabled, or not finished, is not sent now', async () => {
  const { chief } = await aWorld()
  const { id } = await aSchedule(chief)
  const refusal = async () => (await foyer.ask(runs.runNow, { id }, chief)).text
  await foyer.get(reports.deactivate, { ids: [id] }, chief)
  expect(await refusal()).toContain('It is disabled: enable it first.')
  await foyer.query('update reports set draft = true where id = $1', [id])
  expect(await refusal()).toContain('It is a draft: finish it first.')
  expect((await foyer.get(runs.listRuns, { params: { report_id: id } }, chief)).data).toEqual([])
})

test('what one person presses is a hundred mails an hour, whichever call and key; a schedule is not counted to them', async () => {
  const { chief } = await aWorld()
  const recipients = Array.from({ length: 40 }, () => someone())
  for (const email of recipients) await confirm(chief, email)
  const { id } = await aSchedule(chief, { recipients })
  await foyer.get(runs.runNow, { id }, chief)
  const { program } = await foyer.apiKey(chief)
  await foyer.get(runs.runNow, { id }, program)
  const over = await foyer.ask(runs.runNow, { id }, chief)
  expect([over.status, over.text]).toEqual([
    429,
    expect.stringMatching(/You can send 100 mails an hour\. Try again in \d\d minutes/),
  ])
  expect((await foyer.get(runs.listRuns, { params: { report_id: id } }, chief)).data).toHaveLength(2)
  await makeDue(id)
  await startDueReports(foyer.services)
  expect((await foyer.get(runs.listRuns, { params: { report_id: id } }, chief)).data).toHaveLength(3)
})
