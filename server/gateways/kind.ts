// Gateway kind: all that is particular to the gateways of one make, which is one folder here: how they send a guest to the portal,
// how the guest goes on from there, and what they say and take in RADIUS. The list is kinds.ts; everything else goes by this interface.
import type { Settings } from '#contract/parameters.ts'
import type { Attribute, Attributes } from '#server/radius-codec/packet.ts'
import type { VendorAttribute } from '#server/radius-codec/vendor.ts'
import type { Called } from './controller.ts'
import type { BoxAsks } from './box-asks.ts'
import type { BoxPolls } from './box-polls.ts'
import type { GatewayDefinition } from './definition.ts'

/** The query parameters of a redirect; if a name is repeated, the last value. */
export type Query = Readonly<Record<string, string>>

/** The request of a guest's browser that was sent to the portal. */
export interface Redirect {
  /** The whole requested URL as it was written, with path and raw query: some kinds sign it. */
  address: string
  query: Query
}

/** A guest as a gateway sent them. A claim, unless the redirect proves it. */
export interface Arrival {
  /** The identifiers that the gateway may be registered under. */
  nas_identifier: string | null
  /** Of the gateway, or of the access point that the guest is at. */
  gateway_mac: string | null
  /** What the access point is called. */
  access_point?: string | null
  /** Where it asks guests to sign in, if that is all by which a make names its gateways. */
  host?: string | null
  /** Of the guest's device; null if the gateway does not send it. */
  mac_address: string | null
  /** The page that the guest had wanted to open. */
  wanted: string | null
  /** Whether the gateway reports that it refused the guest, or let them in or out; or is no longer what it would send them with. */
  outcome: 'refused' | 'online' | 'signed-out' | 'too-old' | null
  /** Checks the redirect's signature with what is registered. Null: this kind does not sign. */
  isGenuine: ((gateway: GatewayCredentials) => boolean) | null
  /** It is encrypted: what it says, if it can be read with what is registered of a gateway. Nothing else of it is known before. */
  opened?: (gateway: GatewayCredentials) => Arrival | null
  /** It is sent in a way of the make by which guests cannot be let in yet. */
  not_served?: true
}

/** What is registered of a gateway that a redirect names. */
export interface GatewayCredentials {
  /** The secret that it shares with us. */
  secret: string
  /** The values of its kind's parameters, by their keys. */
  settings: Settings
}

export interface Registered extends GatewayCredentials {
  /** As guests' browsers reach it: a name or an address, with a port if needed. */
  host: string
  /** For the generic kind: how it takes a sign-in. */
  login_method: 'get' | 'post'
  /** Browsers block forms from an https portal to a gateway on http with a warning. */
  portal_is_https: boolean
}

/** What a guest is let in with. */
export interface Pass {
  /** One-time, for this gateway and this device. */
  username: string
  password: string
  /** Where their browser returns to once they are online. */
  back: string
}

/**
 * How the guest goes on: a form that their browser sends, an address that it opens, or a call of ours to the controller, which is told
 * these fields of the redirect again; or the box fetches the guest itself, whom it knows by a token. `asks_nobody`: at that address they
 * are let in without a question to RADIUS, so whether they may is judged before; `seconds_as`: its field for how long they may.
 * `lasts_max_s`: the box is told no longer length at once, and its guests are let in anew, without a form, for as long as they may stay.
 */
export type LetIn =
  | { by: 'form'; address: string; fields: Record<string, string> }
  | { by: 'address'; address: string; fields: Record<string, string>; asks_nobody?: true; seconds_as?: string }
  | { by: 'call'; fields: Record<string, string> }
  | { by: 'fetch'; fields: { token: string; guest: string; asks_as: string; lasts_max_s?: string } }

/** How guests get online through the portal. */
export interface PortalSignIn {
  /** @throws {Error} if `redirect` is not one that `arrival` accepts. */
  letIn(redirect: Redirect, gateway: Registered, pass: Pass): LetIn
  /**
   * Where guests are sent, if that need not be the registered host: makes have names of their own for all their boxes. Null: nowhere
   * that is known, so nobody is let in.
   */
  hostOf?(query: Query, registered: string | null): string | null
  /** Whether what is registered is enough for it. Absent: it is. */
  isSetUp?(gateway: GatewayCredentials, query: Query): boolean
  /** The pages of a registered host that redirect guests to the portal, and where they sign out; null if no such page is known. */
  pagesOf(host: string): { sign_in: string; sign_out: string | null }
}

