// Company: what holds for a customer as a whole, such as the clock by which its reports are sent.
import { z } from 'zod'
import { callsOf } from './endpoint.ts'
import { nothing, timeZone } from './shapes.ts'

const { read, write } = callsOf('company')

export const Company = z.object({
  name: z.string(),
  /** IANA name of the clock by which scheduled reports are due. Properties have clocks of their own. */
  time_zone: z.string(),
})
export const get = read('/company', nothing, Company)
export const update = write('/company-update', z.object({ time_zone: timeZone }), Company)
