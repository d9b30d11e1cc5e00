// Keep: files of a customer: their content in the storage, and beside it the row that says what each is.
//
// Whatever the table names is in the storage. Content is put there first, outside of any transaction; it may be removed as
// unused (unused.ts) before the row is written, so both hold the same lock, and the one who writes the row looks again.
import { sql } from 'kysely'
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
/** Until the transaction ends, nobody removes this content. */
const holdContent = (scope: Scope, hash: Hash) =>
  scope.run(sql`select pg_advisory_xact_lock_shared(${lockOf(scope.customer_id, hash)})`)
/** Until the transaction ends, nobody begins to use this content. */
export const reserveContent = (scope: Scope, hash: Hash) =>
  scope.run(sql`select pg_advisory_xact_lock(${lockOf(scope.customer_id, hash)})`)

/** Puts its content on the disk, before the transaction that will name it. */
export const storeFile = async (storage: Storage, customer_id: number, file: NewFile): Promise<StoredFile> => ({
  ...file,
  hash: await storage.put(customer_id, file.content),
})

/** Names a stored file in the table; answers its id. */
export async function keepFile(
  scope: Scope,
  storage: Storage,
  { content, hash, ...file }: StoredFile,
): Promise<number> {
  await holdContent(scope, hash)
  if (!(await storage.has(scope.customer_id, hash))) await storage.put(scope.customer_id, content)
  return scope.insert('files', { ...file, sha256: Buffer.from(hash, 'hex'), byte_size: content.length })
}

/** One of many, whose content is not held in memory. */
export interface StoredContent {
  /** Its own among the many. */
  name: string
  content_type: string
  byte_size: number
  hash: Hash
}

/** Names many stored files in the table; answers the id of each by its name. */
export async function keepFiles(scope: Scope, storage: Storage, files: StoredContent[]): Promise<Map<string, number>> {
  const hashes = [...new Set(files.map(({ hash }) => hash))]
  const keys = sql.join(hashes.map((hash) => lockOf(scope.customer_id, hash)))
  await scope.run(sql`select pg_advisory_xact_lock_shared(key) from unnest(array[${keys}]) as key order by key`)
  const there = await Promise.all(hashes.map((hash) => storage.has(scope.customer_id, hash)))
  // Removed as unused between the two: as good as never. Sent again, it is stored again.
  if (there.includes(false)) throw new Refused('unavailable', { retry_after_s: 1 })
  const rows = await scope.run(sql<{ id: number; name: string }>`
    insert into files (name, content_type, byte_size, sha256)
    select r.name, r.content_type, r.byte_size, decode(r.hash, 'hex') from json_to_recordset(${JSON.stringify(files)})
      as r(name text, content_type text, byte_size bigint, hash text)
    returning id, name`)
  return new Map(rows.map(({ id, name }) => [name, id]))
}
