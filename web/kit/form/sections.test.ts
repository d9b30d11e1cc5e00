// Sections: each input field is in a section of its resource, by which the form, the review and the overview render it.
// Fields that are entered in another way are listed here, with the reason.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Field, Fields } from '#contract/fields.ts'
import { isDrawn } from './field-section.tsx'

/** By resource, the fields that are in no section. */
const apart: Record<string, Record<string, string>> = {
  'api-keys': { api_key_name: 'the same as its name, for programs that call it so' },
  connections: {
    kind: 'chosen together with the company, in a step of its own',
    integration_type: 'chosen in a step of its own, and never changed',
  },
  groups: { user_ids: 'its people are in a tab of their own' },
  properties: { collection_id: 'one of its collections, for programs; people choose several' },
  'property-holidays': { property_id: 'known before the form opens, and never changed' },
  reports: { wizard_step: 'the step at which a draft was left' },
  rooms: { property_id: 'a room stays in its property, and many are made by another form' },
}
/** Entered together by the status field at the end of each form. */
const status = ['active', 'draft']

interface Described {
  name: string
  input: z.ZodObject
  fields: Fields
}
const modules = import.meta.glob<Record<string, unknown>>(['../../../contract/*.ts', '!../../../contract/*.test.ts'], {
  eager: true,
})
const described = Object.entries(modules).flatMap(([file, { fields, ...module }]): Described[] => {
  const input = Object.entries(module).find(([name]) => name.endsWith('Input'))?.[1]
  const name = path.basename(file, '.ts')
  return fields && input instanceof z.ZodObject ? [{ name, input, fields: fields as Fields }] : []
})

test('the resources with a form are found', () => {
  expect(described.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'accounts',
      'packages',
      'portals',
      'properties',
      'reports',
      'voucher-batches',
      ...Object.keys(apart),
    ]),
  )
})

describe.each(described)('$name', ({ name, input, fields }) => {
  test('has each input field in a section', () => {
    const without = Object.keys(input.shape).filter((field) => !fields[field]?.section && !status.includes(field))
    expect(without).toEqual(Object.keys(apart[name] ?? {}))
  })

  const folder = path.join(import.meta.dirname, '../../resources', name)
  const forms = fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')

  test('has each field of a section drawn: by the kit, or by a control of its own', () => {
    const described = fields as Record<string, Field>
    const ofItsOwn = Object.entries(described).filter(([, field]) => field.section && !isDrawn(field))
    const drawn = ([field]: [string, Field]) => new RegExp(`name="${field}"|\\b${field}: |'${field}'`).test(forms)
    expect(ofItsOwn.filter((one) => !drawn(one)).map(([field]) => field)).toEqual([])
  })

  test('has its sections rendered by its form, with input fields only', () => {
    const placed = Object.keys(fields).filter((field) => fields[field]?.section)
    expect(placed.filter((field) => !(field in input.shape))).toEqual([])
    const sections = [...new Set(placed.map((field) => `section="${fields[field]?.section}"`))]
    expect(sections.filter((section) => !forms.includes(section))).toEqual([])
  })
})
