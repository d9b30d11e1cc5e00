// An invented property system: its kind and a line in the list, and nothing else. It is offered, asked for its settings, and its stays
// come in.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as kindsContract from '#contract/property-interface-kinds.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import * as reference from '#contract/reference.ts'
import * as stays from '#contract/stays.ts'
import { refusals } from '#contract/errors.ts'
import { keepLookup } from '#server/db/keep-lookup.ts'
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { systems, systemTypes } from '#server/property-systems/kinds.ts'
import { messageWork } from '#server/property-systems/messages.ts'
import { doDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'
import { errorsOf } from './asking.ts'

const lanterns: PropertySystem = {
  definition: {
    id: 900,
    name: 'Acme Lanterns',
    parameters: [
      { key: 'word', label: 'Word', kind: 'secret', choices: [], required: true, once: false, help: null },
      { key: 'tower', label: 'Tower', kind: 'text', choices: [], required: false, once: false, help: null },
    ],
    fields: [],
    note: null,
  },
  hook: {
    isGenuine: (_body, headers, { word }) => headers['x-word'] === word,
    messageId: (headers) => headers['x-flash'] ?? '',
    read: (body) => {
      const { key, room, name } = body as { key: string; room: string; name: string }
      const guests = [{ last_name: name, first_name: null, email: null, mobile_number: null }]
      return {
        updates: [{ kind: 'stay', stay_key: key, at: new Date(), fields: { room, guests }, arrived: true }],
      }
    },
  },
}

let foyer: TestFoyer
let editor: Person
let property_id: number
beforeAll(async () => {
  ;(systems as PropertySystem[]).push(lanterns)
  foyer = await openFoyer({ env: { ROLES: 'api,guest' } })
  await keepLookup(foyer.database.ownerUrl, 'property_interface_types', systemTypes())
  editor = await foyer.customer()
  property_id = (await foyer.property(editor)).id
  await foyer.rooms(editor, property_id, ['204'])
})
afterAll(() => foyer.close())

const asked = () => ({ property_interface_type_id: 900, owner_type: 'Property', owner_id: property_id }) as const

test('it is offered beside the others, and says what it needs to be told', async () => {
  const { data: types } = await foyer.get(reference.propertyInterfaceTypes, {}, editor)
  expect(types.slice(-2).map(({ name }) => name)).toEqual(['OPERA Cloud', 'Acme Lanterns'])
  const { data } = await foyer.get(kindsContract.kinds, {}, editor)
  expect(data.at(-1)).toMatchObject({ id: 900, served: true, posts: true, parameters: [{ key: 'word' }, {}] })
  const refused = await foyer.ask(interfaces.create, { ...asked(), settings: { moon: 'full' } }, editor)
  expect(errorsOf(refused)).toEqual({
    'settings.word': ['This field is required'],
    'settings.moon': ['This field is not known'],
  })
})

test('what it posts in its own words is taken in, and from nobody else', async () => {
  const { uuid } = await foyer.propertyInterface(editor, { ...asked(), settings: { word: 'ember' } })
  const flash = async (word: string) =>
    foyer.guest?.inject({
      method: 'POST',
      url: `/hooks/${uuid}`,
      headers: { 'content-type': 'application/json', 'x-word': word, 'x-flash': 'one' },
      payload: { key: '1', room: '204', name: 'Hart' },
    })
  expectRefused(await flash('ash'), { ...refusals.unauthenticated, message: 'This is not signed as it should be.' })
  expect((await flash('ember'))?.statusCode).toBe(202)
  await doDue(messageWork, foyer.services, editor.user.customer.id)
  const { data } = await foyer.get(stays.stayList, { params: { property_id } }, editor)
  expect(data).toMatchObject([{ room: { name: '204' }, guests: [{ name: 'Hart' }], source: 'system' }])
})
