// Kinds of connections: one line each.
import { accounting } from './accounting/kind.ts'
import type { ConnectionKind } from './kind.ts'
import { marketing } from './marketing/kind.ts'
import { propertySystem } from './property/kind.ts'

export const kinds: readonly ConnectionKind[] = [accounting, marketing, propertySystem]
