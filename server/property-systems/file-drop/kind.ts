// File drop: registered, and not asked yet.
import type { PropertySystem } from '#server/property-systems/kind.ts'

export const fileDrop: PropertySystem = {
  definition: {
    id: 6,
    name: 'File drop',
    parameters: [],
    fields: [],
    note: null,
  },
  talk: null,
  hook: null,
}
