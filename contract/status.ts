// Status: the one word for the state of a record (specification, section 4).
import { z } from 'zod'
import { keysOf } from './keys.ts'

export const statuses = ['active', 'disabled', 'draft'] as const
export const status = z.enum(statuses)
export type Status = z.infer<typeof status>

/** draft → draft; else active → active; else disabled. A record without `draft` is always active or disabled. */
export const statusOf = (row: { draft?: boolean; active: boolean }): Status =>
  row.draft ? 'draft' : row.active ? 'active' : 'disabled'

export const occupancies = ['occupied', 'vacant'] as const
export const occupancy = z.enum(occupancies)

/** What is wrong at an active property, the worst first, as badges and filters say it; `served`: nothing is. */
export const propertyStates = {
  never_heard: 'Gateway never heard',
  silent: 'Gateway silent',
  refusing: 'Refuses guests',
  link_down: 'Link down',
  incomplete: 'Incomplete',
  codes_out: 'No codes left',
  nights_late: 'Nights late',
  served: 'Served',
} as const
export type PropertyWord = keyof typeof propertyStates
export const propertyWords = keysOf(propertyStates)
export const propertyState = z.enum(propertyWords)
