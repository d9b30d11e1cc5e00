// Mailchimp: marketing, to whose audiences guests are added who agreed to that.
import type { IntegrationKind } from '#server/integrations/kind.ts'
import type { MarketingProvider } from '#server/integrations/marketing-provider.ts'
import { openClient } from './client.ts'
import { consentOf, definition } from './definition.ts'

export const mailchimp: IntegrationKind<MarketingProvider> = {
  definition,
  open: ({ mailchimp: settings }) =>
    settings && { provider: openClient(settings), consent: consentOf(settings), api_url: settings.api_url ?? '' },
}
