// Grows: each call that writes is either refused while the disk is nearly full, or frees room or gives something back.
import { expect, test } from 'vitest'
import { calls } from '#test/sweeps/calls.ts'
import { grows } from './grows.ts'

test('each call that writes either grows the data, or is a download, or ends or removes something', () => {
  const others = calls.filter(({ endpoint, area }) => endpoint.kind === 'write' && area !== 'sessions')
  for (const { endpoint } of others)
    expect(grows(endpoint), endpoint.path).toBe(
      endpoint.gives === 'json' && !/delete|deactivate|remove|disconnect|erase|check-out|withdraw/.test(endpoint.path),
    )
})
