// Links: the connections that nodes keep with properties' systems. A node holds an interface by a lease; one that fell silent loses it.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { callerOfJob } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import type { Queue } from '#server/jobs/queue.ts'
import type { SafeConnect } from '#server/outbound/safe-connect.ts'
import { NotReached } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import type { StayUpdate } from '#server/stays/stay-updates.ts'
import type { Log } from '#server/watch/log.ts'
import { ensureLink } from '#server/stays/property-link.ts'
import { receiveUpdates, lastUpdateAt } from './receive-updates.ts'
import { interfaceOf, type Interface } from './interfaces.ts'
import { markDown, markUp, addLinkRecords, requestSnapshot } from './link-state.ts'
import { takeInquiry } from './inquiries.ts'
import { systemOf, systems } from './kinds.ts'
import { interfaceSettings } from './interface-settings.ts'

/** How often a node looks for interfaces that nobody keeps, and says that it keeps its own. */
const look_ms = 2000
const beat_ms = 5000
const lease_s = 20
const [wait_min_ms, wait_max_ms] = [1000, 60_000]
/** Connections of one node: others are left to others. */
export const links_max = 500

export interface Links {
  close(): Promise<void>
}

interface Needs {
  tenancy: Tenancy
  queue: Queue
  seal: Seal
  safeConnect: SafeConnect
  log: Log
}

/** Another node has it by now, or nobody wants it any more. */
class Lost extends Error {
  override name = 'Lost'
}

const kept_types = systems.filter(({ talk }) => talk !== undefined).map(({ definition }) => definition.id)

export function openLinks(needs: Needs): Links {
  const { tenancy, log } = needs
  const holder = randomUUID()
  const kept = new Map<number, Link>()
  let isClosed = false
  const looking = setInterval(
    () => void look().catch((err: unknown) => log.warn({ err }, 'property systems to link to could not be looked up')),
    look_ms,
  )

  async function look() {
    if (isClosed || kept.size >= links_max) return
    const free = await tenancy.callFunction(sql<{ customer_id: number; id: number }>`
      select customer_id, id from door_free_links(${kept_types}::integer[])`)
    for (const { customer_id, id } of free) {
      if (isClosed || kept.has(id) || kept.size >= links_max) continue
      const one = new Link(needs, { customer_id, id, holder })
      kept.set(id, one)
      void one.run().finally(() => kept.delete(id))
    }
  }
  return {
    async close() {
      isClosed = true
      clearInterval(looking)
      await Promise.all([...kept.values()].map((one) => one.stop()))
    },
  }
}

class Link {
  private readonly needs: Needs
  private readonly of: { customer_id: number; id: number; holder: string }
  private readonly stopped = new AbortController()
  private done: Promise<void> | undefined
  private socket: { destroy(): unknown } | undefined
  private doubt: string | null = null
  /** Received updates are being written. More may wait behind them. */
  private isWriting = false
  /** Received updates may not have been written. The other side does not repeat them, so that a snapshot is requested. */
  private hasMissed = false
  /** When the lease was last renewed, in milliseconds of this process. */
  private renewed_at = performance.now()

  constructor(needs: Needs, of: { customer_id: number; id: number; holder: string }) {
    this.needs = needs
    this.of = of
  }

  run(): Promise<void> {
    return (this.done ??= this.keep())
  }
  async stop() {
    this.lose()
    await this.done
  }

  private enter<R>(work: (scope: Scope) => Promise<R>): Promise<R> {
    return this.needs.tenancy.enter(callerOfJob(this.of.customer_id, 'property system'), 'write', work)
  }
  private get isOurs() {
    return sql<boolean>`t.property_interface_id = ${this.of.id} and t.holder = ${this.of.holder}::uuid and t.held_until > now()`
  }

  private async keep() {
    const { log } = this.needs
    try {
      if (!(await this.take())) return
      const beating = setInterval(() => void this.beat().catch(() => this.loseIfLate()), beat_ms)
      try {
        await this.connectAgain()
      } finally {
        clearInterval(beating)
        await this.letGo()
      }
    } catch (err) {
      if (!(err instanceof Lost)) log.warn({ err, property_interface_id: this.of.id }, 'a link could not be kept')
    }
  }

