// Key words: permissions as people read them, and the first call of a new key.
import { expect, test } from 'vitest'
import { areaName, firstCall, permissionsInWords } from './words.ts'

test('permissions are told by level, everywhere or by area', () => {
  expect(permissionsInWords(['full'])).toBe('Read, write and delete')
  expect(permissionsInWords(['write:rooms', 'read', 'write:mac_categories'])).toBe(
    'Read · Read and write: MAC categories, Rooms',
  )
  expect(areaName('voucher_batches')).toBe('Voucher batches')
})

test('the first call is one that the key may make', () => {
  const of = (...permissions: string[]) => firstCall('foyer_x', permissions, 'https://foyer.example')
  expect(of('read')).toBe(
    `curl https://foyer.example/api/v1/properties -H 'Authorization: Bearer foyer_x' -H 'Content-Type: application/json' -d '{}'`,
  )
  expect(of('write:rooms')).toContain('/api/v1/rooms ')
  expect(of('full:devices')).toContain('/api/v1/macs ')
  expect(of('read:imports')).toBe('curl https://foyer.example/api/v1/openapi.json')
})
