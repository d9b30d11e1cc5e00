// Cloudbeds: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const cloudbeds: PropertySystem = {
  definition: {
    id: 7,
    name: 'Cloudbeds',
    parameters: [],
    fields: ['sales_outlet', 'username', 'password'],
    note: null,
  },
  talk: null,
  hook: null,
}