/** A guest's limits. Null: none. */
export interface Limits {
  seconds: number
  idle_seconds: number | null
  bytes: number | null
  /** Down, and as much up. */
  speed_mbps: number | null
}

/** An open session, as its gateway knows it. */
export interface OpenSession {
  acct_session_id: string
  username: string | null
  mac_address: string | null
  /** The device as the gateway writes it. */
  calling_station: string | null
  ip: string | null
  nas_identifier: string
  /** What the box calls itself in its reports: its name or its address. */
  box: string
  /** The box's own name of the session, beside Acct-Session-Id; null where it has none. */
  box_session: string | null
}

/** What a gateway has counted of a session. */
export interface CountedSession {
  /** Null where it is not given. */
  bytes_up: number | null
  bytes_down: number | null
  /** Whether the upper half of the counter was sent, too. */
  up_is_whole: boolean
  down_is_whole: boolean
  /** Of its end, in the words of RFC 2866. */
  cause: string
}

/** A device that a box asks about before its guest has signed in, and what its address of the portal is made of. */
export interface SentOn {
  /** Of the gateway's portal. */
  portal: string
  nas_identifier: string
  secret: string
  settings: Settings
  /** The device as the box writes it. */
  calling_station: string
  /** As the box names it. */
  session: string
}

/**
 * Boxes that ask about each device when it joins, and are told in an Accept to send its guest to the portal. That Accept lets nobody in:
 * the device can open the portal and nothing else. When the guest has signed in, the box is called to ask again.
 */
export interface SendsOn {
  /** The device's session at the box. Null: the request is about something else, or the gateway is not set up so. */
  sessionIn(request: Attributes, settings: Settings): string | null
  /** Null: it does not fit, so nobody is sent there. */
  accept(sent: SentOn): Attribute[] | null
}

/** What is particular to a make in RADIUS. The protocol itself is server/radius. */
export interface RadiusDialect {
  /** Its own attributes, by names of ours. */
  dictionary: Readonly<Record<string, VendorAttribute>>
  /** The attributes of an Accept, in the make's units. */
  accept(limits: Limits, request: Attributes, settings: Settings): Attribute[]
  /** Up and down as the guest sees them, where `counted` calls up what the gateway has received; and the cause in the usual words. */
  report<R extends CountedSession>(counted: R, gateway: { counts_from_gateway_side: boolean; settings: Settings }): R
  /**
   * The attributes of a Disconnect-Request. Null: it takes none, but asks again every minute, with the same name and password, whether
   * the guest may stay.
   */
  end: ((session: OpenSession, settings: Settings) => Attribute[]) | null
  /** The attributes of a CoA-Request for new limits. Null: it takes none, so the guest has them after signing in again. */
  change: ((session: OpenSession, limits: Limits, settings: Settings) => Attribute[] | null) | null
  sendsOn?: SendsOn
  /** The box's own name of the session in a report, which requests about it repeat. */
  boxSessionIn?(report: Attributes): string | null
}

export interface GatewayKind {
  definition: GatewayDefinition
  /** Its redirects have all that Generic needs, or those that fit, so boxes that are registered as Generic stay so. */
  isGenericToo?: true | ((query: Query) => boolean)
  /** Paths that the make sends all guests to, whatever the portal's address is; `:site` is its name for a place. */
  own_paths?: readonly string[]
  /** Null: no gateway of this kind sends such a request. */
  arrival(redirect: Redirect): Arrival | null
  /** Null: nobody is let in from the portal; guests sign in on the gateway's own page. */
  portal: PortalSignIn | null
  /** Where guests are let in by a call. */
  controller?: Called
  /** Where boxes fetch their guests. */
  polls?: BoxPolls
  /** Where boxes ask the portal about each guest, again and again. */
  asks?: BoxAsks
  /** Null: it neither asks by RADIUS who may go online nor reports who was. */
  radius: RadiusDialect | null
}
