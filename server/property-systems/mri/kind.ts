// MRI: residents and leases are asked for again and again, and are the whole list each time.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { poll } from './link.ts'

export const mri: PropertySystem = {
  definition,
  polling: { every_s: 15 * 60, hints: false, poll },
  asksForAll: true,
}
