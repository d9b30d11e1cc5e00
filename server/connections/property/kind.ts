// Property systems: connections to the systems that know who stays where, of which some ask a person for consent.
import { sql } from 'kysely'
import type { ConnectionKind, TokenOwner, SealedTokens } from '#server/connections/kind.ts'

export const propertySystem = {
  word: 'property',
  name: 'Property systems',
  calls: '/property-interfaces',
  providers: [],
  table: 'property_interfaces',
  tokens: {
    column: 'property_interface_id',
    placeOf: (id) => `interface ${id}`,
    read: (id) => sql<SealedTokens>`select * from interface_tokens(${id})`,
  },
} as const satisfies ConnectionKind & TokenOwner