  /** Takes the lease. The holder before may have stopped with unwritten updates: then a snapshot is requested. */
  private take() {
    const { id, holder } = this.of
    return this.enter(async (scope) => {
      if (!(await interfaceOf(scope, id))) return false
      await ensureLink(scope, id)
      const free = sql<boolean>`t.property_interface_id = ${id} and (t.held_until is null or t.held_until < now())`
      const taken = await scope.change('property_links', free, {
        holder,
        held_until: sql`now() + make_interval(secs => ${lease_s})`,
        wants_all: sql`t.wants_all or t.holder is not null`,
        pending: sql`case when t.holder is null then t.pending end`,
        pending_moves_out: sql`case when t.holder is null then t.pending_moves_out end`,
      })
      return taken.length > 0
    })
  }

  /** Renews the lease. A write holds the lock of the same row, and renews it itself. */
  private async beat() {
    if (this.isWriting) return
    if (!(await this.enter((scope) => this.renew(scope)))) this.lose()
  }
  /** Gives the link up where the lease was not renewed in time: another node may have it. */
  private loseIfLate() {
    if (performance.now() - this.renewed_at > lease_s * 1000) this.lose()
  }
  /** Renews the lease, and answers whether this node still has it. */
  private async renew(scope: Scope): Promise<boolean> {
    const held_until = sql`clock_timestamp() + make_interval(secs => ${lease_s})`
    const held = await scope.change('property_links', this.isOurs, { held_until })
    if (held.length > 0) this.renewed_at = performance.now()
    return held.length > 0
  }
  private lose() {
    this.stopped.abort()
    this.cut()
  }
  private cut() {
    this.hasMissed ||= this.isWriting
    this.socket?.destroy()
  }
  private async letGo() {
    const free = { holder: null, held_until: null, ...(this.hasMissed && { wants_all: true }) }
    await this.enter((scope) => scope.change('property_links', this.isOurs, free)).catch(() => {})
  }

  private async connectAgain() {
    let wait_ms = wait_min_ms
    const { signal } = this.stopped
    while (!signal.aborted) {
      const began = Date.now()
      const failure = await this.talkOnce()
      if (signal.aborted) return
      if (failure !== null) await this.fail(failure)
      if (Date.now() - began > wait_max_ms) wait_ms = wait_min_ms
      await sleep(wait_ms * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {})
      wait_ms = Math.min(wait_ms * 2, wait_max_ms)
    }
  }

  private async fail(failure: string) {
    await this.enter(async (scope) => {
      await markDown(scope, this.of.id, failure)
      if (this.hasMissed) await scope.change('property_links', this.isOurs, { wants_all: true })
    })
    this.hasMissed = false
  }

  /** Connects, and talks until the connection ends. Answers why it ended, as a sentence. */
  private async talkOnce(): Promise<string | null> {
    const known = await this.enter(async (scope) => {
      const found = await interfaceOf(scope, this.of.id)
      return found && { found, settings: await interfaceSettings(scope, this.needs.seal, found.id, found.settings) }
    })
    const talk = known && systemOf(known.found.type_id)?.talk
    if (!known || !talk || known.found.host === null) {
      this.lose()
      return null
    }
    const { found, settings } = known
    const { host, port } = found
    if (found.property_id === null) return 'It is for several properties.'
    if (host === null || port === null) return 'Its port is missing.'
    this.doubt = null
    try {
      const socket = await this.needs.safeConnect({ host, port })
      this.socket = socket
      if (this.stopped.signal.aborted) socket.destroy()
      await talk(socket, settings, {
        wantsAll: () => this.wantsAll(found).catch((error: unknown) => this.looksAgain(error, false)),
        maySendKey: (key) => this.ours((scope) => this.mayTry(scope, key)),
        nextInquiry: () => this.inquiry(found).catch((error: unknown) => this.looksAgain(error, null)),
        lastUpdateAt: () => this.enter((scope) => lastUpdateAt(scope, found.id)),
        up: () => this.up(found, [{ sentence: 'The link is up', personal: null }]),
        alive: () => this.up(found, []),
        doubt: (sentence) => void (this.doubt = sentence),
        receive: (updates) => this.ours((scope) => this.takeIn(scope, found, updates)),
      })
      return 'The other side closed the connection.'
    } catch (error) {
      if (error instanceof Lost) this.lose()
      if (error instanceof NotReached) return `There is no link: ${error.message}.`
      if (!(error instanceof Lost))
        this.needs.log.warn({ err: error, property_interface_id: this.of.id }, 'a link was cut')
      return 'The connection was cut.'
    } finally {
      this.hasMissed ||= this.isWriting
      this.isWriting = false
      this.socket = undefined
    }
  }

