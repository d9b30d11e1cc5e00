// Portals: the pages that guests see before they go online: their look, their texts, and the ways in they offer.
import { z } from 'zod'
import { constants } from './constants.ts'
import { callsOf } from './endpoint.ts'
import { fieldsOf, ofKind } from './describe.ts'
import { messages } from './messages.ts'
import { Picture, pictureFile } from './pictures.ts'
import {
  anyOf,
  anyOrNone,
  byId,
  byIds,
  changesTo,
  count,
  done,
  id,
  listOf,
  moment,
  named,
  namesOf,
  no,
  nothing,
  page,
  pageAddress,
  ref,
  rowOf,
  text,
  yes,
} from './shapes.ts'
import { status } from './status.ts'

const { lookup, read, write, upload, removal } = callsOf('portals')
const { authMethodMinimum } = messages.portal

/** Ids of the look-up `portal_types`: what the page is made of. */
export const portalTypes = { standard: 1, custom: 2, external: 3 } as const
/** Ids of the look-up `portal_layouts`. */
export const portalLayouts = { horizontal: 1, vertical: 2, withImage: 3 } as const
/** Ids of the look-up `auth_methods`: the ways in. */
export const authMethods = {
  free: 1,
  voucher: 2,
  account: 3,
  room: 4,
  email: 5,
  sms: 6,
  conference: 7,
  device: 8,
} as const

/** The languages of the page. */
export const guestLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar', 'he', 'zh', 'ja'] as const

const colour = ofKind('colour', z.string().regex(/^#[0-9a-f]{6}$/i, 'Please enter a colour such as #2671FF'))
/** The customer's own short name for a portal, used in its address. */
const slug = z
  .string()
  .trim()
  .toLowerCase()
  .max(60)
  .regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'Please use small letters, digits and hyphens')

const colours = constants.defaults.portal_colours

export const headline_length_max = 120

export const PortalInput = z.object({
  name: text(),
  /** Derived from the name if it is not given. */
  slug: slug.nullish(),
  /** Whose Wi-Fi it is, as shown to guests. */
  company_name: text().nullish(),
  group_id: ref('groups').nullish(),
  portal_type_id: ref('portal_types').default(portalTypes.standard),
  portal_layout_id: ref('portal_layouts').default(1),
  portal_font_id: ref('portal_fonts').default(1),
  auth_method_ids: z
    .array(ref('auth_methods'), { error: ({ input }) => (input == null ? authMethodMinimum : undefined) })
    .min(1, authMethodMinimum)
    .max(20),
  /** Where guests of an external portal are sent. */
  custom_portal_url: pageAddress.nullish(),
  portal_footer: text(500).nullish(),
  /** Where guests go once they are online; without it they stay on the portal. */
  redirect_url: z.union([z.literal(''), pageAddress]).default(''),
  headline: text(headline_length_max).default(messages.portal.headline),
  /** The headline in other languages, by language code. In all others, guests see `headline`. */
  headlines: z.partialRecord(z.enum(guestLanguages), text(headline_length_max)).default({}),
  headline_text_colour: colour.default(colours.headline_text_colour),
  background_colour: colour.default(colours.background_colour),
  button_fill_colour: colour.default(colours.button_fill_colour),
  button_text_colour: colour.default(colours.button_text_colour),
  body_text_colour: colour.default(colours.body_text_colour),
  input_outline_colour: colour.default(colours.input_outline_colour),
  form_container_colour: colour.default(colours.form_container_colour),
  form_field_colour: colour.default(colours.form_field_colour),
  logo: pictureFile().nullish(),
  /** Next to the form, in the layout that has a side picture. */
  portal_image: pictureFile().nullish(),
  /** The terms that guests agree to before they sign in. */
  terms: z.string().trim().min(1).max(20_000).nullish(),
  privacy_url: pageAddress.nullish(),
  /** The consent to marketing mail that guests may tick. */
  marketing_text: text(500).nullish(),
  /** The properties that show it. Naming one here removes it from its former portal. */
  property_ids: z.array(ref('properties')).max(constants.list.names_max).default([]),
  draft: no,
  active: yes,
})

export const PortalRow = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  group: named.nullable(),
  portal_type_id: id,
  portal_layout_id: id,
  background_colour: z.string(),
  button_fill_colour: z.string(),
  logo_preview_url: z.string().nullable(),
  number_of_properties: count,
  /** The address for guests. */
  url: z.string(),
  status,
  draft: z.boolean(),
  active: z.boolean(),
  created_at: moment,
})
export const Portal = z
  .object({
    ...PortalRow.shape,
    company_name: z.string().nullable(),
    group_id: id.nullable(),
    portal_font_id: id,
    auth_method_ids: z.array(id),
    custom_portal_url: z.string().nullable(),
    /** Whether its pages come from an imported zip. */
    is_custom: z.boolean(),
    /** Counts the zips imported for it; null if there are none. */
    zip_number: count.nullable(),
    portal_footer: z.string().nullable(),
    redirect_url: z.string(),
    headline: z.string(),
    headlines: z.partialRecord(z.enum(guestLanguages), z.string()),
    headline_text_colour: z.string(),
    button_text_colour: z.string(),
    body_text_colour: z.string(),
    input_outline_colour: z.string(),
    form_container_colour: z.string(),
    form_field_colour: z.string(),
    logo: Picture.nullable(),
    portal_image: Picture.nullable(),
    side_image_preview_url: z.string().nullable(),
    terms: z.string().nullable(),
    /** Counts the versions of the terms; 0 before there are any. */
    terms_version: count,
    privacy_url: z.string().nullable(),
    marketing_text: z.string().nullable(),
    property_ids: z.array(id),
  })
  .meta({ id: 'Portal' })

