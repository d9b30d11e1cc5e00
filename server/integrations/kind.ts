// Kind: what Foyer has to know of a company that keeps the books or writes to guests, which is one folder here: what people fill in, and
// how it is opened by the settings of an installation. The list is kinds.ts.
import type { Consent } from '#server/connections/provider.ts'
import type { Config } from '#server/start/config.ts'
import type { AccountingProvider } from './accounting-provider.ts'
import type { IntegrationDefinition } from './definition.ts'
import type { MarketingProvider } from './marketing-provider.ts'

interface Opened<P> {
  provider: P
  consent: Consent
  api_url: string
}

export interface IntegrationKind<P extends AccountingProvider | MarketingProvider> {
  definition: IntegrationDefinition
  /** Null: this installation is not set up for it. */
  open(config: Config): Opened<P> | null
}
