// Sets: lists of ids in writes, and the answers to writes that are wrong in several ways at once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as auth from '#contract/auth.ts'
import { refusals, selectedIdsInvalid, selectedInvalid } from '#contract/errors.ts'
import * as groups from '#contract/groups.ts'
import { messages } from '#contract/messages.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as rooms from '#contract/rooms.ts'
import * as teams from '#contract/teams.ts'
import { fieldUnknown, fieldUnwritable } from '#contract/unknown-fields.ts'
import * as users from '#contract/users.ts'
import { invalid } from '#server/errors/refused.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

const absent = 2_000_000_000
const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, string[]> }).errors

test('naming users in a group moves them there, signs them out, and is logged as a change of permission', async () => {
  const editor = await foyer.customer()
  const colleague = await foyer.invited(editor)
  const group = await foyer.group(editor)
  const team = await foyer.team(editor, { user_ids: [colleague.user.id] })

  const moved = await foyer.get(groups.update, { id: group.id, user_ids: [colleague.user.id] }, editor)
  expect(moved.data.user_ids).toEqual([colleague.user.id])
  const read = await foyer.get(users.get, { id: colleague.user.id }, editor)
  expect(read.data).toMatchObject({ owner_type: 'Group', owner_id: group.id, user_type_id: 2 })
  expectRefused(await foyer.ask(auth.me, {}, colleague), refusals.unauthenticated)
  expect((await foyer.get(teams.get, { id: team.id }, editor)).data.user_ids).toEqual([])
  const log = await foyer.get(activity.list, { filters: { object_type: 'users', action: 'permission' } }, editor)
  expect(log.data[0]).toMatchObject({
    object_id: colleague.user.id,
    after: { owner_type: 'Group', owner_id: group.id },
  })

  const left = await foyer.get(groups.update, { id: group.id, user_ids: [] }, editor)
  expect(left.data.user_ids).toEqual([])
  expect((await foyer.get(users.get, { id: colleague.user.id }, editor)).data).toMatchObject({
    owner_type: 'Customer',
    // Being left out does not give anybody a right to write.
    user_type_id: 1,
  })
})

test('the last active editor of a customer stays, and an API key moves nobody', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const alone = await foyer.send(groups.update, { id: group.id, user_ids: [editor.user.id] }, editor)
  expectRefused(alone, invalid({ user_ids: ['The last active editor must stay. Make someone else an editor first.'] }))
  const colleague = await foyer.invited(editor)
  const { program } = await foyer.apiKey(editor)
  const byKey = await foyer.send(groups.update, { id: group.id, user_ids: [colleague.user.id] }, program)
  expect(errorsOf(byKey)).toEqual({ user_ids: [fieldUnwritable] })
})

test('a property’s collection_ids are all of its collections, and collection_id is one more', async () => {
  const editor = await foyer.customer()
  const [one, two, three] = [
    await foyer.collection(editor),
    await foyer.collection(editor),
    await foyer.collection(editor),
  ]
  const made = await foyer.property(editor, { collection_ids: [one.id], collection_id: two.id })
  expect(made.collection_ids).toEqual([one.id, two.id])
  const added = await foyer.get(properties.update, { id: made.id, collection_id: three.id }, editor)
  expect(added.data.collection_ids).toEqual([one.id, two.id, three.id])
  const replaced = await foyer.get(properties.update, { id: made.id, collection_ids: [two.id] }, editor)
  expect(replaced.data.collection_ids).toEqual([two.id])
})

test('a team answers its owner, and rows show whether they are active or drafts', async () => {
  const editor = await foyer.customer()
  const team = await foyer.team(editor)
  expect(team.owner).toEqual({ id: editor.user.customer.id, name: team.owner_name })
  const room = await foyer.room(editor, { draft: true })
  const { data } = await foyer.get(rooms.list, {}, editor)
  expect(data).toMatchObject([{ name: room.number, number: room.number, active: true, draft: true, status: 'draft' }])
})

test('wrong shapes, unknown fields and references out of reach are reported in one answer', async () => {
  const editor = await foyer.customer()
  const ask = { name: '', group_id: absent, portal_id: 'seven', wifi: true }
  const wrong = await foyer.send(properties.create, ask, editor)
  expect([wrong.status, errorsOf(wrong)]).toEqual([
    422,
    {
      name: [messages.fields.required],
      group_id: [selectedInvalid('group_id')],
      portal_id: [messages.fields.numeric],
      wifi: [fieldUnknown],
    },
  ])
  const bulk = await foyer.send(properties.assignPortal, { ids: [absent], portal_id: absent }, editor)
  expect(errorsOf(bulk)).toEqual({
    ids: [selectedIdsInvalid],
    portal_id: [selectedInvalid('portal_id')],
  })
})

test("a package's form-side names are refused and name the right field", async () => {
  const editor = await foyer.customer()
  const ask = { name: 'Guest', volume: 5, speed: 20, session_time: 24, reoccurrence: 'daily' }
  const errors = errorsOf(await foyer.send(packages.create, ask, editor))
  expect(Object.entries(errors).map(([name, [sentence = '']]) => [name, /called (\w+)/.exec(sentence)?.[1]])).toEqual([
    ['volume', 'volume_gb'],
    ['speed', 'speed_mbps'],
    ['session_time', 'session_time_hrs'],
    ['reoccurrence', 'recurs'],
  ])
})

test('an object given for a reference may have its id and name, and nothing else', async () => {
  const editor = await foyer.customer()
  const [one, two] = [await foyer.group(editor), await foyer.group(editor)]
  const property = await foyer.property(editor, { group_id: one.id })
  const change = (fields: object) => foyer.send(properties.update, { id: property.id, ...fields }, editor)
  expect((await change({ group: { id: one.id, name: 'A former name' } })).status).toBe(200)
  expect((await change({ group_id: two.id, group: { id: two.id, name: two.name } })).status).toBe(200)
  expect(errorsOf(await change({ group: { id: one.id, name: one.name } }))).toEqual({ group: [fieldUnwritable] })
})
