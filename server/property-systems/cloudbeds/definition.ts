// Definition of Cloudbeds: a system in the cloud, asked with a key that the hotel makes itself.
import { graceParameter, type Definition } from '#server/property-systems/definition.ts'

export const definition: Definition = {
  id: 7,
  name: 'Cloudbeds',
  parameters: [
    {
      key: 'api_key',
      label: 'API key',
      kind: 'secret',
      choices: [],
      // Interfaces that were registered before Cloudbeds was asked have none.
      required: false,
      once: false,
      help: 'Begins with “cbat_”. In Cloudbeds: Account, Apps & Marketplace, API Credentials; it has to read reservations.',
    },
    graceParameter,
  ],
  fields: ['sales_outlet'],
  note:
    'A key for several properties needs the property’s ID in Cloudbeds as its external reference. Who is in house is asked for every ' +
    'two minutes; webhooks of Cloudbeds (reservation/status_changed, reservation/accommodation_status_changed, guest/assigned), to the ' +
    'address of this interface, make that at once.',
}