/** The labels of its fields. */
export const fields = fieldsOf(
  [PortalInput, Portal, PortalRow],
  {
    slug: 'Short name',
    portal_type_id: 'Type',
    portal_layout_id: 'Layout',
    portal_font_id: 'Font',
    auth_method_ids: 'Ways to sign in',
    custom_portal_url: 'Address of the page',
    portal_footer: 'Footer text',
    redirect_url: 'After signing in, go to',
    headlines: 'Headline in other languages',
    headline_text_colour: 'Headline text',
    background_colour: 'Background',
    button_fill_colour: 'Button',
    button_text_colour: 'Button text',
    body_text_colour: 'Text',
    input_outline_colour: 'Field outline',
    form_container_colour: 'Form background',
    form_field_colour: 'Field background',
    portal_image: 'Side image',
    privacy_url: 'Privacy address',
    marketing_text: 'Marketing consent',
    number_of_properties: 'Properties',
  },
  {
    portal: ['name', 'portal_type_id', 'custom_portal_url'],
    logo: ['logo'],
    layout: ['portal_layout_id', 'portal_font_id'],
    side_image: ['portal_image'],
    words: ['headline', 'headlines', 'company_name', 'portal_footer'],
    colours: [
      'background_colour',
      'headline_text_colour',
      'form_container_colour',
      'body_text_colour',
      'button_fill_colour',
      'button_text_colour',
      'form_field_colour',
      'input_outline_colour',
    ],
    sign_in: ['auth_method_ids', 'redirect_url'],
    legal: ['terms', 'privacy_url', 'marketing_text'],
    place: ['property_ids', 'group_id', 'slug'],
  },
)

export const list = read(
  '/portals',
  listOf(
    { status: anyOf(status), group_id: anyOrNone(id), portal_type_id: anyOf(id), portal_layout_id: anyOf(id) },
    { group_id: ref('groups').optional() },
    ['-created_at', 'created_at', 'name', '-name'],
  ),
  page(PortalRow),
)
export const PortalName = named.extend({ status, group_id: id.nullable() })
export const names = lookup('/portals-list', nothing, z.array(PortalName))
export const nameList = read('/portals-list', namesOf({ group_id: ref('groups').optional() }), page(PortalName))
export const get = read('/portals/{id}', byId('portals'), Portal)
export const create = upload('/portals-create', PortalInput, Portal)
/** Without a picture, the present one stays. */
export const update = upload('/portals-update', changesTo('portals', PortalInput), Portal)
export const deactivate = write('/portals-deactivate', byIds('portals'), done)
export const activate = write('/portals-activate/{id}', byId('portals'), Portal)
export const remove = removal('/portals-delete', byId('portals'), done)
/** Makes another portal that looks the same, as a draft that no property shows. */
export const duplicate = write('/portals-duplicate', byId('portals').extend({ name: text() }), Portal)

export const PortalVersion = z.object({
  /** Counts the saves of the portal that changed its design. */
  number: count,
  saved_by: z.string(),
  created_at: moment,
})
/** The saved designs, newest first, at most 200. */
export const versions = read('/portals-versions', byId('portals'), z.array(PortalVersion))
/** The look and texts of a portal: what a version keeps. */
const PortalDesign = Portal.pick({
  company_name: true,
  portal_layout_id: true,
  portal_font_id: true,
  auth_method_ids: true,
  custom_portal_url: true,
  portal_footer: true,
  redirect_url: true,
  headline: true,
  headlines: true,
  headline_text_colour: true,
  background_colour: true,
  button_fill_colour: true,
  button_text_colour: true,
  body_text_colour: true,
  input_outline_colour: true,
  form_container_colour: true,
  form_field_colour: true,
  logo: true,
  logo_preview_url: true,
  portal_image: true,
  side_image_preview_url: true,
  terms: true,
  terms_version: true,
  privacy_url: true,
  marketing_text: true,
})
/** One of them, for a preview before it is restored. */
export const version = read(
  '/portals-version',
  z.object({ id: rowOf('portals'), number: id }),
  PortalVersion.extend({ design: PortalDesign }),
)
/** Restores the look and texts of that version. Name, slug, properties and status stay. */
export const restore = write('/portals-restore', z.object({ id: rowOf('portals'), number: id }), Portal)
