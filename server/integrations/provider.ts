// Provider: what each company that Foyer connects to says of itself, and the words in which its refusals are told apart.
import type { z } from 'zod'
import type { Choice, Parameter } from '#contract/integrations.ts'
import { retryAfter } from '#server/outbound/retry-after.ts'
import type { OutgoingAnswer, OutgoingCall } from '#server/outbound/safe-fetch.ts'

export type Kind = 'accounting' | 'marketing'

/** How a person's consent is had, and what it is good for. */
export interface Consent {
  client_id: string
  client_secret: string
  authorize_url: string
  token_url: string
  /** Null: the provider knows none. */
  revoke_url: string | null
  /** Empty: the provider knows none. */
  scopes: readonly string[]
  /** How the client proves itself at `token_url`. */
  secret_in: 'header' | 'body'
  pkce: boolean
  /** Puts a provider's own idea of a token answer right before the library reads it. */
  repair?: (answer: Record<string, unknown>) => Record<string, unknown>
}

export interface Definition {
  integration_type: string
  kind: Kind
  name: string
  parameters: z.output<typeof Parameter>[]
}

export type Choices = z.output<typeof Choice>[]

/** Asks the provider with the connection's token, `Bearer` unless told. A path is below the provider's API. */
export type Ask = (url: string, call?: OutgoingCall & { scheme?: string }) => Promise<OutgoingAnswer>

/** Where a person puts a refusal right here. */
export type Fix = 'contact' | 'connection'

/**
 * `reconnect`: consent has ended, and only a person can give it anew. `later`: nobody is to blame, and it is tried again.
 * `refused`: this request will never be taken. `gone`: what it is about is not there any more.
 */
type Failing = 'reconnect' | 'later' | 'refused' | 'gone'

/** Why the provider did not do it, in a sentence for whoever reads the connection. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly failing: Failing
  readonly retry_after_s: number | undefined
  /** Where a person puts it right here; null: at the provider, or nowhere. */
  readonly fix: Fix | null
  constructor(
    failing: Failing,
    sentence: string,
    { retry_after_s, fix }: { retry_after_s?: number | undefined; fix?: Fix } = {},
  ) {
    super(sentence)
    this.failing = failing
    this.retry_after_s = retry_after_s
    this.fix = fix ?? (failing === 'reconnect' ? 'connection' : null)
  }
}

/** The sentence on what a job goes on with by itself; a person who waits for the answer is told what to do instead. */
export const saidByJob = ({ failing, message }: ProviderFailure) =>
  failing === 'later' ? `${message} It is tried again.` : message

/** What is no success, by its status; `detail` is the provider's own sentence. */
export function failureOf(name: string, { status, headers }: OutgoingAnswer, detail: string | null): ProviderFailure {
  const said = detail === null ? '' : ` ${name} says: “${detail.slice(0, 300)}”`
  if (status === 401 || status === 403)
    return new ProviderFailure('reconnect', `${name} does not let Foyer in any more. Please reconnect.${said}`)
  if (status === 404 || status === 410) return new ProviderFailure('gone', `${name} does not have it any more.${said}`)
  if (status === 429)
    return new ProviderFailure('later', `${name} asks Foyer to wait.`, { retry_after_s: retryAfter(headers) })
  if (status >= 500 || status === 408)
    return new ProviderFailure('later', `${name} is out of order at the moment.`, {
      retry_after_s: retryAfter(headers),
    })
  return new ProviderFailure('refused', `${name} refused it.${said}`)
}

/** A provider that answers something else than it promised is out of order. */
export function readAnswer<S extends z.ZodType>(name: string, schema: S, { body }: OutgoingAnswer): z.output<S> {
  const parsed = schema.safeParse(jsonIn(body))
  if (!parsed.success) throw new ProviderFailure('later', `${name} answered something that Foyer does not understand.`)
  return parsed.data
}

/** Undefined where it is none. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
