// Mailchimp: the settings of a connection to it, and how consent is obtained.
import type { Config } from '#server/start/config.ts'
import type { Consent } from '#server/connections/provider.ts'
import type { IntegrationDefinition } from '#server/integrations/definition.ts'

export const definition: IntegrationDefinition = {
  integration_type: 'mailchimp',
  name: 'Mailchimp',
  parameters: [
    {
      name: 'audience_id',
      label: 'Audience',
      help: 'Only guests who agreed to be written to are added to it. It cannot be changed later.',
      choices_in: 'audiences',
      options: [],
      required: true,
      once: true,
    },
  ],
}

export const consentOf = ({ client_id, client_secret, login_url }: NonNullable<Config['mailchimp']>): Consent => ({
  client_id,
  client_secret,
  authorize_url: `${login_url}/oauth2/authorize`,
  token_url: `${login_url}/oauth2/token`,
  revoke_url: null,
  scopes: [],
  secret_in: 'body',
  pkce: false,
  // Its token answer has no token type and a null scope, and 0 seconds mean that the token does not expire.
  repair: ({ scope, ...answer }) => ({
    ...answer,
    ...(typeof scope === 'string' ? { scope } : {}),
    ...('access_token' in answer ? { token_type: 'bearer' } : {}),
  }),
})
