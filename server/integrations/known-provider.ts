// Known provider: a company that can be connected, which is one folder here, and how it is opened by the settings of an installation. The
// list is providers.ts.
import type { Config } from '#server/start/config.ts'
import type { AccountingProvider } from './accounting-provider.ts'
import type { MarketingProvider } from './marketing-provider.ts'
import type { Consent } from '#server/connections/provider.ts'
import type { Definition, Kind } from '#server/integrations/definition.ts'

export interface Providers {
  accounting: AccountingProvider
  marketing: MarketingProvider
}

export interface Opened<P> {
  provider: P
  consent: Consent
  api_url: string
}

export interface Known<K extends Kind> {
  definition: Definition & { kind: K }
  /** Null: this installation is not set up for it. */
  open(config: Config): Opened<Providers[K]> | null
}
