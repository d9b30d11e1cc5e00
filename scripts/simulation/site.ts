// Site: what the simulation knows of one property: its gateway, as an installer would have set it up, and what its guests hold.

export interface SimulatedSite {
  name: string
  /** Of the portal that the gateway sends its guests to: `/p/<random id>`. */
  portal_path: string
  gateway: {
    id: number
    nas_identifier: string
    radius_secret: string
    gateway_type_id: number
    mac_address: string
  }
  /** What guests type, by the names of the form's fields: each is held by one guest. */
  holders: Holder[]
}

export interface Holder {
  /** Of `authMethods`. */
  method: number
  typed: Record<string, string>
}
