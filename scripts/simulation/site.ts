// Site: what the simulation knows of a property: its gateway, as an installer would have set it up, and its guests' credentials.

export interface SimulatedSite {
  name: string
  /** The path of the portal that the gateway sends its guests to: `/p/<random id>`. */
  portal_path: string
  gateway: {
    id: number
    nas_identifier: string
    radius_secret: string
    gateway_type_id: number
    mac_address: string
  }
  /** The credentials of its guests, one each. */
  holders: Holder[]
}

export interface Holder {
  /** One of `authMethods`. */
  method: number
  /** What the guest types, by the names of the form's fields. */
  typed: Record<string, string>
}
