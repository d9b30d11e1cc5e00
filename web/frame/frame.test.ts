// Frame: phones, reloads, prefetching, names, and the placement of menus.
import { describe, expect, test } from 'vitest'
import { prefetchAllowed } from '#web/kit/navigation/prefetch.ts'
import { contextOf } from '#web/session/context.ts'
import type { User } from '#web/session/session.ts'
import { placeBeside } from '#web/ui/floating.ts'
import { mayReload } from './chunk-reload.ts'
import { codeIn } from './palette/find.ts'
import { matching } from './palette/palette-host.tsx'
import { isPhone, isStart } from './phone.ts'
import { initials } from './initials.ts'
import { homeOf } from './sample-line.tsx'

describe('a phone', () => {
  const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126 Mobile Safari/537.36'
  const tablet = 'Mozilla/5.0 (Linux; Android 14; SM-X200) AppleWebKit/537.36 Chrome/126 Safari/537.36'
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
  const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126 Safari/537.36'
  test('is known by its user agent', () => {
    expect([android, iphone, tablet, desktop].map((userAgent) => isPhone({ userAgent }))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
  test('or by its client hint: either is enough', () => {
    expect(isPhone({ userAgent: desktop, userAgentData: { mobile: true } })).toBe(true)
    expect(isPhone({ userAgent: android, userAgentData: { mobile: false } })).toBe(true)
    expect(isPhone({ userAgent: desktop, userAgentData: { mobile: false } })).toBe(false)
  })
})

describe('a phone is sent to its own page', () => {
  test.each(['/', '/login', '/customer/login', '/group/dashboard', '/customer/properties'])('from %s', (pathname) =>
    expect(isStart({ pathname, search: {} })).toBe(true),
  )
  test.each([
    '/customer/properties/update',
    '/customer/properties/create/success',
    '/customer/user-profile',
    '/customer/reset-password',
    '/reset-password',
    '/mobile',
    '/customer',
  ])('not from %s', (pathname) => expect(isStart({ pathname, search: {} })).toBe(false))
  test('not from a dialog over a list', () =>
    expect(isStart({ pathname: '/customer/groups', search: { modal: 'invite-user' } })).toBe(false))
})

test('a whole voucher code is told from a name, however it is typed', () => {
  expect(['abcd efgh jkmn', 'ABCD-EFGH-JKM', 'ABCD-EFGH-JKM1', 'Alexandra May'].map(codeIn)).toEqual([
    'ABCDEFGHJKMN',
    undefined,
    undefined,
    undefined,
  ])
})

test('the palette keeps what holds each word typed, in any order', () => {
  const item = (label: string) => ({ key: label, label, icon: 'add' as const, onPick: () => {} })
  const groups = [{ title: 'Do', items: [item('New property'), item('New vouchers'), item('Test a voucher')] }]
  expect(matching(groups, 'voucher NEW')[0]?.items.map(({ label }) => label)).toEqual(['New vouchers'])
})

test('the palette has first what begins as typed, for Enter takes it', () => {
  const item = (label: string) => ({ key: label, label, icon: 'add' as const, onPick: () => {} })
  const groups = [
    { title: 'Do', items: [item('Import accounts'), item('One voucher')] },
    { title: 'Pages', items: [item('Accounts'), item('Vouchers')] },
  ]
  const first = (typed: string) => matching(groups, typed)[0]?.items[0]?.label
  expect(['accounts', 'one', 'vouchers', ''].map(first)).toEqual([
    'Accounts',
    'One voucher',
    'Vouchers',
    'Import accounts',
  ])
})

test('a missing part reloads the page at most once in 60000 ms', () => {
  expect([
    mayReload(null, 1e12),
    mayReload(String(1e12), 1e12 + 59_999),
    mayReload(String(1e12), 1e12 + 60_000),
    mayReload('x', 1e12),
  ]).toEqual([true, false, true, true])
})

test('nothing is fetched ahead on a slow or saving connection', () => {
  expect(
    [{}, { effectiveType: '4g' }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }, { saveData: true }].map(
      (connection) => prefetchAllowed(connection),
    ),
  ).toEqual([true, true, false, false, false])
})

test('the first segment of the address is the context', () => {
  expect(['/customer/groups', '/group', '/property/devices', '/login', '/', '/customers/x'].map(contextOf)).toEqual([
    'customer',
    'group',
    'property',
    undefined,
    undefined,
    undefined,
  ])
})

test('two letters of a name', () => expect(['Ana Maria Silva', 'Cher', '  '].map(initials)).toEqual(['AS', 'C', '']))

test('a menu opens below its button, above where there is no room, and never out of the window', () => {
  const window = { width: 400, height: 800 }
  const panel = { width: 200, height: 100 }
  const button = (top: number, left: number) => ({ top, bottom: top + 30, left, right: left + 40 })
  expect(placeBeside(button(10, 20), panel, window, 'start')).toEqual({ top: 44, left: 20 })
  expect(placeBeside(button(760, 20), panel, window, 'start')).toEqual({ top: 656, left: 20 })
  expect(placeBeside(button(10, 350), panel, window, 'start').left).toBe(192)
  expect(placeBeside(button(10, 20), panel, window, 'end').left).toBe(8)
})

test('a sample leads back to the company that it is of, to the place in which it may be taken away', () => {
  const place = (id: number, customer_id: number, can: User['can']): User => ({
    id,
    name: 'Ana Silva',
    email: 'ana@example.com',
    owner_type: 'Customer',
    owner_id: customer_id,
    owner_name: 'Harbour',
    user_type_id: 2,
    customer: { id: customer_id, name: 'Harbour' },
    can,
    second_factor_due: false,
    mails_wait: false,
    language: null,
    sample: false,
    sample_of: null,
  })
  const editor = { company: ['read', 'write'] } satisfies User['can']
  const sample = { ...place(9, 30, {}), sample: true, sample_of: 20 }
  const [elsewhere, viewer, own] = [place(1, 10, editor), place(2, 20, {}), place(3, 20, editor)]
  expect(homeOf(sample, [elsewhere, viewer, own])).toBe(own)
  expect(homeOf(sample, [elsewhere, viewer])).toBe(viewer)
  expect(homeOf(sample, [elsewhere])).toBeUndefined()
})
