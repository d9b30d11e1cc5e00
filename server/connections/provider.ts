// Provider: how a company that Foyer connects to is called, and the kinds of failures that are distinguished.
import type { z } from 'zod'
import { retryAfter } from '#server/outbound/retry-after.ts'
import type { OutgoingAnswer, OutgoingCall } from '#server/outbound/safe-fetch.ts'

/** How consent is obtained, and for what. */
export interface Consent {
  client_id: string
  client_secret: string
  /** What people call where the client's name and secret stand; by default this installation's settings. */
  client_of?: string
  authorize_url: string
  token_url: string
  /** Null: the provider has none. */
  revoke_url: string | null
  /** Empty: the provider has none. */
  scopes: readonly string[]
  /** How the client proves itself at `token_url`. */
  secret_in: 'header' | 'body'
  pkce: boolean
  /** Corrects a provider's non-standard token answer before the library reads it. */
  repair?: (answer: Record<string, unknown>) => Record<string, unknown>
}

/** Calls the provider with the connection's token, as `Bearer` unless `scheme` is given. A path is relative to the provider's API. */
export type Ask = (url: string, call?: OutgoingCall & { scheme?: string }) => Promise<OutgoingAnswer>

/** Where in Foyer a user can correct the cause of a refusal. */
export type Fix = 'contact' | 'connection'

/**
 * `reconnect`: consent has ended, and only a person can give it again. `later`: a temporary failure, to be retried.
 * `refused`: this request will never be accepted. `gone`: its object no longer exists.
 */
type Failing = 'reconnect' | 'later' | 'refused' | 'gone'

/** Why the provider did not do it, as a sentence for users who look at the connection. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly failing: Failing
  readonly retry_after_s: number | undefined
  /** The provider asks to wait with all calls, not with this one alone. */
  readonly for_all: boolean
  /** Where in Foyer a user can correct it; null: at the provider, or nowhere. */
  readonly fix: Fix | null
  constructor(
    failing: Failing,
    sentence: string,
    { retry_after_s, fix, for_all = false }: { retry_after_s?: number | undefined; fix?: Fix; for_all?: boolean } = {},
  ) {
    super(sentence)
    this.failing = failing
    this.retry_after_s = retry_after_s
    this.for_all = for_all
    this.fix = fix ?? (failing === 'reconnect' ? 'connection' : null)
  }
}

/** The message of a failure in a job, which retries by itself. Users who wait for an answer get other advice. */
export const jobMessage = ({ failing, message }: ProviderFailure) =>
  failing === 'later' ? `${message} Foyer will try again.` : message

/** The failure for an unsuccessful status; `detail` is the provider's own sentence. */
export function failureOf(name: string, { status, headers }: OutgoingAnswer, detail: string | null): ProviderFailure {
  const quote = detail === null ? '' : ` ${name} says: “${detail.slice(0, 300)}”`
  if (status === 401 || status === 403)
    return new ProviderFailure('reconnect', `${name} no longer lets Foyer in. Please reconnect.${quote}`)
  if (status === 404 || status === 410) return new ProviderFailure('gone', `${name} no longer has this record.${quote}`)
  if (status === 429)
    return new ProviderFailure('later', `${name} asks Foyer to wait.`, {
      retry_after_s: retryAfter(headers),
      for_all: true,
    })
  if (status >= 500 || status === 408)
    return new ProviderFailure('later', `${name} is not working at the moment.`, {
      retry_after_s: retryAfter(headers),
    })
  return new ProviderFailure('refused', `${name} rejected the request.${quote}`)
}

/** An unexpected answer counts as the provider being out of order. */
export function readAnswer<S extends z.ZodType>(name: string, schema: S, { body }: OutgoingAnswer): z.output<S> {
  const parsed = schema.safeParse(jsonBody(body))
  if (!parsed.success) throw new ProviderFailure('later', `${name} sent an answer that Foyer does not understand.`)
  return parsed.data
}

/** Undefined if it is not JSON. */
export function jsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
