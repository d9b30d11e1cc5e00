// Cloudbeds: asked again and again who is in house, or at once where it has said that something has changed.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { consentOf, definition } from './definition.ts'
import { poll } from './link.ts'

export const cloudbeds: PropertySystem = {
  definition,
  consentOf,
  polling: { every_s: 120, hints: true, poll },
  asksForAll: true,
}
