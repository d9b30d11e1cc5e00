// Read: values that redirects have in common, normalised or null.
import { createHash } from 'node:crypto'
import { leadingMacIn } from '#contract/mac-address.ts'
import type { Query } from './kind.ts'

/** The value of the first of these names that is not empty. */
export const first = (query: Query, ...names: string[]): string | null =>
  names.map((name) => query[name]).find((value) => value !== undefined && value !== '') ?? null

/** In any notation; some append the network's name. */
export const macIn = (text: string | null): string | null => (text === null ? null : leadingMacIn(text))

/** Only web addresses are ever linked to. */
export const webAddressIn = (text: string | null): string | null =>
  text !== null && text.length <= 2000 && /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(text) ? text : null

export const md5Hash = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** How redirects are told apart that have neither a name nor a MAC address; no registered name has a blank. */
export const stray_names = { host: 'host', sealed: 'sealed' } as const
