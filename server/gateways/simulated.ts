// Simulated: what the simulation of a make says, which stands in for its box in demos and tests. A simulation is written from the
// maker's documentation and shares no code with the kind that it is to be let in by.
import type { attribute } from '#server/radius-codec/dictionary.ts'

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
}

/** What the guest's browser brought back: fields of the form or of the address. */
export type Brought = Readonly<Record<string, string>>

export type AccessRequest = Partial<Record<keyof typeof attribute, string | Buffer>> & { password?: string }

export interface SimulatedRedirect {
  /** The query of the portal's address, with the question mark. */
  query: string
  /**
   * What the box asks RADIUS with. Null: it lets the guest in by itself.
   * @throws {Error} where it would do neither
   */
  ask: (brought: Brought) => AccessRequest | null
}

export interface Simulation {
  /** Of the look-up table `gateway_types`. */
  gateway_type_id: number
  has_radius: boolean
  redirect(sent: SentGuest): SimulatedRedirect
}

/** The page that guests wanted to open. */
export const wanted = 'http://connectivity.example/'
export const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields).toString()}`
