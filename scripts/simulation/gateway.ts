// Gateway: a simulated gateway: it asks RADIUS to admit devices, counts and reports their usage, and ends their sessions when asked.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { attribute, code, status_type } from '#server/radius-codec/dictionary.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import type { SimulatedSite } from '#scripts/simulation/site.ts'
import { numberIn, openGateway, textIn, type Answered, type RadiusRequest } from '#test/radius-client.ts'

/** RADIUS's numbers of termination causes. */
export const cause = {
  user_request: 1,
  lost_carrier: 2,
  idle_timeout: 4,
  session_timeout: 5,
  admin_reset: 6,
  nas_reboot: 11,
}

interface Session {
  id: string
  user_name: string
  mac_address: string
  /** The Class attribute of the answer, which is returned with each report. */
  class_mark: string
  began_at: number
  ends_at: number
  bytes_up: number
  bytes_down: number
}

interface Used {
  bytes_up: number
  bytes_down: number
  /** Time online to add to that of the clock. */
  seconds?: number
}

const gigaword = 2 ** 32
const counted = (bytes: number) => ({ low: bytes % gigaword, high: Math.floor(bytes / gigaword) })

export async function openSimulatedGateway(ports: RadiusPorts, { gateway }: Pick<SimulatedSite, 'gateway'>) {
  const sessions = new Map<string, Session>()
  const closing = new AbortController()
  const closed = closing.signal
  const radius = await openGateway(ports, gateway, (request) => {
    const [found] = [...sessions.values()].filter(({ id }) => id === textIn(request, attribute.acct_session_id))
    if (found) void end(found.mac_address, cause.admin_reset)
  })

  /** Whether it was acknowledged. A lost interim report does not matter, as the next one includes it. */
  async function report(session: Session, type: number, more: RadiusRequest = {}): Promise<boolean> {
    const [up, down] = [counted(session.bytes_up), counted(session.bytes_down)]
    return radius
      .report({
        user_name: session.user_name,
        calling_station_id: session.mac_address,
        acct_status_type: type,
        acct_session_id: session.id,
        acct_session_time: Math.round((Date.now() - session.began_at) / 1000),
        acct_input_octets: up.low,
        acct_input_gigawords: up.high,
        acct_output_octets: down.low,
        acct_output_gigawords: down.high,
        event_timestamp: Math.floor(Date.now() / 1000),
        ...(session.class_mark === '' ? {} : { class: session.class_mark }),
        ...more,
      })
      .then(
        () => true,
        () => false,
      )
  }

  async function end(mac_address: string, because: number) {
    const session = sessions.get(mac_address)
    sessions.delete(mac_address)
    if (!session) return
    // The last report of the session, so it is repeated until it is acknowledged.
    for (let isAcknowledged = false; !isAcknowledged && !closed.aborted;)
      isAcknowledged = await report(session, status_type.stop, { acct_terminate_cause: because })
  }

  /** Asks RADIUS to admit a device; if accepted, it is online from then on. */
  async function admit(mac_address: string, asked: RadiusRequest): Promise<Answered> {
    const answer = await radius.access({ ...asked, calling_station_id: mac_address })
    if (answer.code !== code.access_accept) return answer
    // A device has one session: signing in again replaces the former one.
    await end(mac_address, cause.lost_carrier)
    const session: Session = {
      id: randomBytes(8).toString('hex'),
      user_name: asked.user_name as string,
      mac_address,
      class_mark: textIn(answer, attribute.class) ?? '',
      began_at: Date.now(),
      ends_at: Date.now() + 1000 * (numberIn(answer, attribute.session_timeout) ?? 86_400),
      bytes_up: 0,
      bytes_down: 0,
    }
    sessions.set(mac_address, session)
    await report(session, status_type.start)
    return answer
  }

  return {
    port: radius.port,
    admit,
    end,
    isOnline: (mac_address: string) => sessions.has(mac_address),
    online: () => [...sessions.keys()],
    /** Reports the usage of every device; those whose time is over are ended. */
    async reportAll(usedBy: (mac_address: string) => Used) {
      for (const session of sessions.values()) {
        const { bytes_up, bytes_down, seconds = 0 } = usedBy(session.mac_address)
        session.began_at -= seconds * 1000
        session.ends_at -= seconds * 1000
        session.bytes_up += bytes_up
        session.bytes_down += bytes_down
        if (session.ends_at <= Date.now()) await end(session.mac_address, cause.session_timeout)
        else await report(session, status_type.interim)
      }
    },
    /** Reports that it has just been switched on, so that all its former sessions are over. */
    start: () => radius.report({ acct_status_type: status_type.accounting_on, acct_session_id: '0' }),
    /** Ends all of its sessions. Without answers it waits only for `farewell_max_ms`. */
    async close(farewell_max_ms = 2000) {
      const ends = [...sessions.keys()].map((mac_address) => end(mac_address, cause.nas_reboot))
      await Promise.race([Promise.all(ends), sleep(farewell_max_ms)])
      closing.abort()
      await radius.close()
    },
  }
}
export type SimulatedGateway = Awaited<ReturnType<typeof openSimulatedGateway>>
