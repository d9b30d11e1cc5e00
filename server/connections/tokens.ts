// Tokens: the tokens of connections. They are stored sealed, are sent only to their provider, and are renewed by one caller at a time,
// however many nodes need them.
//
// A renewal must not keep a transaction open during the call, so the row is not locked meanwhile but claimed: the lock is only held
// to record who is renewing and until when others have to wait. If that node dies, others wait no longer than that, and the next one
// sends the same refresh token again: providers that rotate tokens accept the former one for a while, for this very reason.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Caller } from '#server/access/principal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { OpenConsent, Tokens } from './consent.ts'
import type { TokenOwner } from './kind.ts'
import { ProviderFailure, type Ask } from './provider.ts'

export interface Connection {
  kind: TokenOwner
  id: number
}

/** Longer than a renewal can take. */
const claim_s = 30
/** A token that ends sooner is renewed before it is used. */
const ahead_s = 120
const wait_ms = 200
const call_timeout_ms = 15_000
const answer_bytes_max = 8 * 1024 * 1024

const columnOf = ({ kind }: Connection) => kind.tokens.column
const rowOf = ({ kind, id }: Connection) => kind.tokens.placeOf(id)

interface TokenRow {
  id: number
  lasts: boolean
  renews: boolean
  claimed: boolean
  stands: boolean
}
/** A valid token, a token for renewing it, or waiting for another caller's renewal. */
type Step = { access: string } | { refresh: string } | 'wait'

/** Seals the tokens of a provider, as columns. A refresh token that is not given again stays as it was. */
function columnsOf(scope: Scope, seal: Seal, connection: Connection, tokens: Tokens) {
  const close = (column: 'sealed_access_token' | 'sealed_refresh_token', text: string) =>
    seal.close(text, placeIn(`integration_tokens.${column}`, scope, rowOf(connection)))
  return {
    sealed_access_token: close('sealed_access_token', tokens.access_token),
    sealed_refresh_token:
      tokens.refresh_token === null ? undefined : close('sealed_refresh_token', tokens.refresh_token),
    expires_at: tokens.expires_in_s === null ? null : sql`now() + make_interval(secs => ${tokens.expires_in_s})`,
    changed_at: sql`now()`,
    renewal: null,
    renewing_until: null,
  }
}

const ofConnection = (connection: Connection) =>
  sql<boolean>`${sql.ref(`t.${columnOf(connection)}`)} = ${connection.id}`

/** Stores the tokens of a consent, in the transaction that makes or renews the connection. */
export async function keepTokens(scope: Scope, seal: Seal, connection: Connection, tokens: Tokens) {
  const columns = columnsOf(scope, seal, connection, tokens)
  const changed = await scope.change('integration_tokens', ofConnection(connection), columns)
  if (changed.length === 0)
    await scope.insert('integration_tokens', { [columnOf(connection)]: connection.id, ...columns })
}

export const forgetTokens = (scope: Scope, connection: Connection) =>
  scope.unlink('integration_tokens', { [columnOf(connection)]: connection.id })

/** Gives the tokens of a connection to another one of the same consent. They are sealed for their connection, so they are sealed anew. */
export async function moveTokens(scope: Scope, seal: Seal, from: Connection, to: Connection) {
  const { access, refresh } = await openTokens(scope, seal, from)
  const [former] = await scope.run(sql<{ expires_in_s: number | null }>`
    select extract(epoch from t.expires_at - now())::float8 as expires_in_s from integration_tokens as t
    where ${ofConnection(from)} and ${scope.inReach('integration_tokens', 't')}`)
  const expires_in_s = former?.expires_in_s ?? null
  await keepTokens(scope, seal, to, { access_token: access, refresh_token: refresh, expires_in_s, scope: null })
  await forgetTokens(scope, from)
}

/** Opens the tokens, to be sent to the provider. */
async function openTokens(scope: Scope, seal: Seal, connection: Connection) {
  const [sealed] = await scope.run(connection.kind.tokens.read(connection.id))
  if (!sealed) throw accessEnded()
  const open = (column: 'sealed_access_token' | 'sealed_refresh_token', value: Buffer) =>
    seal.open(value, placeIn(`integration_tokens.${column}`, scope, rowOf(connection)))
  const { sealed_access_token, sealed_refresh_token } = sealed
  return {
    access: open('sealed_access_token', sealed_access_token),
    refresh: sealed_refresh_token && open('sealed_refresh_token', sealed_refresh_token),
  }
}

const accessEnded = () =>
  new ProviderFailure('reconnect', 'The stored access to this connection can no longer be read. Please reconnect.')

export interface TokenAccess {
  tenancy: Tenancy
  seal: Seal
  safeFetch: SafeFetch
}

/** The refresh token, for revoking consent. */
export const tokenToRevoke = ({ tenancy, seal }: TokenAccess, caller: Caller, connection: Connection) =>
  tenancy.enter(caller, 'read', async (scope) => (await openTokens(scope, seal, connection)).refresh)

export interface Active {
  table: TokenOwner['table'] | 'connections'
}

