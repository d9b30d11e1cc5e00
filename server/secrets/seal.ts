// Seal: encrypts what the product must be able to read again (passwords of batches and accounts, tokens of other systems).
//
// AES-256-GCM under a key derived from one of the installation's secret keys. A sealed value is: version (1 byte), key id (4),
// nonce (12), tag (16), and the text. The key id says which key closed it, so that keys can be changed while the program runs, and a
// missing key is distinguished from damage. A value opens only in the place for which it was closed: moved to another row, or to
// another customer, it is rejected like a damaged one.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { lineOf, type SealedPlace } from '#server/secrets/sealed-columns.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

export interface Seal {
  close(text: string, place: SealedPlace): Buffer
  /** Throws when the value was damaged, belongs elsewhere, or was closed under a key that is not there. */
  open(sealed: Uint8Array, place: SealedPlace): string
}

/** Version 1 was not bound to places. */
const versions = { placeless: 1, placed: 2 }
const lengths = { key: 32, key_id: 4, nonce: 12, tag: 16 }
const at = {
  key_id: 1,
  nonce: 1 + lengths.key_id,
  tag: 1 + lengths.key_id + lengths.nonce,
  text: 1 + lengths.key_id + lengths.nonce + lengths.tag,
}

interface Key {
  id: Buffer
  bytes: Buffer
  /** Given the bytes instead, a cipher takes three times as long. */
  object: KeyObject
  /** Of every value that is closed under it. */
  beginning: Buffer
}

/** Drawn for many values at once: a draw takes as long as half of what else is done for one. */
const nonces_drawn = 512
let nonces = Buffer.alloc(0)
let next = 0
function newNonce(): Buffer {
  if (next === nonces.length) [nonces, next] = [randomBytes(nonces_drawn * lengths.nonce), 0]
  return nonces.subarray(next, (next += lengths.nonce))
}

/** @param sealing the id of the key that all nodes use for sealing; by default, the newest. */
export function openSeal(secretKeys: SecretKeys, sealing: () => Uint8Array | null = () => null): Seal {
  const known = new Map<string, Key>()
  function keyOf(secretKey: string): Key {
    const key = known.get(secretKey) ?? keyDerivedFrom(secretKey)
    known.set(secretKey, key)
    return key
  }
  function keyWithId(id: Uint8Array): Key {
    const key = secretKeys()
      .map(keyOf)
      .find((one) => one.id.equals(id))
    if (!key)
      throw new Error('this value was sealed under another secret key: SECRET_KEY must hold the one it was made with')
    return key
  }

  return {
    close(text, place) {
      const id = sealing()
      const key = id === null ? keyOf(secretKeys()[0]) : keyWithId(id)
      const nonce = newNonce()
      const cipher = createCipheriv('aes-256-gcm', key.object, nonce).setAAD(Buffer.from(lineOf(place)))
      const closed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([key.beginning, nonce, cipher.getAuthTag(), ...closed])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed)
      const version = bytes[0]
      if (!Object.values(versions).some((one) => one === version) || bytes.length < at.text)
        throw new Error('this is no sealed value')
      const key = keyWithId(bytes.subarray(at.key_id, at.nonce))
      const decipher = createDecipheriv('aes-256-gcm', key.object, bytes.subarray(at.nonce, at.tag), {
        authTagLength: lengths.tag,
      })
      decipher.setAuthTag(bytes.subarray(at.tag, at.text))
      if (version === versions.placed) decipher.setAAD(Buffer.from(lineOf(place)))
      return decipher.update(bytes.subarray(at.text), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function keyDerivedFrom(secretKey: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, '', 'foyer seal', lengths.key))
  const id = createHash('sha256').update(bytes).digest().subarray(0, lengths.key_id)
  return { id, bytes, object: createSecretKey(bytes), beginning: beginningUnder(id) }
}

export const keyIdOf = (secretKey: string) => keyDerivedFrom(secretKey).id
/** The first bytes of every value closed under the key; others have another key, or are not bound to a place. */
export const beginningUnder = (key_id: Uint8Array) => Buffer.concat([Buffer.from([versions.placed]), key_id])

/** Equal for equal texts, and without the key it reveals nothing about them. */
export type Fingerprint = (text: string) => Buffer
export function fingerprintUnder(bytes: Uint8Array): Fingerprint {
  const key = createSecretKey(bytes)
  return (text) => createHmac('sha256', key).update(text).digest()
}
/** The key of fingerprints before they had one of their own. */
export const formerFingerprintKey = (secretKey: string) => keyDerivedFrom(secretKey).bytes
export const newFingerprintKey = () => randomBytes(lengths.key)
