// Paths: addresses of screens, and dialogs that come and go over them.
import { expect, test } from 'vitest'
import { keysOf } from '#contract/keys.ts'
import { areas } from '#contract/permissions.ts'
import { contexts, type Context } from '#contract/shapes.ts'
import { enterContext } from '#web/session/context.ts'
import { session, type User } from '#web/session/session.ts'
import { menuEntryOf, menuOf, menus } from './may-open.ts'
import { hasScreen, modalKeys, screensOf, to, withModal, withoutModal } from './paths.ts'

test('ids are in the query, and the context is the current one', () => {
  enterContext('customer')
  expect(to.group(4)).toBe('/customer/groups/update?id=4')
  expect(to.group(4, 'users')).toBe('/customer/groups/update?id=4&tab=users')
  enterContext('group')
  expect(to.dashboard()).toBe('/group/dashboard')
  expect(to.login()).toBe('/group/login')
  enterContext('customer')
})

test('closing a dialog removes exactly its name and its ids', () => {
  const list = '/customer/groups?q=hotel&filter.status=active&filter.status=draft'
  const open = withModal(list, 'invite-user', { group_id: 4 })
  expect(open).toBe(`${list}&modal=invite-user&group_id=4`)
  expect(withoutModal(open)).toBe(list)
  expect(withoutModal('/customer/groups/update?id=4&modal=invite-user&group_id=4')).toBe('/customer/groups/update?id=4')
  expect(withoutModal(list)).toBe(list)
})

test('the voucher test uses `id` if the screen has none of its own, and closing it removes only its own ids', () => {
  expect(modalKeys('test-voucher', '/customer/dashboard')).toEqual(['batch_id', 'id'])
  expect(withoutModal('/customer/dashboard?modal=test-voucher&id=7')).toBe('/customer/dashboard')
  for (const screen of ['groups/update', 'properties/create/success']) {
    expect(modalKeys('test-voucher', `/customer/${screen}`)).toEqual(['batch_id'])
    expect(withoutModal(`/customer/${screen}?id=4&modal=test-voucher&batch_id=7`)).toBe(`/customer/${screen}?id=4`)
  }
})

test('a dialog replaces another, and an unknown one only loses its name', () => {
  expect(withModal('/x?modal=invite-user&group_id=4', 'invite-user', { property_id: 7 })).toBe(
    '/x?modal=invite-user&property_id=7',
  )
  expect(withoutModal('/x?modal=nobody&group_id=4')).toBe('/x?group_id=4')
})

const signedIn = (can: User['can']) => {
  const ana: Omit<User, 'owner_type'> = {
    id: 1,
    name: 'Ana Silva',
    email: 'ana@example.com',
    owner_id: 1,
    owner_name: 'Harbour',
    user_type_id: 2,
    customer: { id: 1, name: 'Harbour' },
    can,
    second_factor_due: false,
    mails_wait: false,
    language: null,
    sample: false,
    sample_of: null,
  }
  session.enter({ ...ana, owner_type: 'Customer' }, [])
}

test('a menu has no dead links', () => {
  signedIn(Object.fromEntries(areas.map((area) => [area, ['read']])))
  for (const context of ['customer', 'group', 'property'] as const) {
    const shown = menuOf(context).map((entry) => entry.screen)
    expect(shown.filter((screen) => !hasScreen(context, screen))).toEqual([])
    expect(shown[0]).toBe('dashboard')
    expect(menus[context].length).toBeGreaterThanOrEqual(shown.length)
  }
})

test('every screen belongs to an entry of the menu, except for the user’s own', () => {
  const ownScreens = new Set(['user-profile', 'api-keys/create'])
  for (const context of contexts) {
    const entries = [...menus[context]]
    for (const name of screensOf(context)) {
      const entry = menuEntryOf(context, `/${context}/${name}`)
      if (ownScreens.has(name)) expect(entry, name).toBeUndefined()
      else expect(entries, `${context} ${name}`).toContain(entry)
    }
  }
  expect(menuEntryOf('customer', '/customer/rooms/update')).toBe('properties')
  expect(menuEntryOf('property', '/property/room-guests/update')).toBe('rooms')
  expect(menuEntryOf('customer', '/customer/sign-in-attempts')).toBe('sessions')
})

/** Section 2 of the specification. */
const promised: Record<Context, string> = {
  customer: `
    collections dashboard devices groups packages portals properties reports user-profile users
    accounts/update api-keys/create collections/create collections/update devices/update gateways/update groups/create groups/update
    packages/create packages/update portals/create portals/update properties/create properties/update property-interfaces/update
    reports/create room-guests/update rooms/create rooms/update teams/create users/update vouchers/create
    reports/billing reports/free-wifi reports/scheduled reports/session
    collections/create/success properties/create/success reports/create/success teams/create/success
    groups/api-keys/create properties/api-keys/create`,
  group: `
    collections collections/create collections/update collections/create/success dashboard devices devices/update
    properties properties/create properties/update properties/create/success accounts/update users/update vouchers/create`,
  property: `
    dashboard devices devices/update accounts/update room-guests/update rooms rooms/create rooms/update users/update vouchers/create`,
}
test.each(keysOf(promised))('every screen promised to the %s context exists', (context) => {
  const absent = promised[context]
    .trim()
    .split(/\s+/)
    .filter((screen) => !hasScreen(context, screen))
  expect(absent).toEqual([])
})

test('a menu shows what its user may read', () => {
  signedIn({ dashboard: ['read'], voucher_batches: ['read'], packages: ['read'] })
  expect(menuOf('customer').map((entry) => entry.screen)).toEqual(['dashboard', 'packages', 'vouchers'])
})
