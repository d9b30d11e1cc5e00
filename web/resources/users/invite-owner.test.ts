// Invite owner: the rules of whose the invited will be.
import { expect, test } from 'vitest'
import { ownerOf, placeOf } from './invite-owner.ts'

test.each([
  [{ property_id: 7 }, { owner_type: 'properties', owner_id: 7 }, { property_id: 7 }],
  [{ group_id: 4 }, { owner_type: 'groups', owner_id: 4 }, { group_id: 4 }],
  [{ property_id: 7, group_id: 4 }, { owner_type: 'properties', owner_id: 7 }, { property_id: 7 }],
  [{}, {}, {}],
])('of the address %o they are %o, and their page is that of %o', (ids, owner, place) => {
  expect(ownerOf(ids, null)).toEqual(owner)
  expect(placeOf(ids)).toEqual(place)
})

test.each([
  ['Customer', 'Customer'],
  ['Group', 'groups'],
  ['Property', 'properties'],
])('without an id of the address, the owner is that of the one who invites: %s', (owner_type, owner) => {
  expect(ownerOf({}, { owner_type, owner_id: 7 })).toEqual({ owner_type: owner, owner_id: 7 })
  expect(ownerOf({ group_id: 3 }, { owner_type, owner_id: 7 })).toEqual({ owner_type: 'groups', owner_id: 3 })
})
