// Activity messages: the lines of the activity log as text.
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loggedTables } from '#contract/logged-fields.ts'
import { areas } from '#contract/permissions.ts'
import { keys, queryClient } from '#web/kit/call/query-client.ts'
import { referenceOf } from '#web/kit/display/references.ts'
import { session, type User } from '#web/session/session.ts'
import { changesIn, actionSentence, objectName } from './activity-messages.ts'

const drawn = (node: ReactNode) =>
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, node))

describe('a line of the activity log', () => {
  test('says what was done to which record', () => {
    expect(actionSentence({ action: 'update', object_type: 'voucher_batches' })).toBe('changed voucher batch')
    expect(actionSentence({ action: 'invite', object_type: 'users' })).toBe('invited')
    const denied = { action: 'denied', object_type: null } as const
    expect(actionSentence(denied)).toBe('was not allowed:')
    expect(objectName({ ...denied, object_name: '/api/v1/rooms-create' })).toBe('rooms create')
    expect(objectName({ ...denied, object_name: '/api/v1/gateways/{id}' })).toBe('gateways')
    expect(objectName({ action: 'update', object_name: '/api/v1/rooms' })).toBe('/api/v1/rooms')
    expect(actionSentence({ action: 'failed_login', object_type: 'users' })).toBe('failed to sign in')
  })
  test('calls what the desk does to a stay by its name', () => {
    const ofStay = { action: 'update', object_type: 'room_guests', before: null } as const
    const said = (after: Record<string, unknown> | null, action: 'create' | 'update' | 'delete' = 'update') =>
      actionSentence({ ...ofStay, action, after })
    expect(said({ checked_in_at: '2026-11-28T14:03:00Z' }, 'create')).toBe('checked in room guest')
    expect(said({ checked_in_at: null }, 'create')).toBe('created room guest')
    expect(said({ checked_in_at: '2026-11-28T14:03:00Z' })).toBe('checked in room guest')
    expect(said({ checked_in: true })).toBe('checked in room guest')
    expect(said({ room_id: 4 })).toBe('moved room guest')
    expect(said({ departs_on: '2026-11-29' })).toBe('changed the departure of room guest')
    expect(said(null, 'delete')).toBe('checked out room guest')
    expect(said({ undone: 'check_in' }, 'delete')).toBe('undid the check-in of room guest')
    expect(said({ email: 'hart@guests.example' })).toBe('changed room guest')
    const undone = { ...ofStay, after: { departs_on: '2026-11-29', undone: 'extend' } }
    expect(changesIn(undone).map(({ label }) => label)).toEqual(['Departure'])
  })
  test('lists each change with the values before and after', () => {
    const before = { city: 'Lisbon', rate_per_unit: 9, send_sms: false }
    const after = { city: 'Porto', rate_per_unit: 1250.5, send_sms: true }
    expect(changesIn({ action: 'update', object_type: 'properties', before, after })).toEqual([
      { label: 'City', before: 'Lisbon', after: 'Porto' },
      { label: 'Rate per unit', before: '9', after: '1,250.50' },
      { label: 'Text new accounts', before: 'off', after: 'on' },
    ])
  })
  test('leaves out an id whose name is also there, and the status if the action already says it', () => {
    const after = { portal_id: 3, portal: { id: 3, name: 'Welcome' }, active: true, draft: false }
    const before = { portal_id: null, portal: null, active: false, draft: true }
    expect(changesIn({ action: 'update', object_type: 'groups', before, after })).toEqual([
      { label: 'Portal', before: 'nothing', after: 'Welcome' },
    ])
    expect(changesIn({ action: 'activate', object_type: 'groups', before: null, after: { status: 'active' } })).toEqual(
      [],
    )
  })
  test('only says that a secret has changed', () => {
    expect(
      changesIn({ action: 'update', object_type: 'gateways', before: null, after: { radius_secret_changed: true } }),
    ).toEqual([{ label: 'RADIUS secret', before: '', after: 'replaced' }])
  })
  test('lists no changes of a new record', () => {
    expect(changesIn({ action: 'create', object_type: 'groups', before: null, after: { name: 'Harbour' } })).toEqual([])
  })
})

describe('the id of another record', () => {
  /** Every field of the log that points at what has names: a gateway's type, the frequency of a report, the room of a guest. */
  const pointing = Object.entries(loggedTables).flatMap(([object_type, { fields = {} }]) =>
    Object.entries(fields).flatMap(([name, { ref }]) => {
      const reference = name.endsWith('_id') ? referenceOf(ref) : undefined
      return reference ? [{ object_type, name, names: reference.names }] : []
    }),
  )
  const can = (action: string[]) =>
    ({ can: Object.fromEntries(areas.map((area) => [area, action])) }) as unknown as User
  beforeEach(() => session.enter(can(['read']), []))
  afterEach(() => queryClient.clear())

  const change = (object_type: string, name: string) =>
    changesIn({ action: 'update', object_type, before: { [name]: null }, after: { [name]: 5 } })[0]

  test.each(pointing)('is shown as its name: $object_type $name', ({ object_type, name, names }) => {
    queryClient.setQueryData(keys.names(names.path), [{ id: 5, name: 'Its name' }])
    const { before, after } = change(object_type, name) ?? {}
    expect([drawn(before), drawn(after)]).toEqual(['nothing', 'Its name'])
  })
  test('stays a number for whoever may not read the names, or once it is gone', () => {
    queryClient.setQueryData(keys.names('/packages-list'), [{ id: 4, name: 'Another' }])
    expect(drawn(change('properties', 'package_id')?.after)).toBe('#5')
    queryClient.clear()
    session.enter(can([]), [])
    expect(drawn(change('properties', 'package_id')?.after)).toBe('#5')
  })
})
