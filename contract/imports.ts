// Imports: guest accounts and devices from a spreadsheet, checked before anything is written.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { constants } from './constants.ts'
import {
  anyOf,
  byId,
  count,
  day,
  file,
  fileContent,
  id,
  listFormats,
  listOf,
  moment,
  named,
  no,
  page,
  ref,
} from './shapes.ts'

const { read, upload, write, produced } = callsOf('imports')

const { types, file_bytes_max } = constants.import

/** The name of the sheet to read: needed if several sheets of the workbook contain such a list. */
const sheet = z.string().max(100).nullish()

/** The headings the first row may have; the samples at `/files/accounts.csv` and `/files/devices.csv` have them all. */
export const accountColumns = [
  'name', 'email', 'mobile_number', 'username', 'password', 'package_id', 'account_type_id',
  'external_reference', 'room_number', 'property_id', 'active', 'expires_at',
] as const // prettier-ignore

export const deviceColumns = [
  'name', 'mac_address', 'external_reference', 'mac_category_id', 'package_id', 'room_number', 'property_id', 'active',
] as const // prettier-ignore

export const roomColumns = [
  'room', 'first_name', 'last_name', 'email', 'mobile_number', 'reservation', 'arrival', 'departure', 'status',
] as const // prettier-ignore

/** Maximum number of problems and omitted cells that an answer lists; its counts include all. */
export const problems_max = 100

/** Which of two numbers of a date comes first, where neither the file's other dates nor the property's country show it. */
export const dayOrders = ['day_first', 'month_first'] as const
export type OrderOfDays = (typeof dayOrders)[number]
const day_order = z.enum(dayOrders).nullish()

/** A problem with one cell, or with a row (no column). Rows are numbered as in a spreadsheet: the header is 1. */
export const ImportProblem = z.object({ row: count, column: z.string().nullable(), message: z.string() })

/** A cell of a good row that is not stored, such as an invalid address. The former value stays. */
export const ImportLeftOut = z.object({ row: count, column: z.string(), value: z.string(), sentence: z.string() })

/** `entry` is what a person is shown of a row in addition to its name. */
const resultOf = <E extends z.ZodRawShape>(entry: E) =>
  z.object({
    /** The id of the import; null in a dry run. */
    id: id.nullable(),
    /** Distinct records stored (or, in a dry run, that would be). */
    total: count,
    /** Rows that repeat a name from the same file; the last one wins. */
    duplicates: count,
    created: count,
    overwritten: count,
    rows: count,
    /** At most 100; `problem_rows` counts all rows that have one. A file with problems is not imported at all. */
    problems: z.array(ImportProblem),
    problem_rows: count,
    /** At most 100 cells of good rows that are not stored; `left_out_rows` counts all rows that have one. */
    left_out: z.array(ImportLeftOut),
    left_out_rows: count,
    /** The first rows as they were understood, for a person to check. */
    preview: z.array(
      z.object({
        row: count,
        name: z.string(),
        ...entry,
        package_name: z.string().nullable(),
        outcome: z.enum(['new', 'overwritten', 'duplicate']),
      }),
    ),
    /** Headings that were not understood, so that a misspelt one is noticed in time. */
    ignored_columns: z.array(z.string()),
    /** Parts of the file that were not read: other sheets, hidden rows and columns. Sentences for a person. */
    notes: z.array(z.string()),
    /**
     * The names of the sheets that may be meant; empty if there is no choice. A dry run without `sheet` reads none of them and reports
     * that in `problems`; an import is refused.
     */
    sheets: z.array(z.string()),
    /** The orders of day and month to choose from, if dates of the file may be either day; as with sheets, none is read until then. */
    day_orders: z.array(z.enum(dayOrders)),
  })

/** Leaves out the rows with problems and imports the others. Without it a file is imported as a whole or not at all. */
const skip_problems = no

export const ImportResult = resultOf({ email: z.string().nullable() }).meta({ id: 'ImportResult' })
export const DeviceImportResult = resultOf({ mac_address: z.string().nullable() }).meta({ id: 'DeviceImportResult' })

/** What a list of rooms means for guests who are not on it. */
export const roomImportModes = ['add', 'replace', 'whole'] as const

/** Somebody who moves in, stays or moves out. */
const Mover = z.object({
  /** The first row that names the room; null for a guest who is not on the list. */
  row: count.nullable(),
  room: z.string(),
  name: z.string(),
  arrives_on: day.nullable(),
  /** For somebody who moves out: their last day. */
  departs_on: day.nullable(),
})
/** The number, and the first thousand by room. */
const Movers = z.object({ count, rows: z.array(Mover) })

