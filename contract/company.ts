// Company: settings of a customer as a whole: the time zone by which its reports are sent, and whom a front desk calls.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing, text, timeZone } from './shapes.ts'

const { read, write } = callsOf('company')

export const Company = z.object({
  name: z.string(),
  /** IANA name of the time zone in which scheduled reports are due. Properties have time zones of their own. */
  time_zone: z.string(),
  /** Whom a front desk calls when the network does not work; null: not set. */
  desk_contact: z.string().nullable(),
})
export const get = read('/company', nothing, Company)
export const update = write(
  '/company-update',
  z.object({ time_zone: timeZone.optional(), desk_contact: text(200).nullish() }),
  Company,
)
