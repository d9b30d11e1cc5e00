// Simulate: guests who arrive at simulated properties, sign in at the portal as a phone would, go online through RADIUS, use data and
// leave, until it is stopped. Now and then one mistypes, and one gateway is not registered.
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { macIn } from '#server/gateways/read.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { methodsIn, openPage, signIn } from '#scripts/simulation/browser.ts'
import { redirectOf } from '#scripts/simulation/gateway-kinds.ts'
import { cause, openSimulatedGateway, type SimulatedGateway } from '#scripts/simulation/gateway.ts'
import type { Holder, SimulatedSite } from '#scripts/simulation/site.ts'
import { openGateway, type RadiusRequest } from '#test/radius-client.ts'

export interface Pace {
  /** Mean time until the next guest. */
  arrival_ms: number
  /** Mean duration of a stay. */
  stay_ms: number
  /** How often gateways report. */
  report_ms: number
}

export interface Counts {
  came: number
  refused: number
  left: number
}

export interface Simulation {
  sites: readonly SimulatedSite[]
  portal_url: string
  ports: RadiusPorts
  pace: Pace
  signal: AbortSignal
  /** How long gateways wait at the end for their last reports to be answered. */
  farewell_max_ms: number
  /** Called with the port on which each gateway takes Foyer's requests to end a session. */
  listening?: (gateway_id: number, port: number) => Promise<void>
  counted?: (counts: Counts, online: number) => void
}

const mistyping_share = 0.06
const marketing_share = 0.3

const draw = <T>(values: readonly T[]): T | undefined =>
  values.length === 0 ? undefined : values[randomInt(values.length)]
/** Exponentially distributed, as times between arrivals are, and capped. */
const around = (mean_ms: number) => Math.min(-Math.log(1 - Math.random()), 5) * mean_ms

/** Ends when `signal` is aborted, with every guest offline. */
export async function simulate({
  sites,
  portal_url,
  ports,
  pace,
  signal,
  farewell_max_ms,
  listening,
  counted,
}: Simulation): Promise<Counts> {
  const counts: Counts = { came: 0, refused: 0, left: 0 }
  await using opened = new AsyncDisposableStack()
  const places: Place[] = []
  for (const site of sites) {
    const gateway = await openSimulatedGateway(ports, site)
    opened.defer(() => gateway.close(farewell_max_ms))
    await listening?.(site.gateway.id, gateway.port)
    // The one with a wrong secret gets no answer.
    void gateway.start().catch(() => {})
    places.push({ site, gateway, portal_url: `${portal_url}${site.portal_path}`, stays: new Map(), known: new Set() })
  }
  const unregistered = await openGateway(ports, {
    nas_identifier: 'attic-router',
    radius_secret: randomBytes(12).toString('hex'),
  })
  opened.defer(() => unregistered.close())

  const until = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  const repeating = async (every_ms: () => number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work()
      await until(every_ms())
    }
  }
  const visits = new Set<Promise<void>>()
  const online = () => places.reduce((sum, { gateway }) => sum + gateway.online().length, 0)

  await Promise.all([
    repeating(
      () => around(pace.arrival_ms),
      async () => {
        const place = draw(places)
        if (!place || visits.size >= 20) return
        const visit = arrive(place, pace).then((isOnline) => void counts[isOnline ? 'came' : 'refused']++)
        visits.add(visit)
        void visit.finally(() => visits.delete(visit))
      },
    ),
    repeating(
      () => pace.report_ms,
      async () => {
        await Promise.all(places.map(({ gateway }) => gateway.reportAll(() => used(pace.report_ms))))
        counted?.({ ...counts }, online())
      },
    ),
    repeating(
      () => 1000,
      async () => {
        for (const { gateway, stays } of places)
          for (const [mac_address, ends_at] of stays) {
            if (ends_at > Date.now()) continue
            stays.delete(mac_address)
            if (gateway.isOnline(mac_address)) counts.left++
            await gateway.end(mac_address, draw([cause.user_request, cause.lost_carrier, cause.idle_timeout]) ?? 1)
          }
      },
    ),
    repeating(
      () => 30_000,
      async () => {
        const asked = unregistered.accessPacket({
          user_name: 'guest',
          password: 'guest',
          calling_station_id: '02:00:5e:00:00:01',
        })
        unregistered.socket.send(asked, ports.access, '127.0.0.1')
      },
    ),
  ])
  await Promise.all(visits)
  return counts
}

interface Place {
  site: SimulatedSite
  gateway: SimulatedGateway
  portal_url: string
  /** When each present device leaves. */
  stays: Map<string, number>
  /** Devices that were online before: the gateway asks RADIUS about them before it shows the portal. */
  known: Set<string>
}

/** A guest who is not there yet arrives. Returns whether they got online. */
async function arrive(place: Place, pace: Pace): Promise<boolean> {
  const { site, stays, known } = place
  const holder = draw(site.holders.filter((each) => !stays.has(deviceOf(site, each))))
  if (!holder) return false
  const guest = { holder, mac_address: deviceOf(site, holder) }
  stays.set(guest.mac_address, Infinity)
  // A guest who gets no answer leaves, too.
  const isOnline = await getOnline(place, guest).catch(() => false)
  if (isOnline) {
    known.add(guest.mac_address)
    stays.set(guest.mac_address, Date.now() + around(pace.stay_ms))
  } else stays.delete(guest.mac_address)
  return isOnline
}

/** From joining the network to being online; returns whether they are. */
async function getOnline(
  { site, gateway, portal_url, known }: Place,
  { holder, mac_address }: { holder: Holder; mac_address: string },
): Promise<boolean> {
  const isAccepted = async (asked: RadiusRequest) =>
    (await gateway.admit(mac_address, asked)).code === code.access_accept
  if (known.has(mac_address) && (await isAccepted({ user_name: mac_address, password: mac_address }))) return true
  const redirect = redirectOf({ gateway: site.gateway, mac_address, portal_url })
  let page = await openPage(portal_url + redirect.query)
  if (!methodsIn(page).includes(holder.method)) return false
  if (Math.random() < mistyping_share) {
    const answer = await signIn(page, mistyped(holder), false)
    if ('page' in answer) page = answer.page
  }
  const answer = await signIn(page, holder, Math.random() < marketing_share)
  if ('page' in answer) return false
  return isAccepted(redirect.ask(answer.brought, answer.to))
}

/** Each guest always has the same phone. */
function deviceOf(site: SimulatedSite, holder: Holder): string {
  const number = site.gateway.id * 10_000 + site.holders.indexOf(holder)
  const hex = number.toString(16).padStart(8, '0')
  return macIn(`a8:51:${hex.replace(/(..)(..)(..)(..)/, '$1:$2:$3:$4')}`) ?? ''
}

/** Replaces the last character of the first field. */
const mistyped = ({ method, typed }: Holder): Holder => ({
  method,
  typed: Object.fromEntries(
    Object.entries(typed).map(([name, text], at) => [name, at === 0 ? `${text.slice(0, -1)}2` : text]),
  ),
})

/** Most guests read; a few download. */
function used(of_ms: number) {
  const bytes_down = Math.round((of_ms / 1000) * (Math.random() < 0.03 ? 12e6 : Math.random() ** 3 * 1.5e6))
  return { bytes_up: Math.round(bytes_down * 0.12), bytes_down }
}
