// OPERA Cloud: a definition only: it is registered, and nothing comes from it.
import type { PropertySystem } from '#server/property-systems/kind.ts'
import { definition } from './definition.ts'

export const operaCloud: PropertySystem = { definition }
