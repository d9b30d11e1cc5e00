// Apaleo: asked each minute what has changed, or at once where it has said that something has.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { consentOf, definition } from './definition.ts'
import { ask } from './link.ts'

export const apaleo: PropertySystem = {
  definition,
  consentOf,
  asks: { every_s: 60, hints: true, ask },
  asksForAll: true,
}
