// Writer: a database of several servers, of which one takes what is written and the others copy it. Which one that is changes when it
// fails, so each new connection goes to the one that takes writes by then.
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { noteLost } from '#server/errors/lost-database.ts'
import { textOf } from '#server/errors/thrown.ts'
import { hostsOf, shown, withHost, type Host } from '#server/start/database-address.ts'

/** What is found out serves all connections that are opened within this time. */
const found_for_ms = 1000
const answer_max_ms = 2000
/** How long a second server may take to say that it takes writes, too, once one has. */
const second_ms = 250

/** How `pg`, and libraries that use it, connect to the database of a URL. Spread into their options. */
export const connectionTo = (url: string): { connectionString: string; stream: () => Socket } => ({
  connectionString: url,
  stream: () => (hostsOf(url).length > 1 ? new SocketToWriter(writerOf(url)) : new DatabaseSocket()),
})

/** Its errors are told from those of other networks. */
class DatabaseSocket extends Socket {
  constructor() {
    super()
    this.on('error', noteLost)
  }
}

class SocketToWriter extends DatabaseSocket {
  readonly #writer: Writer
  constructor(writer: Writer) {
    super()
    this.#writer = writer
  }
  /** Whichever server is asked for. */
  override connect(): this {
    this.#writer.find().then(
      (host) => {
        if (this.destroyed) return
        this.#writer.join(this, host)
        super.connect(host.port, host.host)
      },
      (error: Error) => this.destroy(error),
    )
    return this
  }
}

const known = new Map<string, Writer>()
function writerOf(address: string): Writer {
  const writer = known.get(address) ?? new Writer(address)
  known.set(address, writer)
  return writer
}

/** None of the servers takes writes. The code is that of a server that is starting. */
class NoWriter extends Error {
  readonly code = '57P03'
}

class Writer {
  readonly #address: string
  #found: Promise<Host> | null = null
  #found_at = -Infinity
  /** Connections, by the server that they lead to. */
  readonly #connected = new Map<Socket, string>()
  constructor(address: string) {
    this.#address = address
  }

  join(socket: Socket, host: Host) {
    this.#connected.set(socket, shown(host))
    socket.once('close', () => this.#connected.delete(socket))
  }

  /** One that was replaced may be frozen or cut off: whoever waits for its answer would wait long. */
  #leaveOthers(found: Host) {
    for (const [socket, host] of this.#connected)
      if (host !== shown(found)) socket.destroy(new Error(`${shown(found)} takes writes by now, and not ${host}`))
  }

  find(): Promise<Host> {
    if (this.#found && performance.now() - this.#found_at < found_for_ms) return this.#found
    this.#found_at = performance.now()
    const found = this.#look()
    this.#found = found
    found.then(
      (host) => {
        this.#found_at = performance.now()
        this.#leaveOthers(host)
      },
      () => (this.#found = null),
    )
    return found
  }

  /** Of several that take writes, as when one that was replaced comes back, the one that was promoted last. */
  async #look(): Promise<Host> {
    const writers: { host: Host; timeline: number }[] = []
    const refusals: string[] = []
    const asked = hostsOf(this.#address).map(async (host) => {
      try {
        const timeline = await timelineOf(this.#address, host)
        if (timeline === null) refusals.push(`${shown(host)} is a standby`)
        else writers.push({ host, timeline })
      } catch (error) {
        refusals.push(`${shown(host)} (${textOf(error)})`)
      }
      return writers.length > 0
    })
    const all = Promise.all(asked)
    const first = Promise.any(asked.map(async (one) => (await one) || Promise.reject(new Error('a copy')))).catch(
      () => all,
    )
    await Promise.race([all, first.then(() => sleep(second_ms))])
    const [latest] = writers.toSorted((one, other) => other.timeline - one.timeline)
    if (latest) return latest.host
    throw new NoWriter(`None of the servers of the database takes writes: ${refusals.join(', ')}`)
  }
}

/** How often a copy was promoted before this server came to write. Null: it is a copy. */
async function timelineOf(address: string, host: Host): Promise<number | null> {
  const client = new pg.Client({
    connectionString: withHost(address, host),
    connectionTimeoutMillis: answer_max_ms,
    query_timeout: answer_max_ms,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    )
    const timeline = rows[0]?.timeline
    return timeline == null ? null : Number.parseInt(timeline, 16)
  } finally {
    client.end().catch(() => {})
  }
}
