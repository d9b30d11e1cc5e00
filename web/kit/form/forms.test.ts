// Forms: the specification's error messages, what is required, what has changed, and how the server's errors are assigned to fields.
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Acceptance, Credentials } from '#contract/auth.ts'
import { GroupInput } from '#contract/groups.ts'
import { PortalInput } from '#contract/portals.ts'
import { PropertyInput } from '#contract/properties.ts'
import { messages } from '#contract/messages.ts'
import { Refused } from '#web/kit/call/call.ts'
import { formDataOf } from '#web/kit/call/request.ts'
import {
  byField,
  changedNames,
  defaultsOf,
  isClearable,
  isRequired,
  kindOf,
  mergeLoaded,
  numberTyped,
  problems,
  tidy,
  valuesOf,
} from './form-state.ts'
import { keepsKey } from '#web/kit/call/idempotency.ts'
import { storable } from './typed.ts'

describe('error messages', () => {
  test('an empty required field, a wrong address, a wrong number', () => {
    expect(problems(Credentials, { email: '', password: '' })).toEqual({
      email: [messages.fields.required],
      password: [messages.fields.required],
    })
    expect(problems(GroupInput, { name: 'A', contact_email: 'nobody' })).toEqual({
      contact_email: [messages.fields.email],
    })
    expect(problems(PropertyInput, { name: 'A', total_units: 'x' }).total_units).toEqual([
      expect.stringMatching(/Please enter/),
    ])
    expect(problems(PropertyInput, { name: 'A', total_units: '' }).total_units).toEqual([messages.fields.required])
    expect(problems(PropertyInput, { name: 'A', rate_per_unit: -1 }).rate_per_unit).toEqual([messages.fields.numeric])
  })
  test('an optional field may be cleared, and is sent as null', () => {
    expect(problems(GroupInput, { name: 'A', contact_email: '' })).toEqual({})
    expect(tidy(GroupInput, { name: 'A', contact_email: '' })).toEqual({ name: 'A', contact_email: null })
  })
  test('a field that may only be absent is left out when it is empty', () => {
    // If an empty text is a valid value, it is sent.
    expect(tidy(PortalInput, { redirect_url: '' })).toEqual({ redirect_url: '' })
    expect(tidy(Acceptance, { token: 't', name: '', password: 'p' })).toEqual({ token: 't', password: 'p' })
  })
})

test('the schema determines what is required, what may be cleared, what is a number and what a new record starts with', () => {
  expect([
    isRequired(GroupInput, 'name'),
    isRequired(GroupInput, 'contact_email'),
    isRequired(GroupInput, 'draft'),
  ]).toEqual([true, false, false])
  expect([isClearable(GroupInput, 'portal_id'), isClearable(GroupInput, 'name')]).toEqual([true, false])
  expect(
    ['total_units', 'send_sms', 'name', 'email', 'collection_ids'].map((name) => kindOf(PropertyInput, name)),
  ).toEqual(['number', 'boolean', 'string', 'string', 'array'])
  expect(defaultsOf(GroupInput)).toEqual({ property_ids: [], user_ids: [], draft: false, active: true })
})

test('what is typed becomes a number only when it is one', () => {
  expect(['5', '1.5', '1,5', '-2', ' 7 ', '.5'].map(numberTyped)).toEqual([5, 1.5, 1.5, -2, 7, 0.5])
  expect(['', '1.', 'abc', '1e3', '--1'].map(numberTyped)).toEqual(['', '1.', 'abc', '1e3', '--1'])
})

test('only what was changed is sent; empty, null and absent are the same', () => {
  const record = { id: 1, name: 'A', contact_email: null, portal_id: 3, property_ids: [1, 2], status: 'active' }
  const start = valuesOf(GroupInput, record)
  expect(start).toEqual({ name: 'A', contact_email: null, portal_id: 3, property_ids: [1, 2] })
  expect(changedNames(start, { ...start, contact_email: '' })).toEqual([])
  expect(changedNames(start, { ...start, name: 'B', property_ids: [1] })).toEqual(['name', 'property_ids'])
})

