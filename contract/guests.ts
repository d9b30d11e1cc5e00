// Guests: people who signed in at a portal by themselves: what is known of each, what they agreed to, and erasing it.
import { z } from 'zod'
import { asking, callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byId, byIds, count, done, fileContent, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read, write, handout, listFile, removal } = callsOf('guests')

export const GuestRow = z
  .object({
    id,
    /** Null for guests who only clicked through and gave no name. */
    name: z.string().nullable(),
    email: z.string().nullable(),
    mobile_number: z.string().nullable(),
    property: named.nullable(),
    auth_method: named.nullable(),
    /** When the address was confirmed; null if it was not, or did not need to be. */
    confirmed_at: moment.nullable(),
    /** The guest has agreed to marketing, and has not withdrawn. */
    marketing: z.boolean(),
    /** The text that was last agreed to, and when. */
    marketing_wording: z.string().nullable(),
    marketing_agreed_at: moment.nullable(),
    /** The version of the terms that was last agreed to. */
    terms_version: count.nullable(),
    terms_agreed_at: moment.nullable(),
    language: z.string().nullable(),
    visits: count,
    first_seen_at: moment,
    last_seen_at: moment,
    created_at: moment,
  })
  .meta({ id: 'Guest' })

/** The labels of its fields. */
export const fields = fieldsOf([GuestRow], {
  auth_method: 'Signed in by',
  first_seen_at: 'First seen',
})

export const list = read(
  '/guests',
  listOf(
    {
      marketing: anyOf(z.boolean()),
      property_id: anyOf(id),
      group_id: anyOf(id),
      auth_method_id: anyOf(id),
    },
    { property_id: ref('properties').optional(), group_id: ref('groups').optional() },
    ['-created_at', 'created_at'],
  ),
  page(GuestRow),
)
/** Personal data: the right to read the list is not enough to download it. */
export const exportList = asking({ ...listFile('/guests-export', list), action: 'desk' as const })
export const get = read('/guests/{id}', byId('guests'), GuestRow)
/** `json` for another program, the others for people. A pdf would shorten long texts, such as what was agreed to. */
export const dataFormats = ['json', 'xlsx', 'xls', 'csv'] as const
/** Everything that is known of one guest, for requests of access. */
export const data = asking(
  handout('/guests-data', byId('guests').extend({ format: z.enum(dataFormats).default('json') }), fileContent),
)

/** The data there is of these guests. */
export const Known = z.object({
  guests: count,
  devices: count,
  consents: count,
  sessions: count,
  attempts: count,
  /** Sessions that are still open and must be ended first. */
  online: count,
})
const several = z.object({ ids: byIds('guests').shape.ids.max(500) })
export const known = read('/guests-known', several, Known)
export const marketingPurposes = ['marketing_email', 'marketing_sms'] as const
/**
 * What guests tell the property: that they want to hear no more. It is withdrawn for all guests in reach who have the same address or
 * number, and these are answered. Connected audiences archive them; only they can agree again, at a portal.
 */
export const withdrawConsent = write(
  '/guests-withdraw-consent',
  several.extend({
    purposes: z
      .array(z.enum(marketingPurposes))
      .min(1)
      .default([...marketingPurposes]),
  }),
  done,
)
/** Erases all personal data for good. Sessions keep their times and their usage. */
export const erase = removal('/guests-erase', several, done)
