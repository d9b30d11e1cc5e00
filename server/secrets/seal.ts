// Seal: closes what the product must be able to read again (passwords of batches and accounts, tokens of other systems).
//
// AES-256-GCM under a key drawn from the installation's secret key. A sealed value is: version (1 byte), key id (4),
// nonce (12), tag (16), and the text. The key id says which key closed it, so that a changed key is told from damage.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  close(text: string): Buffer
  /** Throws when the value was damaged, or closed under another secret key. */
  open(sealed: Uint8Array): string
  /** The same for the same text, and telling nothing of it without the key. */
  fingerprint(text: string): Buffer
}

const version = 1
const lengths = { key: 32, key_id: 4, nonce: 12, tag: 16 }
const at = {
  key_id: 1,
  nonce: 1 + lengths.key_id,
  tag: 1 + lengths.key_id + lengths.nonce,
  text: 1 + lengths.key_id + lengths.nonce + lengths.tag,
}

export function openSeal(secretKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'foyer seal', lengths.key))
  const key_id = createHash('sha256').update(key).digest().subarray(0, lengths.key_id)

  return {
    close(text) {
      const nonce = randomBytes(lengths.nonce)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([version]), key_id, nonce, cipher.getAuthTag(), closed])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== version || bytes.length < at.text) throw new Error('this is no sealed value')
      if (!bytes.subarray(at.key_id, at.nonce).equals(key_id))
        throw new Error('this value was sealed under another secret key: set SECRET_KEY to the one it was made with')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(at.nonce, at.tag), {
        authTagLength: lengths.tag,
      })
      decipher.setAuthTag(bytes.subarray(at.tag, at.text))
      return decipher.update(bytes.subarray(at.text), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: (text) => createHmac('sha256', key).update(text).digest(),
  }
}
