// IPv6: addresses and prefixes, as bytes in packets and as text.
import { isIPv6 } from 'node:net'

const bytes_all = 16

/** In canonical notation (RFC 5952); null where the bytes are not an address. */
export function addressOf(bytes: Uint8Array): string | null {
  if (bytes.length !== bytes_all) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const words = Array.from({ length: 8 }, (_, n) => view.getUint16(2 * n).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}

/** The bytes are a reserved one, the length in bits, and as many more as that takes (RFC 3162). */
export function prefixOf(bytes: Uint8Array): string | null {
  const length = bytes[1]
  if (length === undefined || length > 8 * bytes_all || bytes.length > 2 + bytes_all) return null
  const kept = Buffer.alloc(bytes_all)
  kept.set(bytes.subarray(2, 2 + Math.ceil(length / 8)))
  // Bits after the prefix are not part of it.
  if (length % 8 > 0) kept[length >> 3] = (kept[length >> 3] ?? 0) & (0xff << (8 - (length % 8)))
  const address = addressOf(kept)
  return address === null ? null : `${address}/${length}`
}

/** Empty where it is not an address. */
export function bytesOf(address: string): Buffer {
  if (!isIPv6(address) || address.includes('%')) return Buffer.alloc(0)
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const wordsOf = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)))
  const [left, right] = [wordsOf(before), wordsOf(after ?? '')]
  const words = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]))
}

export function bytesOfPrefix(prefix: string): Buffer {
  const [address = '', length = ''] = prefix.split('/')
  const bytes = bytesOf(address)
  return bytes.length === 0 ? bytes : Buffer.concat([Buffer.of(0, Number(length)), bytes])
}
