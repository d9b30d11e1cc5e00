// Key words: the permissions of a key as text, and the first call of a new key.
import { expect, test } from 'vitest'
import { areaName, firstCall, permissionsText } from './words.ts'

test('permissions are listed by level, everywhere or by area', () => {
  expect(permissionsText(['full'])).toBe('Read, write and delete')
  expect(permissionsText(['write:rooms', 'read', 'write:mac_categories'])).toBe(
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
