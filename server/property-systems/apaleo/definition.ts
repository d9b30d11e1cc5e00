// Definition of Apaleo: a system in the cloud with an open API, which an app of the hotel's own account may read.
import type { Parameter } from '#contract/parameters.ts'
import type { Consent } from '#server/connections/provider.ts'
import { graceParameter, type PropertySystemDefinition } from '#server/property-systems/definition.ts'
import type { Origins } from '#server/property-systems/kind.ts'

const parameter = (key: string, label: string, help: string, kind: Parameter['kind'] = 'text'): Parameter => ({
  key,
  label,
  kind,
  choices: [],
  // Interfaces that were registered before Apaleo was asked have none of them.
  required: false,
  once: false,
  help,
})

export const definition: PropertySystemDefinition = {
  id: 4,
  name: 'Apaleo',
  parameters: [
    parameter(
      'client_id',
      'Client ID',
      'Of a custom app of your Apaleo account (Apps, Connected apps, Add a new app). Leave it empty to connect by consent instead.',
    ),
    parameter('client_secret', 'Client secret', 'Shown once when the app is made.', 'secret'),
    graceParameter,
  ],
  fields: ['sales_outlet'],
  note:
    'Connect it by consent in Apaleo, if its page here offers that. Otherwise make a custom app in Apaleo that may read reservations ' +
    '(reservations.read). As its external reference, the property needs its code in Apaleo, such as MUC. Foyer asks for changes every ' +
    'minute, and at once if a webhook of Apaleo for reservations leads to the address of this interface.',
}

/** Of a Connect app, as Apaleo calls the client of an installation. */
export function consentOf({ apaleo: { client, login_url } }: Origins): Consent | null {
  return (
    client && {
      ...client,
      authorize_url: `${login_url}/connect/authorize`,
      token_url: `${login_url}/connect/token`,
      revoke_url: `${login_url}/connect/revocation`,
      scopes: ['offline_access', 'reservations.read'],
      secret_in: 'header',
      pkce: true,
    }
  )
}
