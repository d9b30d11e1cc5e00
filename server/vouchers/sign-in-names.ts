// Sign-in names: what somebody who signed in with a code is called afterwards, in attempts and sessions. A name that has the form of a
// code is kept without it, whosever it is, unless nodes of the release before read it: they would show and compare another one.
import { isCode, masked, normalised, shown } from '#contract/vouchers.ts'
import { macAddress } from '#contract/mac-address.ts'
import type { Scope } from '#server/access/tenancy.ts'
import type { StoredCode } from '#server/secrets/voucher-codes.ts'

/** Of somebody who holds the voucher. */
export const nameBy = ({ codes }: Scope, voucher: StoredCode & { last_four: string }): string =>
  codes.arePlain ? shown(codes.open(voucher)) : masked(voucher.last_four)

/** Of somebody who is no account, device or guest. A device's own address is no code, although it may have the form of one. */
export function keptName({ codes }: Scope, typed: string, mac_address: string | null): string {
  const code = normalised(typed)
  return codes.arePlain || !isCode(code) || isAddress(typed, mac_address) ? typed : masked(code)
}

/**
 * The same of a user name that a gateway knows a session by: the symbols that are hidden can be put back where the session's voucher
 * is known, in the spelling in which they were reported.
 */
export function keptUserName({ codes }: Scope, reported: string, mac_address: string | null): string {
  const hides = !codes.arePlain && isCode(normalised(reported)) && !isAddress(reported, mac_address)
  return hides
    ? reported.replaceAll(beforeLastFour, (symbol) => (isSmall.test(symbol) ? hidden.small : hidden.other))
    : reported
}
/** A small letter has a mark of its own, since the last four may be digits, and gateways tell spellings apart. */
const hidden = { small: '·', other: '•' }
const isSmall = /\p{Ll}/u
const beforeLastFour = /[\p{L}\p{N}](?=(?:[^\p{L}\p{N}]*[\p{L}\p{N}]){4})/gu

const isAddress = (typed: string, mac_address: string | null) =>
  mac_address !== null && macAddress.safeParse(typed).data === mac_address

/** What the gateway called it; null where that cannot be said. */
export function reportedUserName(
  { codes }: Scope,
  { username, ...voucher }: StoredCode & { username: string | null },
): string | null {
  if (username === null || !/[·•]/.test(username)) return username
  if (voucher.code === null && voucher.sealed_code === null) return null
  const symbols = codes.open(voucher).split('')
  if ([...username.matchAll(symbols_of_name)].length !== symbols.length) return null
  return username.replaceAll(symbols_of_name, (kept) => {
    const symbol = symbols.shift() ?? ''
    return kept === hidden.small ? symbol.toLowerCase() : kept === hidden.other ? symbol : kept
  })
}
const symbols_of_name = /[\p{L}\p{N}·•]/gu
