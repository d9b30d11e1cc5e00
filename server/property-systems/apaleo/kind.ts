// Apaleo: asked each minute what has changed, or at once where it has said that something has.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { consentOf, definition } from './definition.ts'
import { poll } from './link.ts'

export const apaleo: PropertySystem = {
  definition,
  consentOf,
  polling: { every_s: 60, hints: true, poll },
  asksForAll: true,
}
