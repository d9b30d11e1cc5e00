// OPERA Cloud: registered, and not asked yet. Its interface takes a contract with Oracle; until then it is linked by FIAS.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const operaCloud: PropertySystem = {
  definition: {
    id: 8,
    name: 'OPERA Cloud',
    parameters: [],
    fields: ['host', 'sales_outlet', 'username', 'password'],
    note: 'Where the hotel has the interface program of Oracle (IFC8), choose Oracle FIAS instead.',
  },
  talk: null,
  hook: null,
}
