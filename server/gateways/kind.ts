// Gateway kind: what a gateway of one make says when it sends a guest to the portal, and what it wants to hear when they may
// go online. What a redirect says is a claim: which gateway it was, and where the guest's browser is sent, the registration says.

/** What the address of a redirect had behind its question mark; of a name that came twice, the last. */
export type Query = Readonly<Record<string, string>>

/** A guest as a gateway sent them. */
export interface Arrival {
  /** What the gateway may be registered under. */
  nas_identifier: string | null
  gateway_mac: string | null
  /** Of the guest's device; null where the gateway does not say it. */
  mac_address: string | null
  /** What they had wanted to open. */
  wanted: string | null
  /** The gateway says that it did not let them in, or that it did. */
  outcome: 'refused' | 'online' | 'signed-out' | null
  /** The one who sent the guest can prove it: whether that fits the gateway's secret. Null: this kind proves nothing. */
  isGenuine: ((secret: string) => boolean) | null
}

/** Of the registered gateway. */
export interface Registered {
  /** As guests' browsers reach it: a name or an address, with a port where there is one. */
  host: string
  /** What it shares with us. */
  secret: string
  /** Of the generic kind: how it takes a sign-in. */
  login_method: 'get' | 'post'
  /** Browsers stop a form from there to a gateway on http with a warning, and the gateway never hears of it. */
  portal_is_https: boolean
}

/** A guest who is let in. */
export interface LetIn {
  /** One-time, for this gateway and this device. */
  username: string
  password: string
  /** Where their browser is to come back to once they are online. */
  back: string
}

/** Where the guest's browser goes on: a form that it sends, or an address that it opens. */
export interface HandOver {
  method: 'get' | 'post'
  address: string
  fields: Record<string, string>
}

export interface GatewayKind {
  /** Of the look-up `gateway_types`. */
  gateway_type_id: number
  /** Null: no gateway of this kind sends such a query. `address` is the whole one that was asked for. */
  arrival(query: Query, address: string): Arrival | null
  /** @throws {Error} when `query` is none that `arrival` understands. */
  handOver(query: Query, gateway: Registered, guest: LetIn): HandOver
  /** Whether it asks by RADIUS who may go online, and reports who was. */
  has_radius: boolean
  /** Whether it takes other limits for a guest who is online (CoA-Request). */
  takes_changes: boolean
  /** Of a registered host: where guests are sent to the portal from, and where they sign out; null where no such page is known. */
  pagesOf(host: string): { sign_in: string; sign_out: string | null }
}
