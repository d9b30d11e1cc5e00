// Definition of Oracle FIAS: what Oracle's interface program (IFC8) and those that speak like it offer to systems of other makers.
import type { Parameter } from '#contract/parameters.ts'
import { graceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'

const parameter = (key: string, label: string, help: string, more: Partial<Parameter> = {}): Parameter => ({
  key,
  label,
  kind: 'text',
  choices: [],
  required: false,
  once: false,
  help,
  ...more,
})

export const encodings = {
  'windows-1252': 'Western European (Windows-1252)',
  'utf-8': 'UTF-8',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'windows-1250': 'Central European (Windows-1250)',
  'iso-8859-15': 'Western European (ISO 8859-15)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
} as const

export const definition: PropertySystemDefinition = {
  id: 1,
  name: 'Oracle FIAS (OPERA, Suite 8, protel)',
  parameters: [
    parameter(
      'encoding',
      'Letters',
      'The character encoding of the other side, for letters beyond A to Z. Windows-1252 unless chosen.',
      {
        kind: 'choice',
        choices: Object.entries(encodings).map(([value, label]) => ({ value, label })),
      },
    ),
    parameter('interface_code', 'Interface code', 'As registered on the other side: WW (internet) unless given.'),
    parameter(
      'pause_ms',
      'Pause between link records',
      'In milliseconds, for old sites that lose records sent in quick succession.',
      {
        kind: 'number',
      },
    ),
    parameter(
      'auth_key',
      'Interface key',
      'The IfcAuthKey of the interface in the hotel’s system, if it has one: 24 letters and digits that end in “==”. A wrong key locks ' +
        'the interface, so Foyer tries it only once.',
      { kind: 'secret' },
    ),
    parameter(
      'asks_for_guests',
      'Ask about unknown guests',
      'When nobody matches the room and name typed at the portal, Foyer asks the other side who is in that room (records PR and PL have ' +
        'to be allowed there). A guest it names gets in; others are told after six seconds that nothing matches.',
      { kind: 'switch' },
    ),
    graceParameter,
  ],
  fields: ['host', 'port', 'sales_outlet'],
  note: 'The other side listens on this host and port. Ask its maker for an interface with guest records (GI, GO, GC) and database swap.',
}
