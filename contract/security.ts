// Security: what a customer requires of its users when they sign in.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing } from './shapes.ts'

const { read, write } = callsOf('security')

export const Security = z.object({
  /** Users without a second factor must set one up before anything else. */
  second_factor_required: z.boolean(),
  /** Number of people who sign in here, and of those without a second factor. */
  people: z.int().min(0),
  people_without: z.int().min(0),
})
export const get = read('/security', nothing, Security)
export const update = write('/security-update', z.object({ second_factor_required: z.boolean() }), Security)
