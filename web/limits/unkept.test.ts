// Unkept: of whom a form asks what its package promises and nobody there keeps.
import { expect, test } from 'vitest'
import { whereIn } from './unkept.tsx'

test('a form asks of its property, else of its group, and of nobody before one is chosen', () => {
  expect(whereIn({ property_id: 3, group_id: 4 })).toEqual({ property_ids: [3] })
  expect(whereIn({ property_id: '3' })).toEqual({ property_ids: [3] })
  expect(whereIn({ property_id: null, group_id: 4 })).toEqual({ group_id: 4 })
  expect(whereIn({})).toBeNull()
})
