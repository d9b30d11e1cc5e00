// Shift: what was done at a property's desk lately and by whom, and what one shift writes for the next.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { id, moment, ref, rowOf, storedMoment, text } from './shapes.ts'

const { desk, read } = callsOf('guest_help')

/** What was done is listed for this long, unless another beginning is asked for. */
export const shift_hours = 12
export const acts_max = 100
/** Open notes, and those that were done within the shift. */
export const notes_max = 50

export const ShiftNote = z
  .object({
    id,
    text: z.string(),
    written_by: z.string(),
    created_at: moment,
    /** When somebody has dealt with it. */
    done_at: moment.nullable(),
    done_by: z.string().nullable(),
  })
  .meta({ id: 'ShiftNote' })
export type ShiftNote = z.output<typeof ShiftNote>

const Act = z.object({
  id: z.int().min(1),
  at: moment,
  by: z.string(),
  /** “moved Hart to room 205” */
  sentence: z.string(),
})

export const Shift = z
  .object({
    since: moment,
    /** Those that wait, and then those that were dealt with since; the newest first. */
    notes: z.array(ShiftNote),
    /** What people have done to guests, codes, accounts and devices there, the latest first. */
    acts: z.array(Act),
    /** There are more than these. */
    more: z.boolean(),
  })
  .meta({ id: 'Shift' })
export type Shift = z.output<typeof Shift>

/** `since`: at most 30 days back, as long as notes are kept. */
export const ofShift = read(
  '/shift',
  z.object({ params: z.object({ property_id: ref('properties') }), since: storedMoment.nullish() }),
  Shift,
)
export const writeNote = desk(
  '/shift-notes-create',
  z.object({ property_id: ref('properties'), text: text(1000) }),
  ShiftNote,
)
/** `done: false` lets it wait again. */
export const settleNote = desk(
  '/shift-notes-settle',
  z.object({ id: rowOf('shift_notes'), done: z.boolean() }),
  ShiftNote,
)
