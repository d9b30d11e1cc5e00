// Mews: asked each minute what has changed, or at once where it has said that something has.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { ask } from './link.ts'

export const mews: PropertySystem = {
  definition,
  asks: { every_s: 60, hints: true, ask },
  asksForAll: true,
}
