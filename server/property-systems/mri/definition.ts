// Definition of MRI: residents and leases of houses that are let, asked for through MRI's own API.
import type { Parameter } from '#contract/parameters.ts'
import { graceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'

const parameter = (key: string, label: string, help: string | null, kind: Parameter['kind'] = 'text'): Parameter => ({
  key,
  label,
  kind,
  choices: [],
  // Interfaces that were registered before MRI was asked have none of them.
  required: false,
  once: false,
  help,
})

export const definition: PropertySystemDefinition = {
  id: 2,
  name: 'MRI',
  parameters: [
    parameter('client_id', 'Client ID', 'The first part of the user name that MRI gives for its API.'),
    parameter('database', 'Database', 'The second part.'),
    parameter('web_user', 'Web user', 'The third part.'),
    parameter('developer_key', 'Developer key', 'The last part.', 'secret'),
    parameter('password', 'Password of the web user', null, 'secret'),
    graceParameter,
  ],
  fields: ['host', 'port'],
  note:
    'Ask MRI for its API with the calls ResidentsByPropertyID and ResidentLeaseDetailsByPropertyID. On ' +
    'the property, turn on Connected to ' +
    'MRI, and enter its number in MRI (RMPROPID) as its external reference. Foyer asks for all residents every quarter of an hour.',
}
