// Shapes: the kinds of value that entities consist of, and the shapes of inputs and answers.
import { z } from 'zod'
import './field-errors.ts'
import { none_mark, ofKind } from './describe.ts'
import { constants } from './constants.ts'
import { messages } from './messages.ts'
import { coin_places_max, currencies, decimalOf, placesIn } from './money.ts'
import type { RefTarget } from './ref-target.ts'
import { status } from './status.ts'

/** A positive integer that fits the database's `integer`. */
export const id = z.int().min(1).max(2_147_483_647)

/**
 * An id that points at another record. The server refuses (422) one that is absent or out of the caller's reach. How it is drawn is in
 * references.ts; `none`: what it means to have none, where that is more than none: `The property’s package`.
 */
export const ref = (target: RefTarget, none?: string) =>
  id.meta({ ref: target, ...(none === undefined ? {} : { [none_mark]: none }) })

/** One line of text, trimmed, not empty. */
export const text = (length_max = 255) => z.string().trim().min(1).max(length_max)
/**
 * What mail programs turn into a link: a name that contains one would advertise in our mails. A two-letter country domain needs a
 * longer word before it, since J.de Vries is a name.
 */
const web_address = new RegExp(
  [
    '://',
    '\\bwww\\.',
    '(?<![@\\w.-])(?:[a-z\\d-]+\\.)+(?:com|net|org|info|biz|xyz|online|site|shop|app|dev|link|click|top)\\b',
    '(?<![@\\w.-])(?:[a-z\\d-]+\\.)*[a-z\\d-]{4,}\\.(?:io|co|ru|cn|uk|de|fr|eu|us)\\b',
  ].join('|'),
  'i',
)
/** The name of a person, a company or a place, which appears in mails to people who have not asked for any. */
export const mailedName = () => text().refine((name) => !web_address.test(name), messages.fields.webAddress)
/** An e-mail address, lower-cased. Line breaks and lists are refused, so it is safe in a mail's header. */
export const email = z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254))
const letter = String.raw`\p{L}\p{M}\p{N}`
const mailbox_part = `[${letter}!#$%&'*+/=?^_\`{|}~-]+`
/** Letters of any script before the @, and in the names of domains; separators of lists of addresses are refused. */
const any_script = new RegExp(
  String.raw`^${mailbox_part}(?:\.${mailbox_part})*@(?:[\p{L}\p{N}](?:[${letter}-]*[${letter}])?\.)+[${letter}-]{2,}$`,
  'u',
)
/** The address of a guest, which is never a login for Foyer: like `email`, in the letters of any script. */
export const guestEmail = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ pattern: any_script }))
  .pipe(z.string().max(254))
const page_address_wrong = 'Please enter an address that begins with https:// or http://'
/** Where a guest may be sent: a web page, never a script, mail or file. */
export const pageAddress = z
  .string()
  .trim()
  .max(2000)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i, page_address_wrong)
  .pipe(z.url(page_address_wrong))
/** A number as people write it: an optional plus, digits, and the usual separators. */
export const mobile = z
  .string()
  .trim()
  .max(40)
  .regex(/^\+?[\d\s()./-]{5,}$/, 'Please enter a valid mobile number')
/** A whole number, zero or more. */
export const count = z.int().min(0).max(2_147_483_647)
/** A number with decimals, zero or more: gigabytes, megabits per second, hours. */
export const amount = z.number().min(0).max(1_000_000)
const money_max = 9_999_999_999
/**
 * Money in a currency that the schema does not know: a number or a text, read as a decimal text, so that it is stored as it was sent.
 * Which places its coin has is asked where the currency is known (`moneyTooFine`).
 */
export const money = ofKind(
  'money',
  z.union([z.number(), z.string().trim().max(40)]).transform((value, context) => {
    const decimal = decimalOf(value)
    const refusal =
      value === ''
        ? messages.fields.required
        : typeof value === 'number' && value > money_max
          ? messages.fields.maximum(money_max)
          : decimal === null || decimal.startsWith('-')
            ? messages.fields.numeric
            : Number(decimal) > money_max
              ? messages.fields.maximum(money_max)
              : placesIn(decimal) > coin_places_max && messages.fields.places(coin_places_max)
    if (refusal) context.addIssue(refusal)
    return decimal ?? ''
  }),
)
/** The code of a currency of ISO 4217. */
export const currency = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, 'Please enter the three letters of a currency')
  .refine((code) => currencies.includes(code), 'This currency is not known')
