// Invite owner: which owner invited users will belong to.
import { expect, test } from 'vitest'
import { ownerOf, placeOf } from './invite-owner.ts'

test.each([
  [{ property_id: 7 }, { owner_type: 'properties', owner_id: 7 }, { property_id: 7 }],
  [{ group_id: 4 }, { owner_type: 'groups', owner_id: 4 }, { group_id: 4 }],
  [{ property_id: 7, group_id: 4 }, { owner_type: 'properties', owner_id: 7 }, { property_id: 7 }],
  [{}, {}, {}],
])('with the ids %o in the address the owner is %o, and the page is for %o', (ids, owner, place) => {
  expect(ownerOf(ids, null)).toEqual(owner)
  expect(placeOf(ids)).toEqual(place)
})

test.each([
  ['Customer', 'Customer'],
  ['Group', 'groups'],
  ['Property', 'properties'],
])('without an id in the address, the owner is that of the inviting user: %s', (owner_type, owner) => {
  expect(ownerOf({}, { owner_type, owner_id: 7 })).toEqual({ owner_type: owner, owner_id: 7 })
  expect(ownerOf({ group_id: 3 }, { owner_type, owner_id: 7 })).toEqual({ owner_type: 'groups', owner_id: 3 })
})
