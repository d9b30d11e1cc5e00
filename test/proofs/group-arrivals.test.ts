// Group arrivals: a group is checked in by the property's own system within a second, and every guest of it signs in by room and name, over
// real UDP, within ten seconds of the last.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import { openFias } from '#server/property-systems/fias/simulation.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'
import { kinds, openOnlineSites, type OnlineSites } from '#test/online-sites.ts'
import { full } from './proof.ts'

let foyer: TestFoyer
let admin: Client
let site: OnlineSites['site']
openOnlineSites((sites) => ({ foyer, admin, site } = sites))

const guests = full ? 200 : 20
const within_ms = 10_000

test(
  `${guests} guests who arrive within a second are all online soon after`,
  { timeout: 300_000 },
  async ({ task }) => {
    const its = await site(kinds.generic)
    const { editor, property_id } = its
    const numbers = Array.from({ length: guests }, (_, at) => String(1001 + at))
    await foyer.rooms(editor, property_id, [...numbers, '1'])
    const pms = await openFias()
    try {
      const { id } = await foyer.propertyInterface(editor, {
        property_interface_type_id: 1,
        owner_type: 'Property',
        owner_id: property_id,
        host: '127.0.0.1',
        port: pms.port,
        settings: { grace_minutes: 0 },
      })
      const isLinked = async () => {
        const { rows } = await admin.query(
          'select from property_links where property_interface_id = $1 and not wants_all',
          [id],
        )
        return rows.length === 1
      }
      await vi.waitUntil(isLinked, { timeout: 60_000, interval: 100 })
      let waits = 0
      /** Tries until it is let in, as a guest does who knows that they have just been checked in. */
      const signIn = async (room_number: string, last_name: string) => {
        const device = aMacAddress()
        const holder = { method: authMethods.room, typed: { room_number, last_name } }
        for (;;) {
          const tried = await its.signIn(holder, device).catch(() => null)
          if (tried) return tried.verdict.code
          waits++
          await sleep(500)
        }
      }
      // The first one has the page and all that it reads made ready.
      pms.checkIn({ key: '0', room: '1', name: 'Early' })
      await signIn('1', 'Early')

      waits = 0
      pms.send(...numbers.map((room, at) => `GI|RN${room}|G#${at + 1}|GNGroup${at}|GSN|`))
      const began = performance.now()
      const codes = await Promise.all(
        numbers.map(async (room, at) => {
          // They come to their rooms over the next second, and not as one.
          await sleep((at * 1000) / guests)
          return signIn(room, `Group${at}`)
        }),
      )
      const took_ms = performance.now() - began
      expect(new Set(codes)).toEqual(new Set([code.access_accept]))
      const seconds = (took_ms / 1000).toFixed(1)
      task.meta.figures = `all ${guests} within ${seconds} s of the last arrival, after ${waits} tries that came too early`
      if (full) expect(took_ms).toBeLessThan(within_ms)
    } finally {
      await pms.close()
    }
  },
)
