// Kinds of integrations: one line each.
import type { AccountingProvider } from './accounting-provider.ts'
import type { IntegrationKind } from './kind.ts'
import { mailchimp } from './mailchimp/kind.ts'
import type { MarketingProvider } from './marketing-provider.ts'
import { xero } from './xero/kind.ts'

interface IntegrationKinds {
  accounting: readonly IntegrationKind<AccountingProvider>[]
  marketing: readonly IntegrationKind<MarketingProvider>[]
}

export const integrationKinds: Readonly<IntegrationKinds> = {
  accounting: [xero],
  marketing: [mailchimp],
}