export const RoomImportResult = resultOf({ guests: z.string().nullable() })
  .extend({
    mode: z.enum(roomImportModes),
    /** Guests who are new in their room, today or from a later day. */
    moves_in: Movers,
    /** Guests on the list who are already in their room. They keep their stay, devices and password. */
    stays: Movers,
    /** Guests who are checked out: at once, or on the day before most of the list moves in. */
    moves_out: Movers,
    /** Guests who are not on the list and whose own stay ends before anybody on it moves in. They are not changed. */
    leave_by_then: Movers,
    /** The first later day on which somebody on the list moves in. */
    begins_on: day.nullable(),
    /** Number of rooms that are empty after that. */
    rooms_emptied: count,
    /** More than a fifth of the property's rooms: an import needs `confirm_moves_out`, the count of `moves_out`. */
    confirmation_needed: z.boolean(),
  })
  .meta({ id: 'RoomImportResult' })

export const accounts = upload(
  '/import/accounts',
  z.object({
    AccountImport: file(types, file_bytes_max),
    sheet,
    day_order,
    /** In the customer context, without it, each row names its property. */
    property_id: ref('properties').nullish(),
    /** For rows that contain -1, or nothing. */
    package_id: ref('packages').nullish(),
    account_type_id: ref('account_types').default(constants.account_types.regular),
    /** Mails their sign-in to the new guests who have an address, a user name and a password. */
    mail_sign_ins: no,
    /** The same by text message, to those who have a mobile number. */
    text_sign_ins: no,
    skip_problems,
    /** Checks and reports, and writes nothing. */
    dry_run: no,
  }),
  ImportResult,
)

export const devices = upload(
  '/import/devices',
  z.object({
    DeviceImport: file(types, file_bytes_max),
    sheet,
    day_order,
    /** In the customer context, without it, each row names its property. */
    property_id: ref('properties').nullish(),
    /** For rows that contain -1, or nothing. */
    package_id: ref('packages').nullish(),
    mac_category_id: ref('mac_categories').nullish(),
    skip_problems,
    /** Checks and reports, and writes nothing. */
    dry_run: no,
  }),
  DeviceImportResult,
)

/** A property's rooms and who lives in them now: a room list or a rent roll. Rooms are matched by number, guests by name. */
export const rooms = upload(
  '/import/rooms',
  z.object({
    RoomImport: file(types, file_bytes_max),
    sheet,
    day_order,
    /** Not needed by users of a single property. */
    property_id: ref('properties').nullish(),
    /** For new rooms; existing ones keep theirs. */
    package_id: ref('packages').nullish(),
    /**
     * `add`: nobody is moved out. `replace`: the list decides who lives in the rooms it names. `whole`: it covers the whole property, and
     * everybody else there is checked out. The last two need the right to check guests out.
     */
    mode: z.enum(roomImportModes).default('add'),
    /** The count of `moves_out`; 409 without it if the list empties more than a fifth of the property's rooms. */
    confirm_moves_out: count.nullish(),
    skip_problems,
    /** Checks and reports, and writes nothing. */
    dry_run: no,
  }),
  RoomImportResult,
)

export const importKinds = ['accounts', 'devices', 'rooms', 'portal'] as const
export const importOutcomes = ['running', 'done', 'failed'] as const

/** An imported file and its outcome. */
export const ImportRow = z
  .object({
    id,
    kind: z.enum(importKinds),
    file_name: z.string().nullable(),
    /** Null if each row named its property. */
    property: named.nullable(),
    outcome: z.enum(importOutcomes),
    total: count,
    duplicates: count,
    created: count,
    overwritten: count,
    /** For a list of rooms: guests who were checked out by it, or leave earlier. */
    moved_out: count,
    /** Number of listed problems and omissions; deleted after 24 hours. */
    problem_count: count,
    /** Who imported it: a person, or a program with a key. */
    actor_name: z.string().nullable(),
    created_at: moment,
    /** Until then it can be undone; null if it no longer can be. */
    undo_until: moment.nullable(),
    undone_at: moment.nullable(),
    undone_by: z.string().nullable(),
  })
  .meta({ id: 'ImportRow' })

export const list = read(
  '/imports',
  listOf(
    { kind: anyOf(z.enum(importKinds)), outcome: anyOf(z.enum(importOutcomes)) },
    { property_id: ref('properties').optional() },
  ),
  page(ImportRow),
)

/** Undoes an import within 24 hours: all of it, or nothing if one of its records has been changed or used since. */
export const undo = write('/imports-undo', byId('imports'), ImportRow)

const format = z.enum(listFormats).default('xlsx')
/** The problems and omissions of an imported file, as a table to work through alongside the file. */
export const problems = produced('/imports-problems', byId('imports').extend({ format }), fileContent)
/** The same for a dry run. Nothing of it is stored, so its answer is sent back. */
export const problemsOfCheck = produced(
  '/imports-problems-of-check',
  z.object({
    file_name: z.string().trim().min(1).max(255),
    problems: z.array(ImportProblem).max(problems_max),
    left_out: z.array(ImportLeftOut).max(problems_max),
    format,
  }),
  fileContent,
)
