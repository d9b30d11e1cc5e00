// Mews: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const mews: PropertySystem = {
  definition: {
    id: 3,
    name: 'Mews',
    parameters: [],
    fields: ['host', 'sales_outlet', 'username', 'password'],
    note: null,
  },
  talk: null,
  hook: null,
}
