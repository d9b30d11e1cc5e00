// Extreme: a signature whose value is known.
import { expect, test } from 'vitest'
import { signatureOf } from './arrival.ts'

test('signs as Amazon does', () => {
  const query =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=foyer%2F20261127%2Fworld%2Fecp%2Faws4_request&X-Amz-Date=20261127T120000Z' +
    '&X-Amz-Expires=60&X-Amz-SignedHeaders=host&dest=http%3A%2F%2Fexample.com%2F&token=gUM7bD7k0bWu4IvfH0Pq4w%21%21' +
    '&username=66dffd68ba25&wlan=8'
  const signing = {
    secret: 's3cret-s3cret-s3cret',
    host: 'apcp.example',
    path: '/ext_approval.php',
    query,
    at: '20261127T120000Z',
  }
  expect(signatureOf(signing)).toBe('9d8b11b94b389a90d8acadbabeebb7ff96f6ce636786104b9fcee2bcff6a5242')
  expect(signatureOf({ ...signing, secret: 'another' })).not.toBe(signatureOf(signing))
})
