// Design: what the page for guests is made of. The fields are those of a portal as the contract has them.
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
  /** Said above the form. */
  refused?: Refusal
  /** The way in that was tried; else the first one is open. */
  method?: number
  /** What was typed into fields that may be shown again, by their names. */
  typed?: Record<string, string>
}
/** Opened from outside the network: which one to join, and the form only to be looked at. */
export interface AwayStep {
  name: 'away'
  /** As the devices list it; null where it is not known. */
  network_name: string | null
  method?: number
  /** What they have brought along, to be typed once they are there. */
  typed?: Record<string, string>
}
/** A code was sent to the address that a guest typed, and is asked for. */
export interface CodeStep {
  name: 'code'
  channel: 'email' | 'sms'
  /** The way in by which it is confirmed. */
  method: number
  /** In part: others may see the page. */
  address: string
  /** How long the guest is online meanwhile; null where not. */
  seconds_online: number | null
  /** The terms have been agreed to already. */
  agreed: boolean
  refused?: Refusal
}
/** Opened by the link of a mail: to be confirmed by a press, done, or too late. */
export interface ConfirmStep {
  name: 'confirm'
  state: 'asked' | 'done' | 'over'
  address: string
}
/** Just let in (`online`), or looked at again later (`status`). */
export interface ConnectedStep {
  name: 'online' | 'status'
  /** Null means without limit; absent, that it is not known. */
  seconds_left?: number | null
  bytes_left?: number | null
}
export interface SignedOutStep {
  name: 'signed-out'
  /** Why it came to an end, where they did not end it themselves. */
  reason?: Refusal
  /** The network was asked, and has not said yes. */
  under_way?: boolean
}
/** Sent by a gateway that is not registered here: nobody could be let online. */
export interface UnregisteredStep {
  name: 'unregistered'
}
/** Let in, and to be sent on: the form goes to the gateway, with `hidden`. */
export interface HandOverStep {
  name: 'hand-over'
}
export type Step =
  SignInStep | CodeStep | ConfirmStep | AwayStep | ConnectedStep | SignedOutStep | UnregisteredStep | HandOverStep

/** What a phone prefers. */
export type Scheme = 'light' | 'dark'

export interface PortalPageProps {
  design: PortalDesign
  step: Step
  language: Language
  /** Instead of what the phone prefers. */
  scheme?: Scheme
  /** Where the form is sent. */
  action: string
  /** Of a custom page: what stands behind the addresses of its other pages. */
  query?: string
  /** Sent along with the form. */
  hidden?: Record<string, string>
  /** The building, where it is known. */
  property_name?: string | null
  /** The operator's footer branding. */
  footer?: FooterProps | null
  /** Where the page stands in another language; without it the language cannot be switched. */
  addressIn?: (language: Language) => string
}
