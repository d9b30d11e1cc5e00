// Redact: secrets and names of persons are removed from a message; details that help to find a fault are kept.
import { expect, test } from 'vitest'
import { networkOnly, redact } from '#server/watch/redact.ts'

test.each([
  ['550 no such user: ada.lovelace+wifi@harbour.example', '550 no such user: [mail address]'],
  ['connect ECONNREFUSED 198.51.100.77:5432', 'connect ECONNREFUSED 198.51.100.0/24:5432'],
  ['no route to 2001:db8:1:2::9', 'no route to 2001:db8:1::/48'],
  ['postgres://foyer:hunter2@db.internal/foyer', 'postgres://[login]@db.internal/foyer'],
  [`Bearer ${'aB3_-'.repeat(9)} is dead`, 'Bearer [secret] is dead'],
  ['column g.name does not exist at 12:30:45', 'column g.name does not exist at 12:30:45'],
  [
    'at list (file:///srv/foyer/dist/server/api/serve.js:99:12)',
    'at list (file:///srv/foyer/dist/server/api/serve.js:99:12)',
  ],
])('%s', (given, expected) => {
  expect(redact(given)).toBe(expected)
})

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:aa:bb:1::1', '2001:db8:aa::/48'],
  ['nonsense', 'unknown'],
])('of %s the network %s is kept', (given, expected) => {
  expect(networkOnly(given)).toBe(expected)
})
