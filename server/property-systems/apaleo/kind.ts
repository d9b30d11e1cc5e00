// Apaleo: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const apaleo: PropertySystem = {
  definition: {
    id: 4,
    name: 'Apaleo',
    parameters: [],
    fields: ['host', 'sales_outlet', 'username', 'password'],
    note: null,
  },
  talk: null,
  hook: null,
}
