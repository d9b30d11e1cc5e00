// Words: sentences that contain numbers, and those that zod's issues become.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './field-errors.ts'
import { changesTo, count, email, no, ref, text } from './shapes.ts'
import { refsIn } from './refs.ts'
import { messages } from './messages.ts'

const errorsOf = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value)
  return result.success ? {} : fieldErrors(result.error)
}

describe('field sentences', () => {
  const schema = z.object({ name: text(), mail: email, units: count, hours: z.number().min(0), port: z.int().min(5) })
  const good = { name: 'a', mail: 'a@b.io', units: 1, hours: 0.5, port: 5 }

  test('a field that is missing, null or empty is required', () => {
    for (const name of [undefined, null, '', '   '])
      expect(errorsOf(schema, { ...good, name })).toEqual({ name: [messages.fields.required] })
  })
  test('a wrong e-mail address, number, integer or minimum gets its own sentence', () => {
    expect(errorsOf(schema, { ...good, mail: 'nobody' })).toEqual({ mail: [messages.fields.email] })
    expect(errorsOf(schema, { ...good, hours: 'x' })).toEqual({ hours: [messages.fields.numeric] })
    expect(errorsOf(schema, { ...good, hours: -1 })).toEqual({ hours: [messages.fields.numeric] })
    expect(errorsOf(schema, { ...good, units: 1.5 })).toEqual({ units: [messages.fields.integer] })
    expect(errorsOf(schema, { ...good, port: 4 })).toEqual({ port: ['Please enter a number of at least 5'] })
  })
  test('an address is lower-cased and can carry no second header', () => {
    expect(schema.parse({ ...good, mail: ' Anna@Example.COM ' }).mail).toBe('anna@example.com')
    expect(errorsOf(schema, { ...good, mail: 'a@b.io\r\nBcc: c@d.io' })).toEqual({ mail: [messages.fields.email] })
  })
  test('one imported record was, several were', () => {
    expect(messages.imports.accountsImported(1)).toBe('1 Account was successfully imported')
    expect(messages.imports.accountsImported(2)).toBe('2 Accounts were successfully imported')
  })
})

describe('changes', () => {
  test('what an update leaves out stays out: no default is filled in', () => {
    const input = z.object({ name: text(), draft: no, tags: z.array(z.string()).default([]) })
    expect(changesTo('groups', input).parse({ id: 1 })).toEqual({ id: 1 })
  })
})

describe('references', () => {
  test('are found through lists, optionals, defaults, objects and unions', () => {
    const schema = z.object({
      portal_id: ref('portals').nullish(),
      property_ids: z.array(ref('properties')).default([]),
      params: z.strictObject({ group_id: ref('groups').optional() }).prefault({}),
    })
    const value = schema.parse({ portal_id: 3, property_ids: [4, 5], params: { group_id: 6 } })
    expect(refsIn(schema, value)).toEqual([
      { target: 'portals', id: 3, field: 'portal_id' },
      { target: 'properties', id: 4, field: 'property_ids' },
      { target: 'properties', id: 5, field: 'property_ids' },
      { target: 'groups', id: 6, field: 'params.group_id' },
    ])
  })
})
