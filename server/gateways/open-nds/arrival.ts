// Arrival from an openNDS: one field of Base64 with all that it says; at its levels 2 and 3 encrypted with the key that it shares with us.
import { createDecipheriv } from 'node:crypto'
import type { Arrival, Query, Redirect } from '#server/gateways/kind.ts'
import { first, macIn, webAddressIn } from '#server/gateways/read.ts'

/** The box appends its serial number to the name, with a space at the end. */
const serial_number = / Node:[0-9a-f]{12} ?$/
const fas_chars_max = 4000
const key_bytes = 32

/** `hid=…, clientmac=…, gatewayname=…`, as the box has written it. @param key of one that encrypts */
export function textIn({ fas, iv }: Query, key: string | null): string | null {
  if (fas === undefined || fas.length > fas_chars_max || !/^[\w+/=-]+$/.test(fas)) return null
  const bytes = Buffer.from(fas, 'base64')
  if (iv === undefined) return bytes.toString('utf8')
  return key === null ? null : decrypted(Buffer.from(bytes.toString('latin1'), 'base64'), key, iv)
}

/** The key is its text, cut or filled up. */
function decrypted(bytes: Buffer, key: string, iv: string): string | null {
  const whole = Buffer.alloc(key_bytes)
  whole.write(key, 'utf8')
  try {
    const decipher = createDecipheriv('aes-256-cbc', whole, Buffer.from(iv, 'latin1'))
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
  } catch {
    // It is another's.
    return null
  }
}

const pairsIn = (text: string) => text.split(', ').map((pair) => pair.split('=', 2))

/** Decoded. */
export function fieldsOf(query: Query, key: string | null): Query | null {
  const text = textIn(query, key)
  if (text === null) return null
  const fields = Object.fromEntries(pairsIn(text).map(([name = '', value = '']) => [name, decoded(value)]))
  return fields['hid'] ? fields : null
}

/** The gateway's name in the encoding in which the box has written it. */
export const nameAsWritten = (query: Query, key: string | null): string =>
  pairsIn(textIn(query, key) ?? '').find(([name]) => name === 'gatewayname')?.[1] ?? ''

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const isEncrypted = ({ fas, iv }: Query) => fas !== undefined && iv !== undefined

const arrivalOf = (fields: Query): Arrival => ({
  nas_identifier: first(fields, 'gatewayname')?.replace(serial_number, '') ?? null,
  gateway_mac: macIn(first(fields, 'gatewaymac')),
  mac_address: macIn(first(fields, 'clientmac')),
  wanted: webAddressIn(first(fields, 'originurl')),
  outcome: null,
  isGenuine: null,
})

export function arrival({ query }: Redirect): Arrival | null {
  if (isEncrypted(query)) {
    const opened = ({ secret }: { secret: string }) => {
      const fields = fieldsOf(query, secret)
      return fields && arrivalOf(fields)
    }
    return { ...nothing, opened }
  }
  const fields = fieldsOf(query, null)
  return fields && arrivalOf(fields)
}

const nothing: Arrival = {
  nas_identifier: null,
  gateway_mac: null,
  mac_address: null,
  wanted: null,
  outcome: null,
  isGenuine: null,
}
