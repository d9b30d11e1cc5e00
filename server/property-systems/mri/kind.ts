// MRI: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const mri: PropertySystem = {
  definition: {
    id: 2,
    name: 'MRI',
    parameters: [],
    fields: ['host', 'username', 'password'],
    note: null,
  },
  talk: null,
  hook: null,
}
