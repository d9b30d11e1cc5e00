// Definition of Cloudbeds: a system in the cloud, asked with a key that the hotel makes itself, or by consent where this installation is a
// partner of theirs.
import type { Consent } from '#server/connections/provider.ts'
import { graceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'
import type { Origins } from '#server/property-systems/kind.ts'

export const definition: PropertySystemDefinition = {
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
      help:
        'Begins with “cbat_”. In Cloudbeds: Account, Apps & Marketplace, API Credentials; it has to read reservations. ' +
        'Leave it empty to connect by consent instead, where that is offered.',
    },
    graceParameter,
  ],
  fields: ['sales_outlet'],
  note:
    'A key for several properties needs the property’s ID in Cloudbeds as its external reference. Foyer asks who is in house every ' +
    'two minutes, and at once if webhooks of Cloudbeds (reservation/status_changed, reservation/accommodation_status_changed, ' +
    'guest/assigned) lead to the address of this interface.',
}

/** Of a partner whom Cloudbeds has certified. Its refresh tokens rotate. */
export function consentOf({ cloudbeds: { client, api_url } }: Origins): Consent | null {
  return (
    client && {
      ...client,
      authorize_url: `${api_url}/api/v1.3/oauth`,
      token_url: `${api_url}/api/v1.3/access_token`,
      revoke_url: null,
      // Those of the partner's app hold.
      scopes: [],
      secret_in: 'body',
      pkce: false,
    }
  )
}
