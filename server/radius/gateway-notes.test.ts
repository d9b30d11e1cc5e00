// Gateway notes: strangers make no work for the database, unless a gateway was heard from where they are.
import type { RawBuilder } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTurns } from '#server/turns/shares.ts'
import { openGatewayNotes } from './gateway-notes.ts'

test('whoever is not registered is noted only where a gateway is known to be', async () => {
  const asked: string[] = []
  const callFunction = (query: RawBuilder<unknown>) => {
    asked.push(JSON.stringify(query.toOperationNode()))
    return Promise.resolve([])
  }
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
  const proven = { has: (address: string) => address === '192.0.2.7' }
  const notes = openGatewayNotes({ guestDoors: { callFunction }, turns: openTurns(), log } as never, proven as never)
  const claim = { identifier: 'ap', mac_address: null }
  notes.noteUnregistered({ ...claim, address: '192.0.2.8' })
  notes.noteUnregistered({ ...claim, address: '192.0.2.7' })
  await vi.waitFor(() => expect(asked.join()).toContain('192.0.2.7'))
  expect(asked.join()).not.toContain('192.0.2.8')
})
