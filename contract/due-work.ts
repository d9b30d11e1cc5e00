// Due work: what is done later, such as a mail, a report's file or a draft in the books: what waits, what failed, and why.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byIds, count, done, id, listOf, moment, nothing, page, text } from './shapes.ts'

const { lookup, read, write } = callsOf('due_work')

/**
 * `waiting` for its time, or for the next try; `trying` now; `failed`: it was given up; `unknown`: nobody can tell whether it was done.
 */
export const states = ['waiting', 'trying', 'failed', 'unknown'] as const

export const DueWorkRow = z
  .object({
    id,
    /** One of `/due-work-kinds`. */
    kind: z.string(),
    /** What is to be done, in words; null where its record is gone. */
    about: z.string().nullable(),
    state: z.enum(states),
    /** Number of tries so far. */
    tries: count,
    /** When it is tried, or tried again. */
    next_at: moment,
    /** Other work for the same side is tried before it: it follows as soon as that is answered, at the latest at `next_at`. */
    waits_for_answer: z.boolean(),
    last_error: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'DueWork' })

/** The labels of its fields. */
export const fields = fieldsOf([DueWorkRow], {
  about: 'What',
  next_at: 'Next try',
  last_error: 'Why',
  created_at: 'Since',
})

export const list = read(
  '/due-work',
  listOf({ kind: anyOf(z.string()), state: anyOf(z.enum(states)) }),
  page(DueWorkRow),
)
export const DueKind = z.object({ id: z.string(), name: z.string() })
/** The kinds of due work: the word for each, and its name. */
export const kinds = lookup('/due-work-kinds', nothing, z.array(DueKind))
/** Has it tried at once, also what was given up. */
export const retry = write('/due-work-retry', byIds('due_work'), done)
/** It is not done any more. Where nobody can tell whether it was done, somebody has to say what they found: the reason. */
export const dismiss = write('/due-work-dismiss', byIds('due_work').extend({ reason: text().nullish() }), done)
