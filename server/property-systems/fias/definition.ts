// Definition of Oracle FIAS: what Oracle's interface program (IFC8) and those that speak like it offer to systems of other makers.
import type { Parameter } from '#contract/parameters.ts'
import { graceParameter, type Definition } from '#server/property-systems/definition.ts'

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

export const definition: Definition = {
  id: 1,
  name: 'Oracle FIAS (OPERA, Suite 8, protel)',
  parameters: [
    parameter('encoding', 'Letters', 'How the other side writes letters beyond A to Z. Windows-1252 unless chosen.', {
      kind: 'choice',
      choices: Object.entries(encodings).map(([value, label]) => ({ value, label })),
    }),
    parameter('interface_code', 'Interface code', 'What the other side has registered: WW for internet unless given.'),
    parameter(
      'pause_ms',
      'Pause between link records',
      'In milliseconds, for old sites that lose what comes at once.',
      {
        kind: 'number',
      },
    ),
    parameter(
      'auth_key',
      'Interface key',
      'The IfcAuthKey of the interface over there, where it has one: 24 letters and digits that end in “==”. A wrong one locks the ' +
        'interface, so it is tried once.',
      { kind: 'secret' },
    ),
    parameter(
      'asks_for_guests',
      'Ask about guests who are not known',
      'When room and name fit nobody at the portal, the other side is asked who is in that room (its records PR and PL have to be ' +
        'allowed there). Whoever it names gets in; the others read six seconds later that nothing fits.',
      { kind: 'switch' },
    ),
    graceParameter,
  ],
  fields: ['host', 'port', 'sales_outlet'],
  note: 'The other side listens on this host and port. Ask its maker for an interface with guest records (GI, GO, GC) and database swap.',
}
