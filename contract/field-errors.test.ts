// Field errors: each problem that zod finds becomes a sentence under its field, whatever the field is called.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './field-errors.ts'

test('an unknown field is named, even if every object has a property of that name', () => {
  const hostile: unknown = JSON.parse('{"constructor": 1, "toString": 2, "__proto__": 3}')
  const { error = new z.ZodError([]) } = z.strictObject({}).safeParse(hostile)
  const found = new Map(Object.entries(fieldErrors(error)))
  expect(found).toEqual(
    new Map(['__proto__', 'constructor', 'toString'].map((name) => [name, ['This field is not known']])),
  )
})

test('a field that fails twice for one reason is told once', () => {
  const { error = new z.ZodError([]) } = z.object({ ids: z.array(z.int()).min(1) }).safeParse({ ids: ['', ''] })
  const twice = z.string().min(2, 'Too short').min(3, 'Too short').safeParse('x').error ?? new z.ZodError([])
  expect(fieldErrors(twice)).toEqual({ '': ['Too short'] })
  expect(fieldErrors(error)).toEqual({ 'ids.0': ['This field is required'], 'ids.1': ['This field is required'] })
})
