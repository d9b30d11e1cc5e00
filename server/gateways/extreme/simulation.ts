// Simulation of an access point of ExtremeCloud IQ (HiveOS), and of an ExtremeCloud IQ Controller, which signs.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  formBox,
  must,
  namesDevice,
  dashed,
  timeKept,
  together,
  wanted,
  type SentGuest,
} from '#server/gateways/simulated.ts'

export const simulation = formBox({
  gateway_type_id: 15,
  own_host: '1.1.1.1',
  query: ({ gateway, mac_address }) => ({
    url: wanted,
    ssid: 'Guests',
    mac: together(mac_address),
    autherr: '0',
    challenge: 'b2f6b1f0b33dbd0d',
    'Called-Station-Id': dashed(gateway.mac_address),
    'NAS-IP-Address': '192.168.1.9',
    'RADIUS-NAS-IP': '192.168.1.9',
    'Calling-Station-Id': dashed(mac_address),
    'STA-IP': '192.168.1.77',
    'NAS-ID': gateway.nas_identifier,
    'MGT-MAC-Address': together(gateway.mac_address),
  }),
  takes({ username, password, autherr, ssid, Submit2 }, to) {
    must(to.href === 'http://1.1.1.1/reg.php', `an access point has no ${to.href}`)
    must(autherr === '0' && ssid === 'Guests' && Submit2 !== undefined, 'the form is not whole')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    called_station_id: dashed(gateway.mac_address),
    calling_station_id: dashed(mac_address),
  }),
  reads: timeKept,
  obeys: namesDevice,
})

const encoded = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')

/** As Amazon describes it: of the decoded fields, sorted and encoded anew. */
function signature(secret: string, { host, path }: { host: string; path: string }, fields: [string, string][]): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const at = fields.find(([name]) => name === 'X-Amz-Date')?.[1] ?? ''
  const sorted = fields
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const request = `GET\n${path}\n${sorted}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`
  const scope = `${at.slice(0, 8)}/world/ecp/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${at}\n${scope}\n${createHash('sha256').update(request).digest('hex')}`
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, at.slice(0, 8)), 'world'), 'ecp'), 'aws4_request')
  return hmac(key, text).toString('hex')
}

/** A controller at this host: it knows the guest by a token, and takes an address that is signed with its secret. */
export function openExtremeController(
  { gateway, mac_address, portal_url, host = '' }: SentGuest,
  identity: string,
  now = new Date(),
) {
  const token = `${randomBytes(16).toString('base64url')}!!`
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const page = new URL(portal_url)
  const fields: [string, string][] = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${identity}/${at.slice(0, 8)}/world/ecp/aws4_request`,
    'X-Amz-Date': at,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
    ap: 'AP-1',
    apmac: together(gateway.mac_address),
    bssid: together(gateway.mac_address),
    dest: wanted,
    hwc_ip: '192.0.2.66',
    hwc_port: '443',
    mac: together(mac_address),
    role: 'Unregistered',
    ssid: 'Guests and friends',
    token,
    vlan: '1',
    wlan: '8',
  })
  const signed = signature(gateway.radius_secret, { host: page.host, path: page.pathname }, fields)
  const all: [string, string][] = [...fields, ['X-Amz-Signature', signed]]
  return {
    query: `?${all
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&')}`,
    /** @throws {Error} where it would not let the guest in */
    takes(to: URL): { username: string | null; dest: string | null } {
      must(
        to.protocol === 'https:' && to.host === host && to.pathname === '/ext_approval.php',
        `no controller at ${to.href}`,
      )
      const given = [...to.searchParams].filter(([name]) => name !== 'X-Amz-Signature')
      const right = signature(gateway.radius_secret, { host, path: to.pathname }, given)
      must(to.searchParams.get('X-Amz-Signature') === right, 'the signature is not right')
      must(to.searchParams.get('X-Amz-Credential')?.startsWith(`${identity}/`) === true, 'another identity')
      must(to.searchParams.get('token') === token && to.searchParams.get('wlan') === '8', 'another guest')
      return { username: to.searchParams.get('username'), dest: to.searchParams.get('dest') }
    },
  }
}
