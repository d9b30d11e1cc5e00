// Stay differences: where the property's own system says one thing of a stay, and somebody has said another by hand.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { fieldsOf } from './describe.ts'
import { anyOf, byIds, done, id, listOf, moment, named, page, ref } from './shapes.ts'

const { read, write } = callsOf('room_guests')

/** `presence`: whether the guest is there. `room` without ours: the property has no such room, and accepting makes it. */
export const differenceFields = [
  ...(['room', 'arrives_on', 'departs_on', 'until_time', 'presence'] as const),
  ...(['last_name', 'first_name', 'email', 'mobile_number'] as const),
] as const

export const StayDifference = z
  .object({
    id,
    property: named,
    /** Where the guest is by what was entered; null where no room is known. */
    room: named.nullable(),
    guest: named.nullable(),
    field: z.enum(differenceFields),
    system: z.string().nullable(),
    ours: z.string().nullable(),
    /** The name of the interface through which the system speaks. */
    told_by: z.string(),
    /** Somebody has looked, and ours stays. */
    kept: z.boolean(),
    at: moment,
  })
  .meta({ id: 'StayDifference' })

/** The labels of its fields. */
export const fields = fieldsOf([StayDifference], {
  field: 'What',
  system: 'The system says',
  ours: 'We say',
  told_by: 'System',
  kept: 'Settled',
  at: 'Since',
})

export const differenceList = read(
  '/stay-differences',
  listOf(
    /** Those that wait, unless `kept` says otherwise. */
    { property_id: anyOf(id), field: anyOf(z.enum(differenceFields)), kept: anyOf(z.boolean()) },
    { property_id: ref('properties').optional(), group_id: ref('groups').optional() },
  ),
  page(StayDifference),
)
/** The system's word holds, as if nobody had said otherwise. */
export const acceptDifferences = write('/stay-differences-accept', byIds('stay_differences'), done)
/** Ours stays, until the system says something else again. */
export const keepDifferences = write('/stay-differences-keep', byIds('stay_differences'), done)
/** What was kept waits again. */
export const askAgain = write('/stay-differences-ask-again', byIds('stay_differences'), done)
