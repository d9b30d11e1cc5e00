// Sealed files: files that name guests, such as those of reports, are encrypted in the storage, each under a key of its own that is kept
// sealed in its row. Whoever has the folder or bucket, and a dump of the database too, reads none of them without the secret key.
import { Readable } from 'node:stream'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Tenancy } from '#server/access/tenancy.ts'
import { areAtWork } from '#server/access/former-nodes.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Hash, Storage } from './storage.ts'

/** A node of a release before sends what it finds in the storage. */
const opened_since = '1.0.0'

export interface SealedContent {
  hash: Hash
  /** As long as it is when it is opened. */
  byte_size: number
  /** Null: it lies there as it is. */
  sealed_key: Buffer | null
}

/** Like `putStream` of the storage; sealed wherever all nodes that may be at work open it. */
export async function putSealed(
  { tenancy, storage, seal }: { tenancy: Tenancy; storage: Storage; seal: Seal },
  customer_id: number,
  content: Readable,
  byte_size_max: number,
): Promise<SealedContent> {
  if (await areAtWork(tenancy, opened_since))
    return { ...(await storage.putStream(customer_id, content, byte_size_max)), sealed_key: null }
  let byte_size = 0
  async function* counted() {
    for await (const made of content) {
      const bytes = Buffer.from(made as Uint8Array | string)
      byte_size += bytes.byteLength
      yield bytes
    }
  }
  const identity = await generateX25519Identity()
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  try {
    const closed = await encrypter.encrypt(asWeb(counted()))
    const { hash } = await storage.putStream(customer_id, closed, byte_size_max)
    return { hash, byte_size, sealed_key: seal.close(identity, placeIn('files.sealed_key', { customer_id }, hash)) }
  } finally {
    content.destroy()
  }
}

/** Null if there is none. What was changed or cut off fails while it is read. */
export async function readSealed(
  { storage, seal }: { storage: Storage; seal: Seal },
  customer_id: number,
  { hash, sealed_key }: Pick<SealedContent, 'hash' | 'sealed_key'>,
): Promise<Readable | null> {
  const identity = sealed_key && seal.open(sealed_key, placeIn('files.sealed_key', { customer_id }, hash))
  const found = await storage.read(customer_id, hash)
  if (!found || identity === null) return found?.content ?? null
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    // Not `Readable.fromWeb`: that fails before anybody reads it, which ends the program.
    return Readable.from(await decrypter.decrypt(asWeb(found.content)), { objectMode: false })
  } catch (error) {
    found.content.destroy()
    throw error
  }
}

/** Not `Readable.toWeb`: that ends the program where the reader goes away. */
function asWeb(content: AsyncIterable<Uint8Array>) {
  const parts = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await parts.return?.()),
  })
}
