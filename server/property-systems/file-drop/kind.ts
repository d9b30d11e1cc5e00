// File drop: a system, or somebody, puts the whole list of rooms and guests into the interface's inbox.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { publicKeyIn } from '#server/property-systems/public-key.ts'
import { definition } from './definition.ts'
import { stays } from './translation.ts'

export const fileDrop: PropertySystem = {
  definition,
  files: { stays },
  refuses({ public_key }) {
    const key = typeof public_key === 'string' ? publicKeyIn(public_key) : null
    return key && 'sentence' in key ? { public_key: key.sentence } : null
  },
}
