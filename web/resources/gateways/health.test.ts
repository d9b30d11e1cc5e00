// Gateway health: the text for a gateway that was heard now, a while ago, long ago or never.
import { expect, test } from 'vitest'
import { healthOf, heardOf, isUnanswered } from './health.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

test('the time since it was heard is given in the largest unit that fits', () => {
  expect([0, 1, 59, 60, 150, 1440, 4000].map((minutes) => heardOf(ago(minutes), now))).toEqual([
    'Just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '2 hours ago',
    '1 day ago',
    '2 days ago',
  ])
  expect(heardOf(null, now)).toBeNull()
})

test('its health is put into words, and a gateway refused within a day and since it was last heard is unanswered', () => {
  const healths = [
    { last_seen_at: ago(2), silent_since: null },
    { last_seen_at: ago(180), silent_since: null },
    { last_seen_at: ago(180), silent_since: ago(180) },
    { last_seen_at: null, silent_since: null },
  ]
  expect(healths.map((gateway) => healthOf(gateway, now).words)).toEqual([
    'Heard now',
    'Heard 3 hours ago',
    'Silent for 3 hours',
    'Never heard',
  ])
  const answered = { refused_at: ago(20), last_seen_at: ago(10) }
  const unanswered = { refused_at: ago(10), last_seen_at: ago(20) }
  const never = { refused_at: ago(10), last_seen_at: null }
  const long_ago = { refused_at: ago(1500), last_seen_at: null }
  expect([answered, unanswered, never, long_ago].map((gateway) => isUnanswered(gateway, now))).toEqual([
    false,
    true,
    true,
    false,
  ])
})
