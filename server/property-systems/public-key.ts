// Public key: the key by which a property's system proves itself when it sends files, as `ssh-keygen` writes it.
import ssh2, { type ParsedKey } from 'ssh2'

export interface KnownKey {
  type: string
  /** As it goes over the wire. */
  bytes: Buffer
  verify(signed: Buffer, signature: Buffer, hash: string | undefined): boolean
}

/** In bytes of its wire form: of RSA, a modulus of 2048 bits. */
const rsa_bytes_min = 270
const types = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/

/** The key, or what is wrong with it. */
export function publicKeyIn(text: string): KnownKey | { sentence: string } {
  const parsed: ParsedKey | Error | (ParsedKey | Error)[] = ssh2.utils.parseKey(text.trim())
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (!key || key instanceof Error)
    return { sentence: 'This is not a public key. Paste the line of the file that ends in .pub: “ssh-ed25519 AAAA…”' }
  if (key.isPrivateKey())
    return { sentence: 'This is the private key, which nobody else may have. Make a new pair, and paste its .pub file' }
  const bytes = key.getPublicSSH()
  if (!types.test(key.type) || (key.type === 'ssh-rsa' && bytes.length < rsa_bytes_min))
    return { sentence: 'Keys of this kind are not accepted: make one with “ssh-keygen -t ed25519”' }
  return {
    type: key.type,
    bytes,
    verify: (signed, signature, hash) => key.verify(signed, signature, hash),
  }
}
