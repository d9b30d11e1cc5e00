// Portal rules: which fields a portal requires depends on its type. Drafts may lack them.
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
