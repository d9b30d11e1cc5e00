// Guests: people who signed in at a portal by themselves: what is known of each, what they agreed to, and its erasure.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byId, byIds, count, done, fileContent, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read, handout, listFile, removal } = callsOf('guests')

export const GuestRow = z
  .object({
    id,
    /** Null for whoever only clicked through: nobody by name. */
    name: z.string().nullable(),
    email: z.string().nullable(),
    mobile_number: z.string().nullable(),
    property: named.nullable(),
    auth_method: named.nullable(),
    /** When the address was proven; null where none was, or none was needed. */
    confirmed_at: moment.nullable(),
    /** The guest wants to be told, and has not withdrawn that. */
    marketing: z.boolean(),
    /** The words that were agreed to last, and when. */
    marketing_wording: z.string().nullable(),
    marketing_agreed_at: moment.nullable(),
    /** The wording of the terms that was agreed to last. */
    terms_version: count.nullable(),
    terms_agreed_at: moment.nullable(),
    language: z.string().nullable(),
    visits: count,
    first_seen_at: moment,
    last_seen_at: moment,
    created_at: moment,
  })
  .meta({ id: 'Guest' })

/** What people call its fields. */
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
/** Personal data: reading the list is not enough to take it away. */
export const exportList = { ...listFile('/guests-export', list), action: 'desk' as const }
export const get = read('/guests/{id}', byId('guests'), GuestRow)
/** `json` for another program, the others for people to read. */
export const dataFormats = ['json', 'pdf', 'xlsx', 'xls', 'csv'] as const
/** Everything that is known of one guest: what they may ask for. */
export const data = handout(
  '/guests-data',
  byId('guests').extend({ format: z.enum(dataFormats).default('json') }),
  fileContent,
)

/** What there is of these guests. */
export const Known = z.object({
  guests: count,
  devices: count,
  consents: count,
  sessions: count,
  attempts: count,
  /** Sessions that are still open: they must be ended first. */
  online: count,
})
const several = z.object({ ids: byIds('guests').shape.ids.max(500) })
export const known = read('/guests-known', several, Known)
/** Takes everything personal away for good. Sessions keep when they were and how much they used. */
export const erase = removal('/guests-erase', several, done)
