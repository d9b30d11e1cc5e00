// Base backup: a copy of a running PostgreSQL's files, taken by its replication protocol, with the WAL that makes them
// consistent. It does what pg_basebackup does, which the packaged PostgreSQL lacks.
import { Readable } from 'node:stream'
import { Client, type Connection, type Submittable } from 'pg'
import { connectionTo } from '#server/db/writer.ts'

/** Keeps WAL from being removed before it is copied. */
const slot = 'foyer_backup'
const commands = {
  reserve: `CREATE_REPLICATION_SLOT ${slot}_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`,
  copy: `BASE_BACKUP (LABEL 'foyer', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'no')`,
}
/** The first byte of each message of the copy is its type. */
const carries_data = 'd'.charCodeAt(0)
const bytes_per_kb = 1024

export interface BaseBackup {
  /** One archive in tar's format. */
  tar: Readable
  /** The approximate size, known once the copy has begun; the WAL is not included. */
  bytes_about: Promise<number>
  close(): Promise<void>
}

/** @param url with a superuser's login */
export async function openBaseBackup(url: string): Promise<BaseBackup> {
  // The driver passes `replication` on to the server; its types lack it.
  const options = { ...connectionTo(url), replication: 'true', application_name: 'foyer backup' }
  const client = new Client(options)
  client.on('error', () => {})
  await client.connect()
  await client.query(commands.reserve)
  const copy = new Copy()
  client.query(copy)
  return { tar: copy.tar, bytes_about: copy.bytes_about.promise, close: () => client.end() }
}

/** One command, two small results, and then a copy that is read as fast as it is consumed. */
class Copy implements Submittable {
  readonly bytes_about = Promise.withResolvers<number>()
  readonly tar: Readable
  #connection: Connection | undefined

  constructor() {
    this.bytes_about.promise.catch(() => {})
    this.tar = new Readable({ read: () => void this.#connection?.stream.resume() })
  }

  submit(connection: Connection) {
    this.#connection = connection
    connection.query(commands.copy)
  }
  handleRowDescription() {}
  /** First the position in the WAL where it begins; then the tablespaces, of which there is one, with their size. */
  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const [, , size_kb] = fields
    if (size_kb !== undefined) this.bytes_about.resolve(Number(size_kb) * bytes_per_kb)
  }
  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection) {
    if (chunk[0] !== carries_data) return
    // Copied, because the driver reuses its buffer.
    if (!this.tar.push(Buffer.from(chunk.subarray(1)))) connection.stream.pause()
  }
  handleCommandComplete() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
  handleReadyForQuery() {
    this.bytes_about.resolve(0)
    this.tar.push(null)
  }
  handleError(error: Error) {
    this.bytes_about.reject(error)
    this.tar.destroy(error)
  }
}