test("an error of a list's entry belongs to the list, that of a setting to the setting", () => {
  const schema = z.object({ property_ids: z.array(z.int()), settings: z.object({}).prefault({}) })
  const errors = { 'property_ids.0': ['x'], 'property_ids.3': ['y'], 'settings.site': ['w'], name: ['z'] }
  expect(byField(errors, schema)).toEqual({ property_ids: ['x', 'y'], 'settings.site': ['w'], name: ['z'] })
})

test('a create keeps its key as long as it is unknown whether it happened', () => {
  expect([0, 500, 503].map((status) => keepsKey(new Refused(status, '')))).toEqual([true, true, true])
  expect([422, 409, 429, 403].map((status) => keepsKey(new Refused(status, '')))).toEqual([false, false, false, false])
})

test('multipart lists have brackets in their names, and absent fields are not sent', () => {
  const data = formDataOf({ name: 'A', auth_method_ids: [1, 2], logo: undefined, cleared: null, property_ids: [] })
  expect([...data.entries()]).toEqual([
    ['name', 'A'],
    ['auth_method_ids[]', '1'],
    ['auth_method_ids[]', '2'],
    ['cleared', ''],
    ['property_ids', ''],
  ])
})

describe('a record that was loaded again under its form', () => {
  const start = { name: 'A', city: 'Porto', total_units: 4 }
  test("what only others have changed is taken over, and the user's own changes stay", () =>
    expect(mergeLoaded(start, { ...start, name: 'B' }, { ...start, city: 'Lisbon' })).toEqual({
      values: { name: 'B', city: 'Lisbon', total_units: 4 },
      clashes: [],
    }))
  test('a field that both have changed keeps what was typed, and is reported', () =>
    expect(mergeLoaded(start, { ...start, name: 'B' }, { ...start, name: 'C' })).toEqual({
      values: { ...start, name: 'B' },
      clashes: ['name'],
    }))
  test('what was saved and is not answered, such as a password, is empty and saved', () => {
    const sent = { name: 'B', password: 'quiet-harbour' }
    const stored = valuesOf(z.object({ name: z.string(), password: z.string().nullish() }), { id: 1, name: 'B' })
    expect(changedNames(stored, mergeLoaded(sent, sent, stored).values)).toEqual([])
  })
  test('the same change on both sides is not a clash', () =>
    expect(mergeLoaded(start, { ...start, name: 'B' }, { ...start, name: 'B' }).clashes).toEqual([]))
})

test('no secret and no file is stored in the tab, wherever in a form it stands and whatever it is called', () => {
  const typed = {
    name: 'Gateway 1',
    password: 'quiet-harbour',
    logo: new Blob(['x']),
    settings: { site: 'default', api_key: 'k-2345', client_secret: 's' },
    ids: [1, 2],
  }
  expect(storable(typed, new Set(['settings.api_key']))).toEqual({
    name: 'Gateway 1',
    settings: { site: 'default' },
    ids: [1, 2],
  })
})

/** Texts that are typed without a form and go with the session, each with the reason. */
const goes: Record<string, string> = {
  'web/kit/form/picture-field.tsx': 'a picture, which is a file',
  'web/kit/list/filter-choice.tsx': 'narrows the choices of a filter',
  'web/kit/made/send-by-mail.tsx': 'beside what was just made, which is not shown again',
  'web/kit/members/member-pane.tsx': 'narrows a list',
  'web/resources/dashboard/desk-tools.tsx': 'a word that is searched for',
  'web/resources/reports/recipients-field.tsx': 'how the addresses of a form were typed; the form keeps them',
}

test('whatever is typed is kept when a session ends, in forms and outside of them', () => {
  const typedIn = /<(TextField|TextArea|CodeField|input|textarea)\b/
  const text = /useState(<[^>]*>)?\((''|[a-z_]+ \?\? ''|address)\)/
  const found = fs
    .globSync('web/{resources,stays,kit}/**/*.tsx')
    .filter((file) => {
      const source = fs.readFileSync(file, 'utf8')
      return typedIn.test(source) && text.test(source)
    })
    .toSorted()
  expect(found.filter((file) => !(file in goes))).toEqual([])
})
