// Arrival from an openNDS: one field of Base64 with all that it says.
import { recognised } from '#server/gateways/external-portal.ts'
import type { Arrival, Query, Redirect } from '#server/gateways/kind.ts'
import { first, macIn, webAddressIn } from '#server/gateways/read.ts'

/** The box appends its serial number to the name, with a space at the end. */
const serial_number = / Node:[0-9a-f]{12} ?$/

/** `hid=…, clientmac=…, gatewayname=…`, each value URL-encoded. */
export function fieldsOf(query: Query): Query | null {
  const { fas } = query
  if (fas === undefined || fas.length > 4000 || !/^[\w+/=-]+$/.test(fas)) return null
  const text = Buffer.from(fas, 'base64').toString('utf8')
  const pairs = text.split(', ').map((pair) => pair.split('=', 2))
  const fields = Object.fromEntries(pairs.map(([name = '', value = '']) => [name, decoded(value)]))
  return fields['hid'] ? fields : null
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

export function arrival({ query }: Redirect): Arrival | null {
  // Levels 2 and 3 encrypt it.
  if (query['fas'] !== undefined && query['iv'] !== undefined) return recognised()
  const fields = fieldsOf(query)
  return (
    fields && {
      nas_identifier: first(fields, 'gatewayname')?.replace(serial_number, '') ?? null,
      gateway_mac: macIn(first(fields, 'gatewaymac')),
      mac_address: macIn(first(fields, 'clientmac')),
      wanted: webAddressIn(first(fields, 'originurl')),
      outcome: null,
      isGenuine: null,
    }
  )
}
