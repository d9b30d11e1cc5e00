// Keep: stores files of a customer: their content in the storage, and a row about each in the table `files`.
//
// All content that the table refers to is in the storage. It is put there first, outside of any transaction; as it may be removed as
// unused (unused.ts) before the row is written, both take the same lock, and the content is checked again before that.
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import { Refused } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { Hash, Storage } from './storage.ts'

export interface NewFile {
  name: string
  content_type: string
  content: Buffer
  width?: number
  height?: number
}
export interface StoredFile extends NewFile {
  hash: Hash
}

const lockOf = (customer_id: number, hash: Hash) => sql`hashtextextended(${`file ${customer_id} ${hash}`}, 0)`
/** Until the transaction ends, nobody can remove this content. */
const protectContent = (scope: Scope, hash: Hash) =>
  scope.run(sql`select pg_advisory_xact_lock_shared(${lockOf(scope.customer_id, hash)})`)
/** Until the transaction ends, nobody can begin to use this content. */
export const reserveContent = (scope: Scope, hash: Hash) =>
  scope.run(sql`select pg_advisory_xact_lock(${lockOf(scope.customer_id, hash)})`)

/** Stores its content, before the transaction that will refer to it. */
export const storeFile = async (storage: Storage, customer_id: number, file: NewFile): Promise<StoredFile> => ({
  ...file,
  hash: await storage.put(customer_id, file.content),
})

/** Adds a stored file to the table; returns its id. */
export async function keepFile(
  scope: Scope,
  storage: Storage,
  { content, hash, ...file }: StoredFile,
): Promise<number> {
  await protectContent(scope, hash)
  if (!(await storage.has(scope.customer_id, hash))) await storage.put(scope.customer_id, content)
  return scope.insert('files', { ...file, sha256: Buffer.from(hash, 'hex'), byte_size: content.length })
}

/** One of many files, whose content is not kept in memory. */
export interface StoredContent {
  /** Unique among them. */
  name: string
  content_type: string
  byte_size: number
  hash: Hash
  /** Of content that is encrypted (sealed-files.ts). */
  sealed_key?: Buffer | null
}

/** Adds many stored files to the table; returns the id of each by its name. */
export async function keepFiles(scope: Scope, storage: Storage, files: StoredContent[]): Promise<Map<string, number>> {
  const hashes = [...new Set(files.map(({ hash }) => hash))]
  const keys = sql.join(hashes.map((hash) => lockOf(scope.customer_id, hash)))
  await scope.run(sql`select pg_advisory_xact_lock_shared(key) from unnest(array[${keys}]) as key order by key`)
  const there = await Promise.all(hashes.map((hash) => storage.has(scope.customer_id, hash)))
  // Removed as unused meanwhile, which practically never happens. A retry stores it again.
  if (there.includes(false)) throw new Refused('unavailable', { retry_after_s: 1 })
  const rows = files.map(({ sealed_key = null, ...file }) => ({ ...file, sealed_key: sealed_key?.toString('hex') }))
  const kept = await scope.run(sql<ColumnsOf<'files', 'id' | 'name'>>`
    insert into files (name, content_type, byte_size, sha256, sealed_key)
    select r.name, r.content_type, r.byte_size, decode(r.hash, 'hex'), decode(r.sealed_key, 'hex')
    from json_to_recordset(${JSON.stringify(rows)})
      as r(name text, content_type text, byte_size bigint, hash text, sealed_key text)
    returning id, name`)
  return new Map(kept.map(({ id, name }) => [name, id]))
}
