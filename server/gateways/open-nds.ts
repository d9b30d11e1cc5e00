// openNDS: it does not support RADIUS. Its redirect is one field of Base64, and it lets in guests who come back with the hash of
// their number and the key that it shares with us.
import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { GatewayKind, Query } from './kind.ts'
import { first, macIn, webAddressIn } from './read.ts'

const usual_port = '2050'
/** The box appends its serial number to the name, with a space at the end. */
const serial_number = / Node:[0-9a-f]{12} ?$/

/**
 * At the box's own host name, port 80 leads to it. At its IP address, port 80 works only for guests who are not online yet:
 * signing out needs its own port.
 */
const own = (host: string, port = usual_port) => `http://${isIPv4(host) ? `${host}:${port}` : host}`

/** `hid=…, clientmac=…, gatewayname=…`, each value URL-encoded. */
function fieldsOf(query: Query): Query | null {
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

export const tokenOf = (hid: string, key: string) => createHash('sha256').update(hid).update(key).digest('hex')

export const openNds: GatewayKind = {
  gateway_type_id: 3,
  arrival(query) {
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
  },
  handOver(query, { host, secret }, { back }) {
    const { hid, gatewayaddress = '' } = fieldsOf(query) ?? {}
    if (!hid) throw new Error("an openNDS's redirect has the guest's number")
    return {
      method: 'get',
      address: `${own(host, /:(\d{1,5})$/.exec(gatewayaddress)?.[1])}/opennds_auth/`,
      fields: { tok: tokenOf(hid, secret), redir: back },
    }
  },
  has_radius: false,
  takes_changes: false,
  // Its first page is a status page of its own.
  pagesOf: (host) => ({ sign_in: `${own(host)}/login`, sign_out: `${own(host)}/opennds_deny/` }),
}
