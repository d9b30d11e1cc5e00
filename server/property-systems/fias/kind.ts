// Oracle FIAS: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const fias: PropertySystem = {
  definition: {
    id: 1,
    name: 'Oracle FIAS (OPERA, Suite 8, protel)',
    parameters: [],
    fields: ['host', 'port', 'sales_outlet'],
    note: null,
  },
  asksForAll: true,
  hook: null,
}
