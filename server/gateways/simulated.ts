// Simulated: what the simulation of a make says, which stands in for its box in demos and tests. A simulation is written from the
// maker's documentation and shares no code with the kind that it is to be let in by.
import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { attribute } from '#server/radius-codec/dictionary.ts'
import type { Attribute } from '#server/radius-codec/packet.ts'

/** What is registered of the box. */
export interface SimulatedBox {
  nas_identifier: string
  radius_secret: string
  mac_address: string
}

/** A guest whom it sends to the portal. */
export interface SentGuest {
  gateway: SimulatedBox
  mac_address: string
  /** The portal's whole address, which some kinds sign. */
  portal_url: string
  /** As guests' browsers reach the box. */
  host?: string
}

/** What the guest's browser brought back: fields of the form or of the address. */
export type Brought = Readonly<Record<string, string>>

export type AccessRequest = Partial<Record<keyof typeof attribute, string | number | Buffer>> & { password?: string }

export interface SimulatedRedirect {
  /** The query of the portal's address, with the question mark. */
  query: string
  /**
   * What the box asks RADIUS with. Null: it lets the guest in by itself.
   * `to` is the address that the guest's browser came to.
   * @throws {Error} where it would do neither
   */
  ask: (brought: Brought, to: URL) => AccessRequest | null
}

export interface Simulation {
  /** Of the look-up table `gateway_types`. */
  gateway_type_id: number
  /** What its gateway is registered with, where it is not the usual way of the make. */
  settings?: Readonly<Record<string, string>>
  has_radius: boolean
  redirect(sent: SentGuest): SimulatedRedirect
  /** Where it says so: what the box makes of an Accept, and whether it obeys a Disconnect-Request. */
  reads?(accept: readonly Attribute[]): Kept
  /** Where it asks nobody: what it makes of what was brought. */
  letsIn?(brought: Brought): Kept
  obeys?(request: readonly Attribute[], session: SimulatedSession): boolean
  /** Attributes by which it names itself and the guest in each of its packets. */
  names?(sent: SentGuest): AccessRequest
  /** A name that its guests are sent to, in place of the registered host. */
  own_host?: string
  /** Its guests are let in by a call to its controller, not by their browser. */
  is_called?: true
  /** Its reports do not repeat the Class of the Accept. */
  says_no_class?: true
  /** Its access requests are not signed. */
  is_unsigned?: boolean
}

/** A controller that is called, for a suite that goes through all of them. */
export interface CalledController {
  /** What its gateway is registered with, besides the address. */
  registered: { username?: string; password?: string }
  /** An error of its protocol, which comes with 200. */
  error: { type: string; body: string }
  open(): Promise<{
    url: string
    close(): Promise<void>
    query(sent: SentGuest): string
    /** How often it has let the device in. */
    times(mac_address: string): number
    /** For how long. Null: it keeps no time. */
    lasts_s(mac_address: string): number | null
  }>
}

/**
 * A box or controller that listens on a port of this machine.
 * @param answer is given the whole body
 */
export async function serveSimulation(
  answer: (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void,
  tls?: { key: string; cert: string },
) {
  const listen: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
  }
  const server = tls ? https.createServer(tls, listen) : http.createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export const jsonAsked = (body: string) => (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>

/** What a box has understood of a guest's limits. Absent: nothing. */
export interface Kept {
  seconds?: number | undefined
  up_kbits?: number | undefined
  down_kbits?: number | undefined
  bytes?: number | undefined
}
export interface SimulatedSession {
  acct_session_id: string
  username: string
  /** As the box writes it. */
  calling_station: string
}

/** A box that takes a form with a user name and a password. */
interface FormBox extends Omit<Simulation, 'has_radius' | 'redirect'> {
  query(sent: SentGuest): Record<string, string>
  /** @throws {Error} where it would not take the form, or not there */
  takes(brought: Brought, to: URL, sent: SentGuest): { username: string | undefined; password: string | undefined }
  /** It hashes the password for RADIUS. */
  chap?: true
}

export const formBox = ({ query, takes, chap, ...box }: FormBox): Simulation => ({
  ...box,
  has_radius: true,
  redirect: (sent) => ({
    query: queryText(query(sent)),
    ask(brought, to) {
      const { username, password } = takes(brought, to, sent)
      must(username !== undefined && password !== undefined, 'a form has a user name and a password')
      return { user_name: username, ...(chap ? chapOf(password) : { password }) }
    },
  }),
})

function chapOf(password: string): AccessRequest {
  const [id, challenge] = [randomBytes(1), randomBytes(16)]
  const response = createHash('md5').update(id).update(password).update(challenge).digest()
  return { chap_password: Buffer.concat([id, response]), chap_challenge: challenge }
}

export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence)
}

export const attributeNumber = (attributes: readonly Attribute[], type: number) =>
  attributes.find((one) => one.type === type)?.value.readUInt32BE(0)
export const attributeText = (attributes: readonly Attribute[], type: number) =>
  attributes.find((one) => one.type === type)?.value.toString()
/** Of a vendor's own attribute. */
export const ownNumberIn = (attributes: readonly Attribute[], vendor: number, type: number) =>
  attributes
    .find(
      (one) =>
        one.type === attribute.vendor_specific &&
        one.value.readUInt32BE(0) === vendor &&
        one.value.readUInt8(4) === type,
    )
    ?.value.readUInt32BE(6)
export const bytesIn = (attributes: readonly Attribute[], vendor: number, low: number, gigawords: number) => {
  const lower = ownNumberIn(attributes, vendor, low)
  return lower === undefined ? undefined : lower + (ownNumberIn(attributes, vendor, gigawords) ?? 0) * 2 ** 32
}
export const secondsIn = (attributes: readonly Attribute[]) => attributeNumber(attributes, attribute.session_timeout)
/** WISPr's speeds are in bits a second. */
export const wisprKept = (attributes: readonly Attribute[]): Kept => ({
  seconds: secondsIn(attributes),
  up_kbits: thousandth(ownNumberIn(attributes, 14_122, 7)),
  down_kbits: thousandth(ownNumberIn(attributes, 14_122, 8)),
})
export const timeKept = (attributes: readonly Attribute[]): Kept => ({ seconds: secondsIn(attributes) })
const thousandth = (value: number | undefined) => (value === undefined ? undefined : value / 1000)

/** A Disconnect that names the session by the device, as most boxes want it: as they write it themselves. */
export const namesDevice = (request: readonly Attribute[], { calling_station }: SimulatedSession) =>
  attributeText(request, attribute.calling_station_id) === calling_station

/** `AA-BB-CC-DD-EE-FF` */
export const dashed = (mac_address: string) => mac_address.toUpperCase().replaceAll(':', '-')
/** `aabbccddeeff` */
export const together = (mac_address: string) => mac_address.replaceAll(':', '')
/** `aabb-ccdd-eeff` */
export const inFours = (mac_address: string) => (together(mac_address).match(/.{4}/g) ?? []).join('-')

/** The page that guests wanted to open. */
export const wanted = 'http://connectivity.example/'
export const queryText = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`
