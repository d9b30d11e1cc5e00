// Leaving: a schedule runs within its owner's rights, so whoever lets it leave, or says to whom and with what, may take such a file away
// themselves; and a person is asked for the password before somebody outside reads who the guests are.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { reportFileWork } from '#server/reports/make-run.ts'
import { askedAgain } from '#server/errors/refused.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, unique, type Asker, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
/** Saves reports, and may not hand out guests. */
let program: Asker
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  program = (await foyer.apiKey(editor, { permissions: ['write:reports', 'read:properties'] })).program
})
afterAll(() => foyer.close())

const plain = ['start', 'usage_gb'] as const
const naming = ['start', 'identifier'] as const
const stranger = 'stranger@elsewhere.example'
const weekly = (values: Partial<Input<typeof scheduled.create>> = {}) => ({
  name: unique('Usage'),
  frequency: 3,
  start_date: '2026-01-05',
  columns: [...plain],
  recipients: [editor.user.email],
  ...values,
})
const aSchedule = async (values: Partial<Input<typeof scheduled.create>> = {}, who: Asker = editor) =>
  (await foyer.get(scheduled.create, weekly(values), who)).data

test('whoever may not hand out guests saves, begins or takes over no schedule that names them', async () => {
  const onColumns = { status: 422, body: { errors: { columns: [expect.stringContaining('Only editors can export')] } } }
  const [own, of_editor] = [await aSchedule({}, program), await aSchedule()]
  const tried = [
    await foyer.ask(scheduled.create, weekly({ columns: [...naming] }), program),
    await foyer.ask(scheduled.update, { id: own.id, columns: [...naming] }, program),
    await foyer.ask(scheduled.update, { id: of_editor.id, columns: [...naming], recipients: [stranger] }, program),
  ]
  expect(tried).toMatchObject(tried.map(() => onColumns))
  expect((await foyer.get(reports.get, { id: of_editor.id }, editor)).data).toMatchObject({
    columns: plain,
    recipients: [editor.user.email],
  })
  const { id } = await aSchedule({ columns: [...naming] })
  const after = [
    await foyer.ask(scheduled.update, { id, recipients: [stranger] }, program),
    await foyer.ask(scheduled.takeOver, { id }, program),
    await foyer.ask(runs.runNow, { id }, program),
  ]
  await foyer.get(scheduled.deactivateScheduled, { id }, program)
  after.push(
    await foyer.ask(scheduled.activateScheduled, { id }, program),
    await foyer.ask(reports.activate, { id }, program),
  )
  expect(after).toMatchObject(after.map(() => onColumns))
  // What goes nowhere may be saved: it is run by whoever asks for it.
  const saved = { name: unique('Saved'), columns: [...naming] }
  expect((await foyer.ask(scheduled.create, saved, program)).status).toBe(201)
})

test('a file that names guests is mailed again by those alone who may download it', async () => {
  const [named, other] = [await aSchedule({ columns: [...naming] }), await aSchedule()]
  const needs = { ...foyer.services, config: { report_files_kept_ms: 86_400_000 } }
  const made = async (id: number) => {
    const run = (await foyer.get(runs.runNow, { id }, editor)).data.id
    await tryDue(reportFileWork, needs, { customer_id: editor.user.customer.id, about_id: run })
    return run
  }
  const [naming_run, plain_run] = [await made(named.id), await made(other.id)]
  for (const call of [runs.downloadRun, runs.sendRun])
    expect(await foyer.ask(call, { id: naming_run }, program)).toMatchObject({
      status: 422,
      body: { errors: { id: ['It names guests, so only editors can download it.'] } },
    })
  expect((await foyer.ask(runs.sendRun, { id: plain_run }, program)).status).toBe(200)
  expect((await foyer.ask(runs.sendRun, { id: naming_run }, editor)).status).toBe(200)
})

test('the password is asked for again before somebody outside reads who the guests are', async () => {
  const { id } = await aSchedule({ recipients: [stranger] })
  const of_days = await aSchedule({ recipients: [stranger], kind: 'free_wifi', columns: [...naming] })
  const inside = await aSchedule()
  await foyer.query(
    `update sessions set created_at = now() - interval '2 hours', proven_at = null
     where login_id = (select id from logins where email = $1)`,
    [editor.user.email],
  )
  const change = (ask: Input<typeof scheduled.update>) => foyer.ask(scheduled.update, ask, editor)
  expectRefused(await change({ id, columns: [...naming] }), askedAgain())
  expectRefused(await change({ id: of_days.id, kind: 'session' }), askedAgain())
  expect((await change({ id, columns: ['start'], recipients: [stranger] })).status).toBe(200)
  expect((await change({ id: inside.id, columns: [...naming] })).status).toBe(200)
  expectRefused(await change({ id: inside.id, columns: [...naming], recipients: [stranger] }), askedAgain())
})