/** A port of UDP or TCP. Shown without thousands separators. */
export const port = ofKind('text', z.int().min(1).max(65_535))
const percentage_places = 2
export const percentage = ofKind(
  'percentage',
  z
    .number()
    .min(0)
    .max(100)
    .refine(
      (value) => placesIn(decimalOf(value) ?? '') <= percentage_places,
      messages.fields.places(percentage_places),
    ),
)
export const yes = z.boolean().default(true)
export const no = z.boolean().default(false)
/**
 * A point in time, ISO 8601 with its offset. PostgreSQL supports neither a year 0 nor an offset of 16 hours; the years 1 and 9999 are
 * excluded because in another zone they may be the years 0 and 10000.
 */
export const moment = z.iso
  .datetime({ offset: true })
  .regex(/^(?!000[01]|9999).*(Z|[+-](0\d|1[0-5]):\d\d)$/, 'Please enter a date and time')
export const day = z.iso.date().regex(/^(?!0000)/, 'Please enter a date')
/** By a property's clock, to the minute: `16:00`. */
export const timeOfDay = z.iso.time({ precision: -1, error: 'Please enter a time like 16:00' })
/** A day to be stored. Other years lack a digit, or are of another calendar. */
export const storedDay = day.refine((date) => /^(19|20|21)/.test(date), messages.fields.year)
/** A point in time to be stored: an end may be as far ahead as one likes. */
export const storedMoment = moment.refine((date) => date >= '19', messages.fields.year)

