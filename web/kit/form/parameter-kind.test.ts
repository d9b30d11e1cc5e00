// Parameter kind: which fields a form asks for.
import { expect, test } from 'vitest'
import { asksFor } from './parameter-kind.ts'

const box = { id: 1, name: 'Box', parameters: [], fields: ['host'] }

test('a form asks for what the kind uses, and for what stands there from another kind', () => {
  expect(asksFor(box, 'host')).toBe(true)
  expect(asksFor(box, 'port', '')).toBe(false)
  expect(asksFor(box, 'port', null)).toBe(false)
  expect(asksFor(box, 'port', 5010)).toBe(true)
})

test('while the kinds load, only what stands there is asked for; of a kind of a later release, all', () => {
  expect(asksFor(undefined, 'host')).toBe(false)
  expect(asksFor(undefined, 'host', 'pms.example')).toBe(true)
  expect(asksFor(null, 'host')).toBe(true)
})
