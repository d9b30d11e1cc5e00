// MAC address: the six bytes that identify a device on a network, accepted in any usual notation and stored in one.
import { z } from 'zod'
import './field-errors.ts'

const sentence = 'Please write the MAC address as 00:00:5e:00:53:01'

/** Separators between the digits: `00:00:5e:00:53:01`, `00-00-5E-…`, `0000.5e00.5301`, `00005E 005301`, or none. */
const separators = /[\s:.\-‐-―]/g

const written = (typed: string): string => (typed.toLowerCase().replace(separators, '').match(/../g) ?? []).join(':')

const bitsOf = (mac_address: string) => Number.parseInt(mac_address.slice(0, 2), 16)

/** Multicast, broadcast or all zeros: no single device has it. */
const belongsToNoDevice = (mac_address: string) =>
  (bitsOf(mac_address) & 1) === 1 || mac_address === '00:00:00:00:00:00'

/**
 * A phone makes such an address up for each network to avoid being tracked, and may change it at any time. It is recognised by the
 * second bit of the first byte: its second digit is 2, 6, A or E.
 */
export const isRandomised = (mac_address: string): boolean => (bitsOf(mac_address) & 2) === 2

/** Any usual notation in, `aa:bb:cc:dd:ee:ff` out. */
export const macAddress = z
  .string()
  .trim()
  .min(1, { abort: true })
  .max(40)
  .refine((typed) => /^[0-9a-f]{12}$/i.test(typed.replace(separators, '')), sentence)
  .transform(written)
  .pipe(z.string().refine((mac) => !belongsToNoDevice(mac), 'This address belongs to no single device'))

/** Groups of two, four, six or twelve digits with one separator throughout: neither a UUID nor a longer number begins with one. */
const leading = [2, 4, 6, 12].map((size) => {
  const [group, more] = [`[0-9a-f]{${size}}`, 12 / size - 1]
  const others = more === 0 ? '' : `([\\s:.\\-‐-―])${group}(?:\\1${group}){${more - 1}}`
  return new RegExp(`^${group}${others}(?![0-9a-f])`, 'i')
})

/** The address that a text begins with: access points append the network's name to theirs (`00-00-5E-00-53-01:Lobby`). */
export function leadingMacIn(text: string): string | null {
  for (const notation of leading) {
    const [found] = notation.exec(text) ?? []
    if (found !== undefined) return macAddress.safeParse(found).data ?? null
  }
  return null
}
