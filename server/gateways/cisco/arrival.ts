// Arrival by central web authentication: the address of the portal that a controller is told for one device, and sends its guest to. It is
// ours: it names gateway, device and session, and is signed with the gateway's secret, so nothing in it is a claim.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Arrival, GatewayCredentials, Redirect, SentOn } from '#server/gateways/kind.ts'
import { macIn, webAddressIn } from '#server/gateways/read.ts'

const marks = { token: 'cwa', session: 'sid', device: 'mac', gateway: 'nas' } as const
const moment_bytes = 4
const signature_bytes = 16
/** As long as a device is limited to the portal: then the controller asks anew, and gets another address. */
export const good_for_s = 3600

interface Signed {
  nas_identifier: string
  calling_station: string
  session: string
  /** In seconds since 1970. */
  at: number
}
const signatureOf = (secret: string, { at, nas_identifier, calling_station, session }: Signed) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['central web authentication', at, nas_identifier, calling_station, session]))
    .digest()
    .subarray(0, signature_bytes)

/** The controller adds the page that the guest wanted: `&redirect=…`. */
export function addressFor({ portal, secret, nas_identifier, calling_station, session }: SentOn): string {
  const at = Math.floor(Date.now() / 1000)
  const moment = Buffer.alloc(moment_bytes)
  moment.writeUInt32BE(at)
  const signature = signatureOf(secret, { at, nas_identifier, calling_station, session })
  const token = Buffer.concat([moment, signature]).toString('base64url')
  const { token: mark, session: sid, device, gateway } = marks
  const query = { [mark]: token, [sid]: session, [device]: calling_station, [gateway]: nas_identifier }
  return `${portal}?${new URLSearchParams(query).toString()}`
}

/** Whatever the controller has added stands behind what is ours. */
const ownIn = ({ address }: Pick<Redirect, 'address'>) => {
  const query = new URL(address).searchParams
  return (mark: keyof typeof marks) => query.get(marks[mark]) ?? ''
}
export const isCentral = ({ query }: Pick<Redirect, 'query'>) => query[marks.token] !== undefined

/** What the controller is called with. */
export function calledWith(redirect: Pick<Redirect, 'address'>) {
  const own = ownIn(redirect)
  return { session: own('session'), calling_station: own('device') }
}

export function centralArrival(redirect: Redirect): Arrival {
  const own = ownIn(redirect)
  const token = Buffer.from(own('token'), 'base64url')
  const isWhole = token.length === moment_bytes + signature_bytes
  const at = isWhole ? token.readUInt32BE() : 0
  const nas_identifier = own('gateway')
  const signed = { ...calledWith(redirect), nas_identifier, at }
  const isGenuine = ({ secret }: GatewayCredentials) =>
    isWhole && timingSafeEqual(token.subarray(moment_bytes), signatureOf(secret, signed))
  return {
    nas_identifier: nas_identifier === '' ? null : nas_identifier,
    gateway_mac: null,
    mac_address: macIn(own('device')),
    wanted: webAddressIn(redirect.query['redirect'] ?? null),
    outcome: at + good_for_s < Date.now() / 1000 ? 'too-old' : null,
    isGenuine,
  }
}
