// RADIUS: two ports on which gateways ask who may go online, and report who was; and one on which FreeRADIUS asks on their
// behalf.
import type { FastifyInstance } from 'fastify'
import { answerAccess, openAccess } from '#server/radius/access.ts'
import { answerAccounting, openAccounting } from '#server/radius/accounting.ts'
import { freeradiusApp } from '#server/radius/freeradius.ts'
import { openGateways } from '#server/radius/gateways.ts'
import { openUdpPort, type AnswerPacket, type UdpPort } from '#server/radius/udp.ts'
import type { Services } from '#server/services.ts'
import type { Config } from '#server/start/config.ts'
import { listen } from '#server/start/listen.ts'
import { radiusPortRefused } from '#server/start/ports.ts'

export interface RadiusPorts {
  access: number
  accounting: number
}

export interface Radius {
  /** For FreeRADIUS; null without a token for it. */
  http: FastifyInstance | null
  /** Returns the ports: 0 leaves the choice to the system. */
  listen(host: string, ports: RadiusPorts): Promise<RadiusPorts>
  /** False where a port has closed by itself, or where one packet after the other failed within the last minute. */
  answers(): boolean
  close(): Promise<void>
}

export function openRadius(services: Services, token: string | null): Radius {
  const { log, metrics } = services
  const gateways = openGateways(services)
  const access = openAccess(services)
  const accounting = openAccounting(services)
  const http = token === null ? null : freeradiusApp({ services, gateways, access, accounting, token })
  const opened: UdpPort[] = []
  const failures = openFailures()
  const failed = (err: unknown) => log.warn({ err }, 'a gateway got no answer')

  const counted =
    (kind: 'access' | 'accounting', answer: AnswerPacket): AnswerPacket =>
    async (packet, address) => {
      const asked_at = performance.now()
      const bytes = await answer(packet, address).catch((error: unknown) => {
        metrics.radius(kind, 'failed', performance.now() - asked_at)
        failures.note(kind)
        throw error
      })
      if (bytes !== null) failures.forget(kind)
      metrics.radius(kind, bytes === null ? 'unanswered' : 'answered', performance.now() - asked_at)
      return bytes
    }

  return {
    http,
    async listen(host, ports) {
      const open = async (port: number, answer: AnswerPacket) => {
        const udp = await openUdpPort({ host, port }, { isKnown: gateways.isProven, answer, failed })
        opened.push(udp)
        return udp.port
      }
      const asked = counted('access', (packet, address) => answerAccess(access, gateways, packet, address))
      const reported = counted('accounting', (packet, address) =>
        answerAccounting(accounting, gateways, packet, address),
      )
      return { access: await open(ports.access, asked), accounting: await open(ports.accounting, reported) }
    },
    answers: () => opened.every((port) => port.isOpen()) && !failures.inARow(),
    close: async () => void (await Promise.all([http?.close(), ...opened.map((port) => port.close())])),
  }
}

/** Opens the ports that the settings name. @throws CannotStart for one that cannot be had */
export async function listenAsSet(radius: Radius, { radius_http, radius_host, radius_ports }: Config): Promise<void> {
  if (radius.http && radius_http) await listen(radius.http, radius_http.host, radius_http.port, 'RADIUS_HTTP_PORT')
  if (radius_ports)
    await radius.listen(radius_host, radius_ports).catch((error: unknown) => {
      throw radiusPortRefused(error, radius_host)
    })
}

const in_a_row_max = 5
const failures_count_ms = 60_000

/** Packets that failed with none answered between them, by port: a function that is gone fails them all. */
function openFailures() {
  const failed_at: Record<'access' | 'accounting', number[]> = { access: [], accounting: [] }
  return {
    note: (kind: keyof typeof failed_at) =>
      void (failed_at[kind] = [...failed_at[kind].slice(1 - in_a_row_max), Date.now()]),
    forget: (kind: keyof typeof failed_at) => void (failed_at[kind] = []),
    inARow: () =>
      Object.values(failed_at).some(
        (times) => times.length === in_a_row_max && times.every((at) => Date.now() - at < failures_count_ms),
      ),
  }
}
