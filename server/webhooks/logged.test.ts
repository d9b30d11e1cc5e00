// Logged: of the address of a webhook the activity log says the host alone, since viewers read it, who read no webhooks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as dueWork from '#contract/due-work.ts'
import * as webhooks from '#contract/webhooks.ts'
import { runBackfills } from '#server/db/backfills.ts'
import { connect } from '#server/db/logins.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let editor: Person
let viewer: Person
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  viewer = await foyer.viewer(editor)
})
afterAll(() => foyer.close())

const secret = 'hook-5ecret'
const lines = async () =>
  (await foyer.get(activity.list, {}, viewer)).data.filter(({ object_type }) =>
    ['webhooks', 'due_work'].includes(object_type ?? ''),
  )

test('whatever is done with a webhook, the log says its host and that its address was changed', async () => {
  const events = ['report.made' as const]
  const { data: hook } = await foyer.get(
    webhooks.create,
    { url: `https://crm.example/${secret}?key=${secret}`, events },
    editor,
  )
  await foyer.get(webhooks.update, { id: hook.id, url: `https://till.example:8443/${secret}` }, editor)
  await foyer.get(webhooks.update, { id: hook.id, active: false }, editor)
  await foyer.get(webhooks.update, { id: hook.id, active: true }, editor)
  await foyer.get(webhooks.test, { id: hook.id }, editor)
  const [due] = await foyer.query<{ id: number }>(
    `update due_work set state = 'failed' where customer_id = $1 and kind = 'webhook' returning id::integer`,
    [editor.user.customer.id],
  )
  await foyer.get(dueWork.dismiss, { ids: [due?.id ?? 0] }, editor)
  await foyer.get(webhooks.remove, { id: hook.id }, editor)

  const said = await lines()
  expect(said.map(({ object_name }) => object_name).toReversed()).toEqual([
    'crm.example',
    ...Array.from({ length: 3 }, () => 'till.example:8443'),
    'webhook.test to till.example:8443',
    'till.example:8443',
  ])
  expect(said.map(({ after }) => after)).toContainEqual({ url_changed: true })
  expect(JSON.stringify(said)).not.toContain(secret)
  const told = await foyer.mailTo(editor.user.email)
  expect(told).toContain('Events are now sent to till')
  expect(told).not.toContain(secret)
})

test('lines from before say no more either', async () => {
  const url = `https://former.example/${secret}`
  for (const [object_type, object_name, before, after] of [
    ['webhooks', url, null, { url, active: true }],
    ['webhooks', url, { url: 'https://other.example/' }, { url }],
    ['webhooks', url, null, { sent_again: 3 }],
    ['due_work', `report.made to ${url}`, null, { dismissed: true }],
  ] as const)
    await foyer.query(
      `insert into activity (customer_id, action, object_type, object_id, object_name, before, after)
       values ($1, 'update', $2, 7, $3, $4, $5)`,
      [editor.user.customer.id, object_type, object_name, before, after],
    )
  await foyer.query(`delete from upgrade_backfills where name ~ '^0623-'`, [])
  const owner = await connect(foyer.database.ownerUrl)
  expect(await runBackfills(owner, { signal: new AbortController().signal, progress() {}, rest: 0 })).toBe(true)
  await owner.end()
  const said = await lines()
  expect(JSON.stringify(said)).not.toContain(secret)
  const former = said.filter(({ object_id }) => object_id === 7).toReversed()
  expect(former.map(({ object_name, before, after }) => [object_name, before, after])).toEqual([
    ['former.example', null, { active: true }],
    ['former.example', {}, { url_changed: true }],
    ['former.example', null, { sent_again: 3 }],
    ['report.made to former.example', null, { dismissed: true }],
  ])
})
