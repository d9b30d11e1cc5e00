// Definition of Mews: a system in the cloud, asked by its Connector API with the token that the hotel gives to an integration.
import type { Parameter } from '#contract/parameters.ts'
import { graceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'

const token = (key: string, label: string, help: string): Parameter => ({
  key,
  label,
  kind: 'secret',
  choices: [],
  // Interfaces that were registered before Mews was asked have none of them.
  required: false,
  once: false,
  help,
})

/** Of hotels that are open; those that try Mews out have another one. */
export const usual_host = 'api.mews.com'

export const definition: PropertySystemDefinition = {
  id: 3,
  name: 'Mews',
  parameters: [
    token(
      'client_token',
      'Client token',
      'Mews gives it for the integration with Foyer. Leave it and the host empty where whoever runs Foyer has one for all hotels.',
    ),
    token(
      'access_token',
      'Access token',
      'Of your hotel: in Mews under Marketplace, My subscriptions, this integration.',
    ),
    graceParameter,
  ],
  fields: ['host', 'sales_outlet'],
  note:
    `Leave the host empty for ${usual_host}; hotels of the demo environment are at api.mews-demo.com. Foyer asks for changes ` +
    'every minute, and at once if a general webhook of the integration (ServiceOrderUpdated, CustomerUpdated) leads to the address of ' +
    'this interface.',
}
