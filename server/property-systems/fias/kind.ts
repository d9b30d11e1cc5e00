// Oracle FIAS: a connection over TCP that is kept, on which the property's side tells its guests.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'
import { talk } from './link.ts'

export const fias: PropertySystem = { definition, talk, hook: null, asksForAll: true }
