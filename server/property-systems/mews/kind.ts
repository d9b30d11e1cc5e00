// Mews: asked each minute what has changed, or at once where it has said that something has.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { poll } from './link.ts'

export const mews: PropertySystem = {
  definition,
  polling: { every_s: 60, hints: true, poll },
  asksForAll: true,
}
