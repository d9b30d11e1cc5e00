// Gateway health: the text for a gateway that was heard now, a while ago, long ago or never.
import { expect, test } from 'vitest'
import { healthOf, heardOf, isSilent, isUnanswered } from './health.ts'

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

test('a gateway not heard for more than 15 minutes is silent; one that was never heard is not', () => {
  expect([isSilent(ago(15), now), isSilent(ago(16), now), isSilent(null, now)]).toEqual([false, true, false])
})

test('its health is put into words, and a gateway refused within a day and since it was last heard is unanswered', () => {
  expect([ago(2), ago(180), null].map((seen) => healthOf(seen, now).words)).toEqual([
    'Heard now',
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
