// Definition of OPERA Cloud: what can be registered. Its API (OHIP) is given to partners of Oracle by contract.
import type { PropertySystemDefinition } from '#server/property-systems/definition.ts'

export const definition: PropertySystemDefinition = {
  id: 8,
  name: 'OPERA Cloud',
  parameters: [],
  fields: ['host', 'sales_outlet', 'username', 'password'],
  note:
    'Oracle gives its API for OPERA Cloud (OHIP) to partners by contract, so Foyer does not support it. ' +
    'Where the hotel has the interface ' +
    'program of Oracle (IFC8), choose Oracle FIAS; else let it send a list each night, and choose File drop.',
}
