// Upgrade traffic: what reaches a node while another release migrates its database, and how long each request and packet waited.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, aProperty, password } from '#test/foyer.ts'
import { openGateway } from '#test/radius-client.ts'
import { full } from './proof.ts'
import { guest } from './radius-operator.ts'

/** Beside other tests less: a node that cannot keep up is not what the proof is about. */
export const writes_a_second = full ? 20 : 5
export const packets_a_second = full ? 5 : 2
/** A client that is refused asks again after this time, and after twice as long each time, as clients do. */
const [again_ms, again_max_ms] = [100, 1600]
/** One that is still refused then has lost. */
const patience_ms = 30_000

interface Node {
  url: string
  ports: RadiusPorts
}

/** How long answers took, with everything that was tried again until there was one. */
export function waits() {
  const all: number[] = []
  /** From the first refusal of a request until it is served. */
  const refused: number[] = [0]
  const refusals: Record<string, number> = {}
  return {
    note(ms: number, refused_ms = 0) {
      all.push(ms)
      refused.push(refused_ms)
    },
    longestRefusal: () => Math.max(...refused),
    refused: (how: string) => void (refusals[how] = (refusals[how] ?? 0) + 1),
    count: () => all.length,
    longest: () => Math.max(0, ...all),
    summary() {
      const sorted = all.toSorted((one, other) => one - other)
      const at = (part: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
      const tried = Object.entries(refusals).map(([how, times]) => `${times} × ${how}`)
      const again = tried.length > 0 ? `, tried again after ${tried.join(', ')}` : ''
      return `${all.length} in ${at(0.5)} ms (median), ${at(0.99)} ms (99 %), ${at(1)} ms at most${again}`
    },
  }
}
export type Waits = ReturnType<typeof waits>

/** Signs up on a node; makes the property, the account and the gateway that the traffic is about. */
export async function openSite(node: Node) {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'app-context': 'customer' }
  const post = async (url: string, call: string, body: object, key = randomUUID()) =>
    fetch(`${url}/api/v1${call}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience_ms),
    })
  const made = async <T>(call: string, body: object) => {
    const response = await post(node.url, call, body)
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { data: T }).data
  }
  const person = { company_name: 'Upgrade', name: 'Ada', email: 'ada@upgrade.example', password }
  const { access_token } = await made<{ access_token: string }>('/auth/signup', person)
  headers['authorization'] = `Bearer ${access_token}`
  const { id: property_id } = await made<{ id: number }>('/properties-create', aProperty())
  const { id: account_id } = await made<{ id: number }>('/accounts-create', {
    name: 'Amelia',
    username: guest.user_name,
    password: guest.password,
    property_id,
  })
  const box = await made<{ id: number; nas_identifier: string; radius_secret: string }>('/gateways-create', {
    property_id,
    gateway_type_id: 13,
  })
  const acknowledged = { accounts: [] as number[], sessions: [] as string[] }

  /** One record written, once, however often it must be tried. */
  async function write(url: string, nth: number, waited: Waits) {
    const key = randomUUID()
    const calls: [string, object][] = [
      ['/accounts-create', { name: `Guest ${key}`, property_id }],
      ['/properties-update', { id: property_id, city: `City ${nth}` }],
      ['/accounts-update', { id: account_id, name: `Amelia ${nth}` }],
      ['/packages-create', { name: `Package ${key}` }],
    ]
    const [call, body] = calls[nth % calls.length] ?? ['', {}]
    const began = performance.now()
    let refused_at: number | null = null
    for (let wait_ms = again_ms; ; wait_ms = Math.min(2 * wait_ms, again_max_ms)) {
      const answer = await post(url, call, body, key).catch((error: unknown) => error as Error)
      if (answer instanceof Response && answer.ok) {
        const { data } = (await answer.json()) as { data: { id: number } }
        if (call === '/accounts-create') acknowledged.accounts.push(data.id)
        const now = performance.now()
        return waited.note(now - began, refused_at === null ? 0 : now - refused_at)
      }
      refused_at ??= performance.now()
      const how = answer instanceof Response ? `${answer.status} of ${call}` : answer.message
      waited.refused(how)
      if (performance.now() - began > patience_ms) return waited.note(Infinity, Infinity)
      await sleep(wait_ms)
    }
  }

  /** A node's gateway: by turns somebody signs in, their session begins, goes on and ends. */
  async function openTraffic(to: Node) {
    const gateway = await openGateway(to.ports, box, () => {}, 1000)
    const requests = waits()
    const packets = waits()
    const over = new AbortController()
    const open = new Set<Promise<void>>()
    const keep = (work: Promise<void>) => {
      open.add(work)
      void work.finally(() => open.delete(work))
    }
    async function every(ms: number, work: (nth: number) => Promise<void>) {
      const began = performance.now()
      for (let nth = 0; !over.signal.aborted; nth++) {
        keep(work(nth))
        await sleep(Math.max(0, began + (nth + 1) * ms - performance.now()))
      }
    }
    let mac = aMacAddress()
    async function packet(nth: number) {
      const step = nth % 4
      if (step === 0) mac = aMacAddress()
      const session = `${mac}-${Math.floor(nth / 4)}`
      const about = { user_name: guest.user_name, calling_station_id: mac }
      const began = performance.now()
      const report = {
        ...about,
        acct_session_id: session,
        acct_session_time: step * 10,
        acct_input_octets: step * 1000,
      }
      const answer =
        step === 0
          ? await gateway.send(
              gateway.accessPacket({ ...about, password: guest.password }),
              to.ports.access,
              patience_ms,
            )
          : await gateway.send(
              gateway.accountingPacket({ ...report, acct_status_type: [0, 1, 3, 2][step] ?? 3 }),
              to.ports.accounting,
              patience_ms,
            )
      if (step === 1 && answer?.code === code.accounting_response) acknowledged.sessions.push(session)
      if (step === 0 && answer !== null && answer.code !== code.access_accept) packets.refused('Access-Reject')
      packets.note(answer === null ? Infinity : performance.now() - began)
    }
    const running = [
      every(1000 / writes_a_second, (nth) => write(to.url, nth, requests)),
      every(1000 / packets_a_second, packet),
    ]
    return {
      requests,
      packets,
      async end() {
        over.abort()
        await Promise.all(running)
        await Promise.all(open)
        await gateway.close()
      },
    }
  }
  return { openTraffic, acknowledged }
}
