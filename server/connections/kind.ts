// Kind: what Foyer has to know of a kind of connection. One without calls and a table of its own is connected by a key or by consent: it
// stands in the table of all connections, with its secrets and tokens beside it, and needs no more than its folder and a line in kinds.ts.
import type { RawBuilder } from 'kysely'
import type { Parameter, Settings } from '#contract/parameters.ts'
import type { EntityColumn } from '#server/entities/entity.ts'
import type { DueKind } from '#server/due/due-work.ts'
import type { Ask, Consent } from './provider.ts'

export interface SealedTokens {
  sealed_access_token: Buffer
  sealed_refresh_token: Buffer | null
}

/** What somebody has given consent for, and where the tokens of it hang. */
export interface TokenOwner {
  /** In the state of a flow, and in `oauth_states`. */
  word: string
  table: 'accounting_integrations' | 'connections' | 'marketing_integrations' | 'property_interfaces'
  tokens: {
    column: EntityColumn<'integration_tokens'>
    /** What they are sealed for. */
    placeOf: (id: number) => number | string
    read: (id: number) => RawBuilder<SealedTokens>
  }
}

/** The columns that say what a connection is to; the last is what a person chooses. */
export type AccountColumn = 'tenant_id' | 'audience_id'

/** A kind whose connections are made by consent, to one of several organisations or audiences. */
export interface ConsentKind extends TokenOwner, ConnectionKind {
  table: 'accounting_integrations' | 'marketing_integrations'
  /** The work that keeps them in line. */
  due: DueKind
  known_by: readonly [...AccountColumn[], AccountColumn]
  /** Columns of what a consent covers: they go along when another connection goes on with it. */
  carried_over: readonly string[]
}

/** A company whose connections stand in the table of all. */
export interface Provider {
  integration_type: string
  name: string
  parameters: readonly Parameter[]
  /**
   * How a person gives consent at it, by this installation's client (`<INTEGRATION_TYPE>_CLIENT_ID`, `…_SECRET`); absent: it is connected
   * by a key among its parameters.
   */
  consent?: Omit<Consent, 'client_id' | 'client_secret' | 'client_of'>
  /**
   * Asks whether it takes these settings, and what it calls the account; null: it has no name. Calls carry the token of the consent. It
   * is asked when it is connected, and each hour from then on. Throws `ProviderFailure`.
   */
  account: (call: Ask, settings: Settings) => Promise<string | null>
}

export interface ConnectionKind {
  word: string
  name: string
  /** The address of its own calls; null: it has none, and is connected by `/connections-create`. */
  calls: string | null
  /** Those whose connections stand in the table of all. */
  providers: readonly Provider[]
}
