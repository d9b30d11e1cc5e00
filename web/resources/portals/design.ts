// Design of a form: the design of the guests' page from the values of the form, as far as they are filled in.
import { constants } from '#contract/constants.ts'
import { authMethods, portalLayouts } from '#contract/portals.ts'
import type { PortalDesign } from '#portal/design.ts'
import type { Values } from '#web/kit/form/form-state.ts'
import type { KeptPicture } from '#web/kit/form/picture-field.tsx'

/** The addresses of the two pictures; one that was just chosen only has an object URL. */
export interface PictureAddresses {
  logo: string | null
  portal_image: string | null
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberIn = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
const pictureIn = (value: unknown): KeptPicture | null =>
  typeof value === 'object' && value !== null && !(value instanceof File) ? (value as KeptPicture) : null

export const headlinesIn = (value: unknown): PortalDesign['headlines'] =>
  typeof value === 'object' && value !== null ? value : {}

/** Until a way in is chosen, the page is shown with the one that asks for nothing. */
const waysIn = (chosen: unknown): number[] =>
  Array.isArray(chosen) && chosen.length > 0 ? (chosen as number[]) : [authMethods.free]

/** Incomplete values are used as they are; the page leaves out what it cannot use. */
export function designOf(values: Values, addresses: PictureAddresses): PortalDesign {
  const text = (name: keyof PortalDesign) => textIn(values[name])
  const textOrNone = (name: keyof PortalDesign) => textIn(values[name]).trim() || null
  const colours = Object.fromEntries(
    Object.keys(constants.defaults.portal_colours).map((name) => [name, textIn(values[name])]),
  ) as Record<keyof typeof constants.defaults.portal_colours, string>
  return {
    ...colours,
    company_name: textOrNone('company_name'),
    portal_layout_id: numberIn(values['portal_layout_id'], portalLayouts.horizontal),
    portal_font_id: numberIn(values['portal_font_id'], 1),
    auth_method_ids: waysIn(values['auth_method_ids']),
    portal_footer: textOrNone('portal_footer'),
    redirect_url: text('redirect_url'),
    headline: text('headline'),
    headlines: headlinesIn(values['headlines']),
    logo: pictureIn(values['logo']),
    logo_preview_url: addresses.logo,
    portal_image: pictureIn(values['portal_image']),
    side_image_preview_url: addresses.portal_image,
    terms: textOrNone('terms'),
    terms_version: 1,
    privacy_url: textOrNone('privacy_url'),
    marketing_text: textOrNone('marketing_text'),
  }
}
