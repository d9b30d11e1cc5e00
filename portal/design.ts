// Design: the props of the guests' page. The fields are those of a portal in the contract.
import type { z } from 'zod'
import type { Portal } from '#contract/portals.ts'
import type { FooterProps } from './footer.tsx'
import type { Language } from './languages.ts'
import type { Refusal } from './texts/en.ts'

export type PortalDesign = Pick<
  z.output<typeof Portal>,
  | 'company_name'
  | 'portal_layout_id'
  | 'portal_font_id'
  | 'auth_method_ids'
  | 'portal_footer'
  | 'redirect_url'
  | 'headline'
  | 'headlines'
  | 'headline_text_colour'
  | 'background_colour'
  | 'button_fill_colour'
  | 'button_text_colour'
  | 'body_text_colour'
  | 'input_outline_colour'
  | 'form_container_colour'
  | 'form_field_colour'
  | 'logo'
  | 'logo_preview_url'
  | 'portal_image'
  | 'side_image_preview_url'
  | 'terms'
  | 'terms_version'
  | 'privacy_url'
  | 'marketing_text'
>

export interface SignInStep {
  name: 'sign-in'
  /** The reason shown above the form. */
  refused?: Refusal
  /** The way in that was tried; by default the first one is open. */
  method?: number
  /** The values of fields that may be shown again, by name. */
  typed?: Record<string, string>
  /** The boxes that the guest had ticked, by name. */
  ticked?: readonly string[]
}
/** Opened from outside the network: shows which one to join, and the form disabled. */
export interface AwayStep {
  name: 'away'
  /** The SSID; null if it is not known. */
  network_name: string | null
  method?: number
  /** Values that they have brought along, to be submitted once they have joined. */
  typed?: Record<string, string>
}
/** Asks for the code that was sent to the address which the guest typed. */
export interface CodeStep {
  name: 'code'
  channel: 'email' | 'sms'
  /** The way in that the code confirms. */
  method: number
  /** Partly masked, as others may see the page. */
  address: string
  /** How long the guest is online meanwhile; null if they are not. */
  seconds_online: number | null
  /** The terms have been agreed to already. */
  agreed: boolean
  refused?: Refusal
}
/** Opened by the link in a mail: to be confirmed by a button, done, or too late. */
export interface ConfirmStep {
  name: 'confirm'
  state: 'asked' | 'done' | 'over'
  address: string
}
/** Just admitted (`online`), or opened again later (`status`). */
export interface ConnectedStep {
  name: 'online' | 'status'
  /** Null: no limit; absent: not known. */
  seconds_left?: number | null
  bytes_left?: number | null
  /** Neither the gateway's page for it nor the guest's pass is known. */
  no_sign_out?: boolean
  /** They have agreed to be sent messages, and may withdraw that. */
  has_consented?: boolean
}
/** Asked whether they withdraw what they agreed to be sent, or told that they have. */
export interface ConsentStep {
  name: 'consent'
  /** What they agreed to, in the words that they saw; none: it is withdrawn. */
  wordings: readonly string[]
}
export interface SignedOutStep {
  name: 'signed-out'
  /** Why the session ended, unless they ended it themselves. */
  reason?: Refusal
  /** The gateway was asked, and has not confirmed yet. */
  under_way?: boolean
}
/** Sent by a gateway that is not registered here, which cannot let anybody online. */
export interface UnregisteredStep {
  name: 'unregistered'
}
/** Admitted, and to be handed over: the form is posted to the gateway, with `hidden`. */
export interface HandOverStep {
  name: 'hand-over'
}
/** Admitted, and being let in by the network's controller: the page asks again by itself. */
export interface ConnectingStep {
  name: 'connecting'
  /** The controller does not answer, and is tried again. */
  is_delayed: boolean
}
export type Step =
  | SignInStep
  | CodeStep
  | ConfirmStep
  | AwayStep
  | ConnectedStep
  | ConsentStep
  | ConnectingStep
  | SignedOutStep
  | UnregisteredStep
  | HandOverStep

/** The colour scheme that a phone prefers. */
export type Scheme = 'light' | 'dark'

export interface PortalPageProps {
  design: PortalDesign
  step: Step
  language: Language
  /** Overrides the phone's preference. */
  scheme?: Scheme
  /** Where the form is sent. */
  action: string
  /** For a custom page: the query to append to the addresses of its other pages. */
  query?: string
  /** Hidden fields of the form. */
  hidden?: Record<string, string>
  /** The property, if it is known. */
  property_name?: string | null
  /** The operator's footer branding. */
  footer?: FooterProps | null
  /** The page's address in another language; without it the language cannot be switched. */
  addressIn?: (language: Language) => string
}
