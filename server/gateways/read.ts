// Read: the values that redirects have in common, each in the one notation or null.
import { createHash } from 'node:crypto'
import { macAddress } from '#contract/mac-address.ts'
import type { Query } from './kind.ts'

/** The first of these names that says something. */
export const first = (query: Query, ...names: string[]): string | null =>
  names.map((name) => query[name]).find((value) => value !== undefined && value !== '') ?? null

/** `AA-BB-…`, `aa:bb:…` and the like; longer texts, as some put the network's name behind it, by their beginning. */
export const macIn = (text: string | null): string | null =>
  text === null ? null : (macAddress.safeParse(text.slice(0, 17)).data ?? null)

/** Nothing but addresses of the web is ever linked to. */
export const webAddressIn = (text: string | null): string | null =>
  text !== null && text.length <= 2000 && /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(text) ? text : null

export const md5 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
