// Security: what a customer asks of its people when they sign in.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing } from './shapes.ts'

const { read, write } = callsOf('security')

export const Security = z.object({
  /** Whoever has no second factor sets one up before anything else. */
  second_factor_required: z.boolean(),
  /** How many people sign in here, and how many of them without a second factor. */
  people: z.int().min(0),
  people_without: z.int().min(0),
})
export const get = read('/security', nothing, Security)
export const update = write('/security-update', z.object({ second_factor_required: z.boolean() }), Security)
