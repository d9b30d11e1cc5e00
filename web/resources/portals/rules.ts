// Portal rules: what a portal must have hangs on what its page is made of. A draft may lack it.
import type { z } from 'zod'
import { messages } from '#contract/messages.ts'
import { PortalInput, portalTypes } from '#contract/portals.ts'
import type { Form } from '#web/kit/form/use-form.ts'

export type PortalSchema = typeof PortalInput
export type PortalField = keyof z.input<PortalSchema>
export type PortalFormState = Form<PortalSchema>

const isThere = (value: unknown) => value !== null && value !== undefined
const { logo, custom_portal_url } = PortalInput.shape

const StandardPortal: PortalSchema = PortalInput.extend({ logo: logo.refine(isThere, messages.fields.required) })
const ExternalPortal: PortalSchema = PortalInput.extend({
  custom_portal_url: custom_portal_url.refine(isThere, messages.fields.required),
})

export function schemaOf({ draft, portal_type_id }: { draft?: unknown; portal_type_id?: unknown }): PortalSchema {
  if (draft === true) return PortalInput
  if (portal_type_id === portalTypes.external) return ExternalPortal
  return portal_type_id === portalTypes.custom ? PortalInput : StandardPortal
}

/** What the fields are called, beside them and where the missing ones are named. */
export const labels = {
  name: 'Name',
  slug: 'Short name',
  company_name: 'Company name',
  group_id: 'Group',
  portal_type_id: 'Type',
  portal_layout_id: 'Layout',
  portal_font_id: 'Font',
  auth_method_ids: 'Ways to sign in',
  custom_portal_url: 'Address of the page',
  portal_footer: 'Footer text',
  redirect_url: 'After signing in, go to',
  headline: 'Headline',
  headlines: 'Headline in other languages',
  headline_text_colour: 'Headline text',
  background_colour: 'Background',
  button_fill_colour: 'Button',
  button_text_colour: 'Button text',
  body_text_colour: 'Text',
  input_outline_colour: 'Field outline',
  form_container_colour: 'Form ground',
  form_field_colour: 'Field ground',
  logo: 'Logo',
  portal_image: 'Side image',
  terms: 'Terms',
  privacy_url: 'Privacy address',
  marketing_text: 'Marketing consent',
  property_ids: 'Properties',
  draft: 'Status',
  active: 'Status',
} as const satisfies Record<PortalField, string>
