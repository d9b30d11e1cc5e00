// Stalled links, with FIAS: a list that is awaited and does not come, and a link that does not come up, while the interface changes.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import type { Settings } from '#contract/parameters.ts'
import * as interfaces from '#contract/property-interfaces.ts'
import type { LinkHost } from '#server/property-systems/kind.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import { patient, withFias, type LinkedHouse } from '#test/fias.ts'
import { talk } from './fias/link.ts'

let foyer: LinkedHouse['foyer']
let editor: LinkedHouse['editor']
let pms: LinkedHouse['pms']
let id: number
const { links, openNode, state, isLinked } = withFias((opened) => ({ foyer, editor, pms, id } = opened))

describe.each([
  ['a link whose list is awaited', () => void (pms.swaps = false)],
  ['a link that never comes up', () => void (pms.code = 'XX')],
])('%s', (_, stalls) => {
  const isStalled = async () => {
    await Promise.all(links.splice(0).map((one) => one.close()))
    stalls()
    pms.received.length = 0
    openNode()
    const said = pms.swaps ? /^LA\|/ : /^DR\|/
    await vi.waitFor(() => expect(pms.received.some((record) => said.test(record))).toBe(true), patient)
    // One that was cut before all was heard wants it anew.
    await vi.waitFor(() => expect(pms.connections()).toBe(1), patient)
  }

  test('is let go when its interface is disabled', async () => {
    await isStalled()
    await foyer.get(interfaces.deactivate, { id }, editor)
    await vi.waitFor(() => expect(pms.connections()).toBe(0), patient)
    expect((await state()).word).toBe('off')
  })

  test('is let go when its interface is removed', async () => {
    await isStalled()
    await foyer.get(interfaces.remove, { id }, editor)
    await vi.waitFor(() => expect(pms.connections()).toBe(0), patient)
  })

  test('is made anew when its interface is changed', async () => {
    await isStalled()
    pms.swaps = true
    await foyer.get(interfaces.update, { id, settings: { interface_code: pms.code } }, editor)
    await foyer.get(interfaces.update, { id, settings: { grace_minutes: 1 } }, editor)
    await isLinked()
    expect((await state()).word).toBe('up')
  })
})

describe('a link', () => {
  /** A site that answers nothing but what the test says, and what it was sent. */
  const withSite = async (settings: Settings, work: (site: Site) => Promise<void>) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const sent: string[] = []
    const heard: StayUpdate[] = []
    const socket = new Duplex({
      read() {},
      write(bytes: Buffer, _encoding, done) {
        sent.push(bytes.toString('latin1').slice(1, 3))
        done()
      },
    })
    const host: LinkHost = {
      lastUpdateAt: () => Promise.resolve(0),
      wantsAll: () => Promise.resolve(true),
      maySendKey: () => Promise.resolve(true),
      nextInquiry: () => Promise.resolve('204'),
      up: () => Promise.resolve(),
      alive: () => Promise.resolve(),
      doubt: () => {},
      receive: (updates) => Promise.resolve(void heard.push(...updates)),
    }
    const ended = talk(socket as unknown as Socket, settings, host).catch((error: unknown) => error)
    try {
      await work({
        heard,
        async says(...records) {
          for (const record of records) socket.push(`\u0002${record}|\u0003`, 'latin1')
          await vi.advanceTimersByTimeAsync(10)
        },
        async wait(seconds) {
          sent.length = 0
          // As it does each four minutes, so that it is not silent.
          for (let left = seconds; left > 0; left -= 200) {
            await vi.advanceTimersByTimeAsync(Math.min(left, 200) * 1000)
            socket.push('\u0002LA|\u0003', 'latin1')
          }
          return sent.filter((id) => id === 'DR' || id === 'PR')
        },
      })
    } finally {
      socket.destroy()
      await ended
      vi.useRealTimers()
    }
  }
  interface Site {
    heard: StayUpdate[]
    says(...records: string[]): Promise<void>
    /** Answers which requests were sent meanwhile. */
    wait(seconds: number): Promise<string[]>
  }

  test('asks again for a list that does not begin, less and less often', () =>
    withSite({}, async ({ says, wait, heard }) => {
      await says('LS', 'LA')
      expect(await wait(55)).toEqual([])
      expect(await wait(70)).toEqual(['DR'])
      expect(await wait(170)).toEqual([])
      expect(await wait(10)).toEqual(['DR'])
      expect((await wait(3600)).length).toBeLessThan(8)
      await says('DS', 'GI|RN204|G#1|GNHart|SF', 'DE')
      expect(heard).toEqual([expect.objectContaining({ kind: 'all' })])
    }))

  test('gives up a list that does not end, and keeps one that goes on', () =>
    withSite({}, async ({ says, wait, heard }) => {
      await says('LS', 'LA', 'DS')
      for (const room of [1, 2, 3]) {
        await says(`GI|RN${room}|G#${room}|GNHart|SF`)
        expect(await wait(200)).toEqual([])
      }
      expect(await wait(200)).toEqual(['DR'])
      await says('GI|RN4|G#4|GNHart', 'DE')
      expect(heard.map(({ kind }) => kind)).toEqual(['stay'])
    }))

  test('asks who is in a room once a list was ignored, and not while the site lists all', () =>
    withSite({ asks_for_guests: true }, async ({ says, wait }) => {
      await says('LS', 'LA')
      expect(await wait(50)).toEqual([])
      expect(await wait(15)).toEqual(['PR'])
      await says('PA|RN204|ASNG', 'DS')
      expect(await wait(50)).toEqual([])
      await says('DE')
      expect(await wait(3)).toContain('PR')
    }))
})
