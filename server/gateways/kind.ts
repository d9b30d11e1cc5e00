// Gateway kind: what gateways of one make send when they redirect a guest to the portal, and what they expect when the guest may
// go online. A redirect is only a claim: the registration decides which gateway it was, and where the guest's browser is sent.

/** The query parameters of a redirect; if a name is repeated, the last value. */
export type Query = Readonly<Record<string, string>>

/** A guest as a gateway sent them. */
export interface Arrival {
  /** The identifiers that the gateway may be registered under. */
  nas_identifier: string | null
  gateway_mac: string | null
  /** Of the guest's device; null if the gateway does not send it. */
  mac_address: string | null
  /** The page that the guest had wanted to open. */
  wanted: string | null
  /** Whether the gateway reports that it refused the guest, or let them in or out. */
  outcome: 'refused' | 'online' | 'signed-out' | null
  /** Checks the redirect's signature with the gateway's secret. Null: this kind does not sign. */
  isGenuine: ((secret: string) => boolean) | null
}

/** The registered gateway. */
export interface Registered {
  /** As guests' browsers reach it: a name or an address, with a port if needed. */
  host: string
  /** The secret that it shares with us. */
  secret: string
  /** For the generic kind: how it takes a sign-in. */
  login_method: 'get' | 'post'
  /** Browsers block forms from an https portal to a gateway on http with a warning. */
  portal_is_https: boolean
}

/** A guest who is let in. */
export interface LetIn {
  /** One-time, for this gateway and this device. */
  username: string
  password: string
  /** Where their browser returns to once they are online. */
  back: string
}

/** How the guest's browser continues: a form that it sends, or a URL that it opens. */
export interface HandOver {
  method: 'get' | 'post'
  address: string
  fields: Record<string, string>
}

export interface GatewayKind {
  /** Of the look-up table `gateway_types`. */
  gateway_type_id: number
  /** Null: no gateway of this kind sends such a query. `address` is the whole requested URL. */
  arrival(query: Query, address: string): Arrival | null
  /** @throws {Error} if `query` is not one that `arrival` accepts. */
  handOver(query: Query, gateway: Registered, guest: LetIn): HandOver
  /** Whether it asks by RADIUS who may go online, and reports who was. */
  has_radius: boolean
  /** Whether limits of an online guest can be changed (CoA-Request). */
  takes_changes: boolean
  /** The pages of a registered host that redirect guests to the portal, and where they sign out; null if no such page is known. */
  pagesOf(host: string): { sign_in: string; sign_out: string | null }
}
