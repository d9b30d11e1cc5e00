// Guests at once: a separate process in which many guests open a portal, sign in and use RADIUS at the same time. Each retries while
// asked to wait. Sends `there` when they have begun, and their results at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { redirectOf } from '#scripts/simulation/gateway-kinds.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { openGateway } from '#test/radius-client.ts'

export interface Crowd {
  sites: SimulatedSite[]
  portal_url: string
  ports: RadiusPorts
  guests: number
}
export interface Outcomes {
  online: number
  refused: number
  retries: number
}

const { sites, portal_url, ports, guests } = JSON.parse(process.env['CROWD'] ?? '') as Crowd
const outcomes: Outcomes = { online: 0, refused: 0, retries: 0 }

const places = await Promise.all(sites.map(async (site) => ({ site, gateway: await openGateway(ports, site.gateway) })))
const crowd = Array.from({ length: guests }, async (_, guest) => {
  while (!(await visit(guest)));
})
process.send?.('there')
await Promise.all(crowd)
process.send?.(outcomes)
await Promise.all(places.map(({ gateway }) => gateway.close()))
process.disconnect()

/** Opens the portal and signs in; false if the guest was asked to wait and must retry. */
async function visit(guest: number): Promise<boolean> {
  const place = places[guest % places.length]
  if (!place) return true
  const mac_address = `a8:52:00:00:${guest
    .toString(16)
    .padStart(4, '0')
    .replace(/(..)(..)/, '$1:$2')}`
  const address = `${portal_url}${place.site.portal_path}`
  const redirect = redirectOf({ gateway: place.site.gateway, mac_address, portal_url: address })
  try {
    const page = await openPage(address + redirect.query)
    const answer = await signIn(page, { method: authMethods.free, typed: {} }, false)
    if ('page' in answer) {
      outcomes.refused++
      return true
    }
    const asked = redirect.ask(answer.brought, answer.to)
    const verdict = await place.gateway.access({ ...asked, calling_station_id: mac_address })
    outcomes[verdict.code === code.access_accept ? 'online' : 'refused']++
    return true
  } catch {
    outcomes.retries++
    await sleep(2000)
    return false
  }
}