  /** Logs a check that failed; it is made again soon, and the connection is kept. */
  private looksAgain<R>(error: unknown, meanwhile: R): R {
    if (error instanceof Lost) this.lose()
    else
      this.needs.log.warn(
        { err: error, property_interface_id: this.of.id },
        'a link to a property system could not be maintained',
      )
    return meanwhile
  }
  /** The next room to ask about. None while a write holds the lock that this would wait for. */
  private async inquiry(found: Interface) {
    return this.isWriting ? null : this.held((scope) => takeInquiry(scope, found.id))
  }

  /**
   * Whether a snapshot is wanted; none while one waits for a person. Cuts the connection where the form was saved meanwhile.
   */
  private wantsAll(found: Interface) {
    return this.enter(async (scope) => {
      const now = await interfaceOf(scope, found.id)
      if (JSON.stringify(now) !== JSON.stringify(found)) {
        this.cut()
        return false
      }
      const [link] = await scope.run(sql<{ wants_all: boolean }>`
        select t.wants_all and t.pending is null as wants_all from property_links as t
        where ${this.isOurs} and ${scope.inReach('property_links', 't')}`)
      if (!link) throw new Lost()
      return link.wants_all
    })
  }

  private up(found: Interface, records: { sentence: string; personal: null }[]) {
    return this.ours(async (scope) => {
      await markUp(scope, found.id, { doubt: this.doubt })
      await this.readAnew(scope, found)
      const isNews = sql<boolean>`${this.isOurs} and (t.key_doubted or t.key_taken is distinct from t.key_tried)`
      await scope.change('property_links', isNews, { key_taken: sql`t.key_tried`, key_doubted: false })
      await addLinkRecords(scope, found.id, records)
    })
  }
  /**
   * Requests a snapshot where server, property or settings have changed since updates were last read, also while no node was linked. Nodes
   * of the release before remember the settings alone, which then is no change.
   */
  private async readAnew(scope: Scope, { id, host, port, property_id, settings }: Interface) {
    const read_as = hashOf(JSON.stringify([host, port, property_id, settings]))
    const without_server = hashOf(JSON.stringify(settings))
    const otherwise = sql<boolean>`${this.isOurs} and t.read_as not in (${read_as}, ${without_server})`
    if ((await scope.change('property_links', otherwise, { read_as })).length > 0) await requestSnapshot(scope, id)
    else
      await scope.change('property_links', sql<boolean>`${this.isOurs} and t.read_as is distinct from ${read_as}`, {
        read_as,
      })
  }
  private async takeIn(scope: Scope, found: Interface, updates: readonly StayUpdate[]) {
    await receiveUpdates(scope, this.needs.queue, found, updates, { doubt: this.doubt })
    await this.renew(scope)
  }
  /** Does work for what was just received. Where it fails, updates may not have been written. */
  private async ours<R>(work: (scope: Scope) => Promise<R>): Promise<R> {
    this.isWriting = true
    const done = await this.held(work)
    this.isWriting = false
    return done
  }
  /** Does work under the lease, so that nothing is written for a link that another node has taken over. */
  private held<R>(work: (scope: Scope) => Promise<R>): Promise<R> {
    return this.enter(async (scope) => {
      const ours = await scope.lock('property_links', this.isOurs)
      if (ours.length === 0) throw new Lost()
      return work(scope)
    })
  }
  /** Whether a key may be sent, which is noted first. That it was accepted is noted when the link is up. */
  private async mayTry(scope: Scope, key: string): Promise<boolean> {
    const [link] = await scope.run(sql<KnownKey>`
      select t.key_tried, t.key_taken, t.key_doubted
      from property_links as t where ${this.isOurs} and ${scope.inReach('property_links', 't')}`)
    const note = link && noteOfTry(link, hashOf(key))
    if (!note) return false
    await scope.change('property_links', this.isOurs, note)
    return true
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Of the keys of a link, by their hashes: which was sent, which brought the link up, and whether that one failed since. */
interface KnownKey {
  key_tried: string | null
  key_taken: string | null
  key_doubted: boolean
}

/**
 * What is to be noted before a key is sent; null: it is not sent. One that was taken before is sent a second time where the link did not
 * come up: it may have been cut, or the key may have been changed over there.
 */
export function noteOfTry({ key_tried, key_taken, key_doubted }: KnownKey, hash: string): KnownKey | null {
  const wasTaken = key_taken === hash
  if (key_tried === hash && !wasTaken) return null
  return { key_tried: hash, key_taken: wasTaken && !key_doubted ? hash : null, key_doubted: wasTaken }
}