/** Whether anything is called for it: neither it nor its customer is disabled. */
export async function isInUse(scope: Scope, connection: { kind: Active; id: number }): Promise<boolean> {
  const [row] = await scope.run(sql<{ stands: boolean }>`select ${stands(scope, connection)} as stands`)
  return row?.stands ?? false
}

/** Asked again at each call: nothing is called for a connection that was removed or disabled, or for a customer who was. */
const stands = (scope: Scope, { kind, id }: { kind: Active; id: number }) => {
  const { table } = kind
  return sql`exists (select from ${sql.table(table)} as i join customers as c on c.id = i.customer_id and c.active
    where i.id = ${id} and i.active and ${scope.inReach(table, 'i')})`
}

/** @param refused a token that the provider has rejected although it should still be valid. */
async function validToken(
  { tenancy, seal }: TokenAccess,
  caller: Caller,
  connection: Connection,
  consent: OpenConsent,
  refused?: string,
): Promise<string> {
  const renewal = randomUUID()
  for (;;) {
    const step = await tenancy.enter<Step>(caller, 'write', async (scope) => {
      const [row] = await scope.run(sql<TokenRow>`
        select t.id, coalesce(t.expires_at > now() + make_interval(secs => ${ahead_s}), true) as lasts,
          t.expires_at is not null as renews, coalesce(t.renewing_until > now(), false) as claimed,
          ${stands(scope, connection)} as stands
        from integration_tokens as t where ${ofConnection(connection)} and ${scope.inReach('integration_tokens', 't')}
        for no key update of t`)
      if (!row) throw accessEnded()
      if (!row.stands) throw new ProviderFailure('later', 'This connection is not in use now.', { for_all: true })
      const { access, refresh } = await openTokens(scope, seal, connection)
      if (row.lasts && access !== refused) return { access }
      if (!row.renews || refresh === null) throw accessEnded()
      if (row.claimed) return 'wait'
      const until = sql`now() + make_interval(secs => ${claim_s})`
      await scope.change('integration_tokens', [row.id], { renewal, renewing_until: until })
      return { refresh }
    })
    if (step === 'wait') await sleep(wait_ms)
    else if ('access' in step) return step.access
    else {
      const tokens = consent.renew(step.refresh)
      const access = await renewed({ tenancy, seal }, caller, connection, { renewal, tokens })
      if (access !== null) return access
    }
  }
}

interface Renewal {
  renewal: string
  tokens: Promise<Tokens>
}
/** Null: the claim is gone, since another caller has renewed the tokens or somebody has given consent anew. Nothing is written then. */
async function renewed(
  { tenancy, seal }: Pick<TokenAccess, 'tenancy' | 'seal'>,
  caller: Caller,
  connection: Connection,
  { renewal, tokens: coming }: Renewal,
): Promise<string | null> {
  const mine = sql<boolean>`(${ofConnection(connection)} and t.renewal = ${renewal}::uuid)`
  try {
    const tokens = await coming
    const written = await tenancy.enter(caller, 'write', (scope) =>
      scope.change('integration_tokens', mine, columnsOf(scope, seal, connection, tokens)),
    )
    return written.length > 0 ? tokens.access_token : null
  } catch (error) {
    // It is not known whether the provider has accepted it, so the same token is sent again.
    const freed = await tenancy.enter(caller, 'write', (scope) =>
      scope.change('integration_tokens', mine, { renewal: null, renewing_until: null }),
    )
    if (freed.length === 0) return null
    throw error
  }
}

/** A provider that people of this installation can give consent at. */
export interface Offered {
  name: string
  consent: OpenConsent
  /** What paths are relative to; absent: addresses are whole. */
  api_url?: string
}

/** Calls a provider with a connection's token, which is renewed once if the provider rejects it. */
export const askWith =
  (access: TokenAccess, caller: Caller, connection: Connection, offered: Offered): Ask =>
  async (url, call) => {
    const token = await validToken(access, caller, connection, offered.consent)
    const answer = await send(access.safeFetch, offered, token, url, call)
    if (answer.status !== 401) return answer
    const next = await validToken(access, caller, connection, offered.consent, token).catch((error: unknown) => {
      // A token that never expires cannot be renewed: the provider's own answer explains why it was rejected.
      if (error instanceof ProviderFailure && error.failing === 'reconnect') return null
      throw error
    })
    return next === null ? answer : send(access.safeFetch, offered, next, url, call)
  }

/** The same with a token that is not stored yet. */
export const askWithNew =
  (safeFetch: SafeFetch, offered: Offered, { access_token }: Tokens): Ask =>
  (url, call) =>
    send(safeFetch, offered, access_token, url, call)

async function send(
  safeFetch: SafeFetch,
  { name, api_url = '' }: Offered,
  token: string,
  url: string,
  { scheme = 'Bearer', ...call }: Parameters<Ask>[1] = {},
) {
  try {
    return await safeFetch(url.startsWith('/') ? `${api_url}${url}` : url, {
      timeout_ms: call_timeout_ms,
      answer_bytes_max,
      redirects_max: 0,
      ...call,
      headers: { ...call.headers, authorization: `${scheme} ${token}` },
    })
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    throw new ProviderFailure('later', `${name} could not be reached.`)
  }
}
