// Xero: accounting, to whose organisations bills are sent as drafts.
import type { AccountingProvider } from '#server/integrations/accounting-provider.ts'
import type { IntegrationKind } from '#server/integrations/kind.ts'
import { client } from './client.ts'
import { consentOf, definition } from './definition.ts'

export const xero: IntegrationKind<AccountingProvider> = {
  definition,
  open: ({ xero: settings }) =>
    settings && { provider: client, consent: consentOf(settings), api_url: settings.api_url },
}
