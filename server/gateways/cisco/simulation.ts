// Simulation of a Cisco controller: without the number of its button it shows its own page again. With central web authentication it asks
// about each device that joins, limits it to what a list of its own lets through, and asks again when it is told to.
import {
  formBox,
  must,
  namesDevice,
  attributeNumber,
  ownNumberIn,
  secondsIn,
  attributeText,
  type Kept,
} from '#server/gateways/simulated.ts'

const lower = (mac_address: string) => mac_address.replaceAll(':', '-')
const service_type = 6

type Attributes = readonly { type: number; value: Buffer }[]

function reads(accept: Attributes): Kept {
  return {
    seconds: secondsIn(accept),
    up_kbits: ownNumberIn(accept, 14_179, 13),
    down_kbits: ownNumberIn(accept, 14_179, 7),
  }
}

export const simulation = formBox({
  gateway_type_id: 14,
  query: ({ gateway, mac_address }) => ({
    switch_url: 'https://virtual.example/login.html',
    ap_mac: gateway.mac_address,
    client_mac: mac_address,
    wlan: 'Guests',
    redirect: 'connectivity.example/',
  }),
  takes({ username, password, buttonClicked, err_flag }, to) {
    must(to.protocol === 'https:' && to.port === '' && to.pathname === '/login.html', `a controller has no ${to.href}`)
    must(buttonClicked === '4' && err_flag === '0', 'the page is shown again')
    return { username, password }
  },
  names: ({ gateway, mac_address }) => ({
    nas_identifier: 'wlc',
    called_station_id: `${lower(gateway.mac_address)}:Guests`,
    calling_station_id: lower(mac_address),
    service_type: 1,
  }),
  reads,
  obeys: (request, session) => namesDevice(request, session) && attributeNumber(request, service_type) === 1,
})

/** The pairs of Cisco's own attribute, by their names. */
const pairsIn = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(
    attributes
      .filter(({ type, value }) => type === 26 && value.readUInt32BE(0) === 9 && value.readUInt8(4) === 1)
      .map(({ value }) => {
        must(value.readUInt8(5) === value.length - 4, 'an envelope holds one pair')
        const pair = value.toString('utf8', 6)
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)]
      }),
  )
const pairOf = (pair: string) => {
  const bytes = Buffer.from(pair)
  return Buffer.concat([Buffer.of(0, 0, 0, 9, 1, bytes.length + 2), bytes])
}

type Access = { is: 'out' } | { is: 'limited'; address: string } | { is: 'online'; kept: Kept }
const error_cause = { unsupported: 401, missing: 402, no_session: 503 }
const calling_station_id = 31

/** A controller with central web authentication. @param lists those that are configured on it */
export function centralBox({ lists }: { lists: readonly string[] }) {
  const devices = new Map<string, { session: string; access: Access }>()
  let made = 0
  const asks = (mac_address: string, session: string) => ({
    user_name: mac_address.replaceAll(':', ''),
    password: mac_address.replaceAll(':', ''),
    calling_station_id: lower(mac_address),
    called_station_id: '40-01-7a-c0-ff-ee:Guests',
    service_type: 10,
    vendor_specific: [pairOf('service-type=Call Check'), pairOf(`audit-session-id=${session}`), pairOf('method=mab')],
  })
  const sessionOf = (mac_address: string) => devices.get(mac_address)?.session ?? ''
  /** The device that both names mean: one of them alone is not enough. */
  function meant(request: Attributes) {
    const session = pairsIn(request)['audit-session-id']
    const station = attributeText(request, calling_station_id)
    return [...devices].find(([mac, device]) => lower(mac) === station && device.session === session)?.[0]
  }
  return {
    /** Each time under a name of its own. */
    joins(mac_address: string) {
      const session = (0x0a0a_0a0a_0000n * 0x1_0000_0000_0000n + BigInt(++made))
        .toString(16)
        .padStart(24, '0')
        .toUpperCase()
      devices.set(mac_address, { session, access: { is: 'out' } })
      return asks(mac_address, session)
    },
    asksAgain: (mac_address: string) => asks(mac_address, sessionOf(mac_address)),
    sessionOf,
    accessOf: (mac_address: string): Access => devices.get(mac_address)?.access ?? { is: 'out' },
    /** @param accept null: it was refused */
    takes(mac_address: string, accept: Attributes | null) {
      const device = devices.get(mac_address)
      if (!device) return
      const { 'url-redirect': address, 'url-redirect-acl': list } = pairsIn(accept ?? [])
      device.access =
        accept === null || (list !== undefined && !lists.includes(list))
          ? { is: 'out' }
          : address !== undefined && list !== undefined
            ? { is: 'limited', address }
            : { is: 'online', kept: reads(accept) }
    },
    /** Where a guest who opens a page comes to. Null: to that page. */
    opens(mac_address: string, page: string): string | null {
      const access = devices.get(mac_address)?.access
      return access?.is === 'limited' ? `${access.address}&redirect=${page}` : null
    },
    /** What it does when it is told something, with the right secret. A number: it refuses, and that is the Error-Cause. */
    told(request: Attributes): number | { asksAgain: string } {
      const pairs = pairsIn(request)
      if (pairs['subscriber:command'] !== 'reauthenticate') return error_cause.unsupported
      if (pairs['audit-session-id'] === undefined) return error_cause.missing
      const device = meant(request)
      return device === undefined ? error_cause.no_session : { asksAgain: device }
    },
    /** The same of a Disconnect. */
    ends(request: Attributes): number | null {
      const device = meant(request)
      if (device === undefined) return error_cause.no_session
      devices.delete(device)
      return null
    },
  }
}
