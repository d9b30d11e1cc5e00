// Shares: what DATABASE_CONNECTIONS allows is divided so that a process never opens more, and each kind of work goes on.
import { expect, test } from 'vitest'
import type { NodeRole } from '#server/start/config.ts'
import { capacityOf, connectionsNeeded, connectionsOfRadius } from '#server/turns/shares.ts'

const all: NodeRole[] = ['api', 'guest', 'radius', 'jobs']
const queue = 5
const opened = (of: Parameters<typeof capacityOf>[0]) => {
  const { main, before, guests } = capacityOf(of).pools
  return main + before + guests + queue
}

test.each([
  [all],
  [['api', 'guest', 'jobs'] as NodeRole[]],
  [['api'] as NodeRole[]],
  [['jobs'] as NodeRole[]],
  [['guest', 'radius'] as NodeRole[]],
])('roles %s: no more than allowed, and a turn for each kind of work', (roles) => {
  for (let connections = 26; connections <= 400; connections++) {
    const { shares } = capacityOf({ connections, roles })
    // A pool has one connection, also where a role has no use for it.
    expect(opened({ connections, roles })).toBeLessThanOrEqual(connections + 1)
    for (const { running_max, party_running_max } of Object.values(shares)) {
      expect(running_max).toBeGreaterThanOrEqual(1)
      expect(party_running_max).toBeGreaterThanOrEqual(1)
      expect(party_running_max).toBeLessThanOrEqual(running_max)
    }
  }
})

test('a process of RADIUS and the other one of its node open together what the node may', () => {
  for (let connections = 40; connections <= 400; connections++) {
    const radius = connectionsOfRadius(connections)
    const apart = opened({ connections: radius, roles: ['radius'] })
    expect(apart + opened({ connections: connections - radius, roles: all })).toBeLessThanOrEqual(connections + 1)
  }
})

test('more connections are more at once, and without a number everything is as usual', () => {
  const usual = capacityOf({ connections: null, roles: all })
  expect(usual.pools).toEqual({ main: 20, before: 10, guests: 9, replica: 9 })
  expect(connectionsNeeded({ connections: null, roles: all })).toBe(44)
  const double = capacityOf({ connections: 8 + 2 * 36, roles: all })
  expect(double.shares.reads).toMatchObject({ running_max: 12, party_running_max: 8 })
  expect(double.shares.files).toEqual(usual.shares.files)
})
