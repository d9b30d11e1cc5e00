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

/** The sheet of a workbook to read, by its name: needed where several hold such a list. */
const sheet = z.string().max(100).nullish()

/** What the first row of the file may be called; the samples at `/files/accounts.csv` and `/files/devices.csv` have them all. */
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

/** Problems and cells left out that an answer lists; its counts are of all. */
export const problems_max = 100

/** What is wrong with one cell, or with a row (no column). Rows are counted as a spreadsheet shows them: the header is 1. */
export const ImportProblem = z.object({ row: count, column: z.string().nullable(), message: z.string() })

/** A cell of a good row that is not kept: an address that is none. What stood there before stays. */
export const ImportLeftOut = z.object({ row: count, column: z.string(), value: z.string(), sentence: z.string() })

/** `entry` is what a person is shown of a row beside its name. */
const resultOf = <E extends z.ZodRawShape>(entry: E) =>
  z.object({
    /** By which an import is known later; null in a dry run. */
    id: id.nullable(),
    /** Distinct records stored (or, in a dry run, that would be). */
    total: count,
    /** Rows that repeat a name of the same file; the last one wins. */
    duplicates: count,
    created: count,
    overwritten: count,
    rows: count,
    /** At most 100 of them; `problem_rows` counts all rows that have one. A file with problems is not imported at all. */
    problems: z.array(ImportProblem),
    problem_rows: count,
    /** At most 100 cells of good rows that are not kept; `left_out_rows` counts all rows that have one. */
    left_out: z.array(ImportLeftOut),
    left_out_rows: count,
    /** The first rows as they were understood, for a person to look at. */
    preview: z.array(
      z.object({
        row: count,
        name: z.string(),
        ...entry,
        package_name: z.string().nullable(),
        outcome: z.enum(['new', 'overwritten', 'duplicate']),
      }),
    ),
    /** Headings of columns that were not understood, so that a misspelt one is seen before it is missed. */
    ignored_columns: z.array(z.string()),
    /** What was not read though it is in the file: other sheets, hidden rows and columns. Sentences for a person. */
    notes: z.array(z.string()),
    /**
     * The sheets of which any may be meant, by name; empty where there is no choice. A dry run without `sheet` reads none of
     * them and says so in `problems`; an import is refused.
     */
    sheets: z.array(z.string()),
  })

/** Rows with problems are left out, and the others imported: a choice, for else a file is imported as a whole or not at all. */
const skip_problems = no

export const ImportResult = resultOf({ email: z.string().nullable() }).meta({ id: 'ImportResult' })
export const DeviceImportResult = resultOf({ mac_address: z.string().nullable() }).meta({ id: 'DeviceImportResult' })

/** What a list of rooms means for those whom it does not name. */
export const roomImportModes = ['add', 'replace', 'whole'] as const

/** Somebody who moves in, stays or moves out. */
const Mover = z.object({
  /** The first row that names the room; null for somebody who is not on the list. */
  row: count.nullable(),
  room: z.string(),
  name: z.string(),
  arrives_on: day.nullable(),
  /** Of somebody who moves out: their last day, by which they leave. */
  departs_on: day.nullable(),
})
/** How many, and the first thousand of them by room. */
const Movers = z.object({ count, rows: z.array(Mover) })

export const RoomImportResult = resultOf({ guests: z.string().nullable() })
  .extend({
    mode: z.enum(roomImportModes),
    /** Who is new in their room, today or from a later day. */
    moves_in: Movers,
    /** Who is on the list and in their room already. They keep their stay, devices and password. */
    stays: Movers,
    /** Who is checked out, at once or on the day before those move in of whom most of the list is. */
    moves_out: Movers,
    /** Who is not on the list and leaves by their own stay before anybody of it moves in. They are left alone. */
    leave_by_then: Movers,
    /** The first day on which somebody of the list moves in later. */
    begins_on: day.nullable(),
    /** How many rooms nobody is in after that. */
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
    /** In the customer context, without it, each row names its own. */
    property_id: ref('properties').nullish(),
    /** For rows that say -1, or nothing. */
    package_id: ref('packages').nullish(),
    account_type_id: ref('account_types').default(constants.account_types.regular),
    /** Mails their sign-in to the new guests who have an address, a user name and a password. */
    mail_sign_ins: no,
    /** The same by text message, to those who have a mobile number. */
    text_sign_ins: no,
    skip_problems,
    /** Checks and tells, and writes nothing. */
    dry_run: no,
  }),
  ImportResult,
)

export const devices = upload(
  '/import/devices',
  z.object({
    DeviceImport: file(types, file_bytes_max),
    sheet,
    /** In the customer context, without it, each row names its own. */
    property_id: ref('properties').nullish(),
    /** For rows that say -1, or nothing. */
    package_id: ref('packages').nullish(),
    mac_category_id: ref('mac_categories').nullish(),
    skip_problems,
    /** Checks and tells, and writes nothing. */
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
    /** Not needed by those who work in one. */
    property_id: ref('properties').nullish(),
    /** For new rooms; those that are there keep theirs. */
    package_id: ref('packages').nullish(),
    /**
     * `add`: nobody is moved out. `replace`: the list says who lives in the rooms that it names. `whole`: it is the whole
     * property, and everybody else of it is checked out. Those two need the right to check guests out.
     */
    mode: z.enum(roomImportModes).default('add'),
    /** The count of `moves_out`, where the list empties more than a fifth of the property's rooms; else 409. */
    confirm_moves_out: count.nullish(),
    skip_problems,
    /** Checks and tells, and writes nothing. */
    dry_run: no,
  }),
  RoomImportResult,
)

export const importKinds = ['accounts', 'devices', 'rooms', 'portal'] as const
export const importOutcomes = ['running', 'done', 'failed'] as const

/** A file that somebody brought in, and what came of it. */
export const ImportRow = z
  .object({
    id,
    kind: z.enum(importKinds),
    file_name: z.string().nullable(),
    /** Null where each row named its own. */
    property: named.nullable(),
    outcome: z.enum(importOutcomes),
    total: count,
    duplicates: count,
    created: count,
    overwritten: count,
    /** Guests who were checked out by it, or leave earlier: of a list of rooms. */
    moved_out: count,
    /** What was wrong with it, or left out of it, as far as it is listed; forgotten after 24 hours. */
    problem_count: count,
    /** Who brought it: a person, or a program with a key. */
    actor_name: z.string().nullable(),
    created_at: moment,
    /** Until then it can be undone; null where nothing is kept of it any more. */
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

/** Takes an import back for 24 hours: all of it, or nothing where one of its records was changed or used since. */
export const undo = write('/imports-undo', byId('imports'), ImportRow)

const format = z.enum(listFormats).default('xlsx')
/** What was wrong with an imported file, and what was left out of it, as a table to work off beside the file. */
export const problems = produced('/imports-problems', byId('imports').extend({ format }), fileContent)
/** The same for a dry run, of which nothing is stored: its answer is sent back. */
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
