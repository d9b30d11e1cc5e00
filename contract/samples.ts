// Samples: an invented hotel to look at, in a customer of its own, which one switches to. Nothing of it leaves, and it goes whole.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { id, moment, nothing } from './shapes.ts'

const { read, write } = callsOf('company')

export const Sample = z
  .object({
    /** Null: there is none. */
    made_at: moment.nullable(),
    /** The caller's user in it, for `/auth/switch`; null where they have not opened it. */
    user_id: id.nullable(),
    /** What people have made in it and not taken away again, newest first. */
    added: z.array(z.object({ kind: z.string(), name: z.string().nullable(), by: z.string().nullable(), at: moment })),
    /** How many records they have changed. */
    changed: z.int(),
  })
  .meta({ id: 'Sample' })

export type Sampled = z.output<typeof Sample>

export const sample = read('/sample', nothing, Sample)
/** Makes it where there is none, and brings it up to today otherwise. */
export const startSample = write('/sample-start', nothing, z.object({ user_id: id }))
/** Takes it away, with what people have added to it. */
export const endSample = write('/sample-end', nothing, nothing)