/** An IANA name such as Europe/London; an offset from UTC would not know daylight saving time. */
export const timeZone = z.string().trim().max(64).refine(isTimeZone, 'Please choose a time zone')
function isTimeZone(name: string): boolean {
  if (!/^[a-z]\w*(\/[\w+-]+)*$/i.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const ownerTypes = ['Customer', 'Group', 'Property', 'Package'] as const
const ownerSpellings: Record<string, (typeof ownerTypes)[number]> = {
  customer: 'Customer', customers: 'Customer',
  group: 'Group', groups: 'Group',
  property: 'Property', properties: 'Property',
  package: 'Package', packages: 'Package',
} // prettier-ignore
/** Accepted in any case and in the plural, as imports and invitations send it; answered singular and capitalised. */
export const ownerType = z.preprocess(
  (value) => (typeof value === 'string' ? (ownerSpellings[value.toLowerCase()] ?? value) : value),
  z.enum(ownerTypes),
)
export type OwnerType = (typeof ownerTypes)[number]

/** The three contexts in which a user can be signed in. */
export const contexts = ['customer', 'group', 'property'] as const
export const context = z.enum(contexts)
export type Context = (typeof contexts)[number]

/** An uploaded file: the browser's, or on the server one that is kept in a folder until the answer is sent. */
export interface FileField {
  name: string
}
const isFile = (value: unknown) => typeof value === 'object' && value !== null && 'name' in value
/** `types` are file extensions such as `.csv`; a larger file is refused while it arrives, with the sentence `too_large`. */
export const file = (types: readonly string[], bytes_max: number, too_large: string = messages.imports.tooLarge) =>
  z
    .custom<FileField>(isFile, { error: ({ input }) => (input == null ? undefined : 'Please choose a file') })
    .meta({ file: { types, bytes_max, too_large }, type: 'string', format: 'binary' })
/** The answer of a download instead of JSON: a file, streamed. */
export const fileContent = z.unknown()

// Inputs

export const nothing = z.object({})
/** The id of the row that a call is about. If it is absent or out of reach the answer is 404, or 422 for one of several. */
export const rowOf = (table: RefTarget) => id.meta({ 'x-row': table })
export const byId = (table: RefTarget) => z.object({ id: rowOf(table) })
const distinct = <V>(values: V[]) => [...new Set(values)]
/** A bulk call: all or nothing. A row that is named twice is meant once. */
export const byIds = (table: RefTarget) =>
  z.object({ ids: z.array(rowOf(table)).min(1).max(constants.list.excluded_ids_max).overwrite(distinct) })

/** One `id`, or several `ids`. */
export const idOrIds = (table: RefTarget) =>
  z
    .object({ id: rowOf(table).nullish(), ids: byIds(table).shape.ids.nullish() })
    .refine((given) => given.id || given.ids, { path: ['ids'], message: 'Give id or ids' })

/** A filter's value: one, or a list read as "any of these". */
export const anyOf = <V extends z.ZodType>(value: V) => z.union([z.array(value).max(200), value]).optional()

/** The same for an optional value: null, alone or in the list, matches records without one. */
export const anyOrNone = <V extends z.ZodType>(value: V) => anyOf(value.nullable())

type Fields = Record<string, z.ZodType>

/** Anything a list does not know is refused, not ignored: ignoring an unknown parent would return every row. */
const unknownInList = 'Lists do not have this field; parents belong in params'

/**
 * The list protocol (DECISIONS §3). `filters` and `params` (parents, as `ref`s) are those of this list; any other is refused. `sort`
 * names columns; a leading minus reverses the order.
 */
export const listOf = <F extends Fields, P extends Fields, S extends string = '-created_at'>(
  filters: F,
  params: P = {} as P,
  sorts: readonly S[] = ['-created_at' as S],
) =>
  z
    .strictObject(
      {
        excludeIds: z.array(id).max(constants.list.excluded_ids_max).default([]),
        /** The same as `excludeIds`, as some calls spell it. */
        exclude_ids: z.array(id).max(constants.list.excluded_ids_max).default([]),
        searchValue: z.string().trim().max(200).nullish(),
        /** `meta.fetched_at` of the first page: rows made later are left out, and counted in `meta.newer`. */
        lastFetchedAt: moment.nullish(),
        params: z.strictObject(params).prefault({} as never),
        filters: z.strictObject(filters).prefault({} as never),
        sort: z.enum(sorts).optional(),
        per_page: z.int().min(0).max(constants.list.page_rows_max).default(constants.list.page_rows),
        /** With `per_page: 0`: only `total`, exact up to 100,000. */
        count: z.boolean().default(false),
        cursor: z.string().max(500).nullish(),
        /** With `params.collection_id`: leaves out the members of that collection, and what it cannot contain. */
        shouldExclude: z.boolean().default(false),
      },
      { error: ({ code }) => (code === 'unrecognized_keys' ? unknownInList : undefined) },
    )
    .refine(({ count, per_page }) => !count || per_page === 0, {
      path: ['count'],
      message: 'Counting takes per_page 0',
    })

/** What a select requests while the user types: the list protocol over `{id, name, status}`, with parents, sorted by name on request. */
export const namesOf = <P extends Fields, S extends string = 'name' | '-name'>(
  params: P = {} as P,
  sorts: readonly S[] = ['name' as S, '-name' as S],
) => listOf({ status: anyOf(status) }, params, ['-created_at', 'created_at', ...sorts])

export const listFormats = ['csv', 'xlsx', 'xls'] as const
/** The same search, parents, filters and order, but for all rows at once. */
export const listFileOf = <P extends z.ZodType, F extends z.ZodType, S extends z.ZodType>(
  list: z.ZodObject<{ params: P; filters: F; sort: S }>,
) =>
  z.strictObject({
    searchValue: z.string().trim().max(200).nullish(),
    params: list.shape.params,
    filters: list.shape.filters,
    sort: list.shape.sort,
    shouldExclude: z.boolean().default(false),
    format: z.enum(listFormats).default('csv'),
  })

type Unwrapped<S> = S extends z.ZodDefault<infer I> ? Unwrapped<I> : S extends z.ZodOptional<infer I> ? Unwrapped<I> : S
const withoutDefault = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault
    ? withoutDefault(schema.unwrap() as z.ZodType)
    : schema

/**
 * The same fields with nothing required and no defaults, for an update that leaves absent fields alone.
 * (`.partial()` would fill in defaults, and so silently reset fields that the caller did not send.)
 *
 * `was`: the values that the caller has read in the fields it changes. If one of them has changed since, nothing is saved, and the
 * answer is 409 with those fields.
 */
export const changesTo = <S extends z.ZodRawShape>(table: RefTarget, schema: z.ZodObject<S>) => {
  const fields = Object.entries(schema.shape).map(([name, field]) => [
    name,
    withoutDefault(field as z.ZodType).optional(),
  ])
  return z.object(Object.fromEntries(fields) as { [K in keyof S]: z.ZodOptional<Unwrapped<S[K]>> }).extend({
    id: rowOf(table),
    was: z.record(z.string(), z.unknown()).optional(),
  })
}

// Answers

export const named = z.object({ id, name: z.string() })
export const NameRow = z.object({ id, name: z.string(), status })
/** Bulk calls and deletions answer the ids that changed. */
export const done = z.object({ ids: z.array(id) })

export const ListMeta = z.object({
  /** The matching rows without the excluded ones (with a cursor: those after it), counted up to 1,000. */
  total: count,
  from: count,
  /** The number of rows returned; `total === to` ends the list. */
  to: count,
  per_page: count,
  next_cursor: z.string().nullable(),
  fetched_at: moment,
  /** Rows made since `lastFetchedAt`. */
  newer: count,
  /** There are more than `total` says. */
  more: z.literal(true).optional(),
  /** Of sessions: all that ended on this day or later are listed; earlier ones are in reports alone. Absent: all are listed. */
  listed_since: day.optional(),
})
export type ListMeta = z.infer<typeof ListMeta>
export type Listing<R extends z.ZodType> = z.ZodObject<{ data: z.ZodArray<R>; meta: typeof ListMeta }>
export const page = <R extends z.ZodType>(row: R): Listing<R> => z.object({ data: z.array(row), meta: ListMeta })
