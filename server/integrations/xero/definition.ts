// Xero: the settings of a connection to it, and how consent is obtained.
import type { Config } from '#server/start/config.ts'
import type { Consent } from '#server/connections/provider.ts'
import type { IntegrationDefinition } from '#server/integrations/definition.ts'

export const definition: IntegrationDefinition = {
  integration_type: 'xero',
  name: 'Xero',
  parameters: [
    {
      name: 'tenant_id',
      label: 'Organisation',
      help: 'Bills are drafted in it. It cannot be changed later; to use another one, connect again.',
      choices_in: 'organisations',
      options: [],
      required: true,
      once: true,
    },
    {
      name: 'account_code',
      label: 'Account',
      help: 'What the lines of a draft are booked to. Left empty, whoever approves the draft chooses it.',
      choices_in: 'accounts',
      options: [],
      required: false,
      once: false,
    },
    {
      name: 'tax_type',
      label: 'Tax rate',
      help: 'Left empty, Xero takes the contact’s, or the account’s.',
      choices_in: 'tax_types',
      options: [],
      required: false,
      once: false,
    },
    {
      name: 'invoice_per',
      label: 'A draft for each',
      help: 'A contact that pays for several properties gets a draft for each, or one with a line for each.',
      choices_in: null,
      options: [
        { id: 'property', name: 'Property' },
        { id: 'contact', name: 'Contact' },
      ],
      required: true,
      once: false,
    },
  ],
}

export const consentOf = ({ client_id, client_secret, scopes, ...at }: NonNullable<Config['xero']>): Consent => ({
  client_id,
  client_secret,
  authorize_url: `${at.login_url}/identity/connect/authorize`,
  token_url: `${at.token_url}/connect/token`,
  revoke_url: `${at.token_url}/connect/revocation`,
  scopes: scopes.split(/[\s,]+/),
  secret_in: 'header',
  pkce: true,
})
