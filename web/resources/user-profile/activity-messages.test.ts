// Activity messages: the lines of the activity log as text.
import { describe, expect, test } from 'vitest'
import { changesIn, actionSentence, objectName } from './activity-messages.ts'

const nameOf = (target: string, id: number) => (target === 'property_types' && id === 1 ? 'Hotel' : undefined)

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
    expect(said({ undone: 'check_in' }, 'delete')).toBe('took back the check-in of room guest')
    expect(said({ email: 'hart@guests.example' })).toBe('changed room guest')
    const undone = { ...ofStay, after: { departs_on: '2026-11-29', undone: 'extend' } }
    expect(changesIn(undone, nameOf).map(({ label }) => label)).toEqual(['Departure'])
  })
  test('lists each change with the values before and after', () => {
    const before = { city: 'Lisbon', property_type_id: null, rate_per_unit: 9, send_sms: false }
    const after = { city: 'Porto', property_type_id: 1, rate_per_unit: 1250.5, send_sms: true }
    expect(changesIn({ action: 'update', object_type: 'properties', before, after }, nameOf)).toEqual([
      { label: 'City', before: 'Lisbon', after: 'Porto' },
      { label: 'Type', before: 'nothing', after: 'Hotel' },
      { label: 'Rate per unit', before: '9', after: '1,250.50' },
      { label: 'Text new accounts', before: 'off', after: 'on' },
    ])
  })
  test('leaves out an id whose name is also there, and the status if the action already says it', () => {
    const after = { portal_id: 3, portal: { id: 3, name: 'Welcome' }, active: true, draft: false }
    const before = { portal_id: null, portal: null, active: false, draft: true }
    expect(changesIn({ action: 'update', object_type: 'groups', before, after }, nameOf)).toEqual([
      { label: 'Portal', before: 'nothing', after: 'Welcome' },
    ])
    expect(
      changesIn({ action: 'activate', object_type: 'groups', before: null, after: { status: 'active' } }, nameOf),
    ).toEqual([])
  })
  test('only says that a secret has changed', () => {
    expect(
      changesIn(
        { action: 'update', object_type: 'gateways', before: null, after: { radius_secret_changed: true } },
        nameOf,
      ),
    ).toEqual([{ label: 'RADIUS secret', before: '', after: 'replaced' }])
  })
  test('lists no changes of a new record', () => {
    expect(
      changesIn({ action: 'create', object_type: 'groups', before: null, after: { name: 'Harbour' } }, nameOf),
    ).toEqual([])
  })
})
