// Trials: a property's portal tried as a guest, at a simulated gateway, before there is a real one. Nothing of it is kept.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { moment, ref } from './shapes.ts'

const { read, write } = callsOf('gateways')

/** How long a trial lasts. */
export const trial_s = 3600

const of = z.object({ property_id: ref('properties') })

/** What the guest has come to: the step, and when. */
const Step = z.object({
  key: z.enum(['joined', 'signed_in', 'let_in', 'online', 'used', 'left']),
  at: moment.nullable(),
})
export type TrialStep = z.output<typeof Step>

export const Trial = z
  .object({
    /** The guest's first page: opened, it joins the network. Null: no trial runs. */
    url: z.string().nullable(),
    /** Whether a phone in the same network may open it: not where it means the machine itself. */
    for_phones: z.boolean(),
    ends_at: moment.nullable(),
    /** When a guest of a trial was first online here. */
    tried_at: moment.nullable(),
    /** In the order in which a guest takes them; of the newest device. */
    steps: z.array(Step),
    /** Whether they were let in, newest first, as the desk would read it. */
    attempts: z.array(
      z.object({
        at: moment,
        identifier: z.string().nullable(),
        accepted: z.boolean(),
        /** What the desk can repeat. */
        message: z.string(),
      }),
    ),
    /** What was written to the guest and not sent, newest first. */
    messages: z.array(z.object({ at: moment, to: z.string(), text: z.string() })),
    /** The newest session, as the gateway reports it. */
    session: z
      .object({
        online: z.boolean(),
        identifier: z.string().nullable(),
        package: z.string().nullable(),
        mac_address: z.string().nullable(),
        started_at: moment,
        last_seen_at: moment,
        seconds: z.int(),
        bytes_up: z.int(),
        bytes_down: z.int(),
        termination_reason: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Trial' })

/** How far the guest of the property's trial has got. */
export const trial = read('/trial', of, Trial)
/** Begins one, for an hour. Another of the same property is over. */
export const startTrial = write('/trial-start', of, z.object({ url: z.string() }))
/** Takes away everything that the trial has brought about. */
export const endTrial = write('/trial-end', of, z.object({ property_id: z.int() }))
