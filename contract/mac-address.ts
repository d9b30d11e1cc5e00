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
