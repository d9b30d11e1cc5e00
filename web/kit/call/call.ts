// Call: calls the API by the contract. `await call(groups.get, { id: 4 })` resolves to the group, typed.
import { refusals, type FieldErrors } from '#contract/errors.ts'
import type { Input, Endpoint, Output } from '#contract/endpoint.ts'
import { appContext } from '#web/session/context.ts'
import { deviceMark } from '#web/session/device.ts'
import { session } from '#web/session/session.ts'
import { inLanguage } from '#web/words/fixed.ts'
import { language } from '#web/words/language.ts'
import { say } from '#web/words/frame.ts'
import { takePreloaded } from './preloaded.ts'
import { requestOf, type RequestOptions } from './request.ts'

/**
 * What a call throws. `status` 0 means that there was no response. `errors` has the server's messages by field (422);
 * `retry_after_s` comes with 429 and 503, `reference` with server errors: it identifies the request in the server's log.
 */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly errors: FieldErrors
  readonly retry_after_s: number | undefined
  /** Whether the message is the server's own. */
  readonly fromServer: boolean
  readonly reference: string | undefined
  /** The server wants the password first. */
  readonly asks: boolean
  constructor(
    status: number,
    message: string,
    errors: FieldErrors = {},
    retry_after_s?: number,
    fromServer = status > 0,
    reference?: string,
    asks = false,
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.retry_after_s = retry_after_s
    this.fromServer = fromServer
    this.reference = reference
    this.asks = asks
  }
}

export interface CallOptions extends RequestOptions {
  signal?: AbortSignal | undefined
}

/** Asks for the password again, above what had the focus; handed in, since the kit knows no screens. */
let askForProof: (from: Element | null) => Promise<boolean> = () => Promise.resolve(false)
export const proveBy = (ask: typeof askForProof) => void (askForProof = ask)

/** A call that gives reach or data away goes on once the password was given again. */
async function send(endpoint: Endpoint, ask: Record<string, unknown>, options: CallOptions): Promise<Response> {
  const from = endpoint.asks ? document.activeElement : null
  try {
    return await sendOnce(endpoint, ask, options)
  } catch (error) {
    if (!(error instanceof Refused && error.asks) || !(await askForProof(from))) throw error
    return await sendOnce(endpoint, ask, options)
  }
}

async function sendOnce(endpoint: Endpoint, ask: Record<string, unknown>, options: CallOptions): Promise<Response> {
  const { token } = session.get()
  const request = requestOf(endpoint, ask, { ...options, token, context: appContext(), language: language() })
  const device = endpoint.area === 'sessions' && !token ? deviceMark() : undefined
  if (device) request.headers['X-Device'] = device
  let response: Response
  try {
    response = await (takePreloaded(request) ?? fetch(request.address, { ...request, signal: options.signal ?? null }))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Refused(0, say('unreachable'))
  }
  if (response.ok) return response
  // An invalid token ends the session, unless someone else has signed in meanwhile.
  if (response.status === refusals.unauthenticated.status && token && session.get().token === token)
    session.end('expired')
  const refused = await refusalOf(response)
  if (response.status === refusals.forbidden.status && !refused.asks && session.get().user) session.recheckRights()
  throw refused
}

async function refusalOf(response: Response): Promise<Refused> {
  const body: unknown = await response.json().catch(() => null)
  const { message, errors, asks } = (typeof body === 'object' && body !== null ? body : {}) as {
    message?: unknown
    errors?: unknown
    asks?: unknown
  }
  const known = Object.values(refusals).find((refusal) => refusal.status === response.status)
  const wait = Number(response.headers.get('Retry-After'))
  const fromServer = typeof message === 'string' && message !== ''
  return new Refused(
    response.status,
    fromServer ? message : (known?.message ?? refusals.broken.message),
    typeof errors === 'object' && errors !== null ? (errors as FieldErrors) : {},
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    fromServer,
    response.status >= refusals.broken.status ? (response.headers.get('X-Request-Id') ?? undefined) : undefined,
    asks === 'password',
  )
}

/** Resolves to a list's `{data, meta}`, otherwise to the data alone. Throws `Refused`. A failed call is logged and rethrown. */
export const call = <E extends Endpoint>(endpoint: E, ask: Input<E>, options?: CallOptions): Promise<Output<E>> =>
  callKind<Output<E>>(endpoint, ask, options)

/** The same for generic code, such as for any list: the caller gives the type of the result. */
export async function callKind<R>(endpoint: Endpoint, ask: unknown, options: CallOptions = {}): Promise<R> {
  try {
    const response = await send(endpoint, ask as Record<string, unknown>, options)
    const whole = (await response.json()) as { data: unknown; meta?: unknown }
    return ('meta' in whole ? whole : whole.data) as R
  } catch (error) {
    if (error instanceof Refused) console.info(`${endpoint.path}: ${error.status} ${error.message}`)
    throw error
  }
}

/** Fetches a file under the server's name for it, or else `name`. Throws `Refused`. */
export async function fetchFile<E extends Endpoint>(endpoint: E, ask: Input<E>, name = 'download'): Promise<File> {
  return fileIn(await send(endpoint, ask as Record<string, unknown>, {}), name)
}

/** The same for files that may take long: the server then answers 202 with the record of the job that it has started. */
export async function fetchMade<Begun>(
  endpoint: Endpoint,
  ask: object,
  name: string,
): Promise<File | { begun: Begun }> {
  const response = await send(endpoint, ask as Record<string, unknown>, {})
  if (response.status !== 202) return fileIn(response, name)
  return { begun: ((await response.json()) as { data: Begun }).data }
}

async function fileIn(response: Response, name: string): Promise<File> {
  const given = nameIn(response.headers.get('Content-Disposition') ?? '')
  const content = await response.blob()
  return new File([content], given ?? name, { type: content.type })
}

/** By RFC 6266: the name in UTF-8 where there is one; the other lacks the letters that ASCII has not. */
function nameIn(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="?([^";]+)"?/.exec(disposition)?.[1]
}

/** Downloads a file in the browser. */
export function save(file: File) {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** What to show the user about any error: the server's own sentence if it gave one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refused)) return inLanguage(refusals.broken.message)
  const first = Object.values(error.errors)[0]?.[0]
  const given = error.status === refusals.invalid.status && first ? first : error.message
  const sentence = inLanguage(given)
  if (error.reference) return say('reference', { sentence, reference: error.reference })
  // Other sentences, such as a quota's, already say when to try again.
  return error.retry_after_s && given === refusals.tooMany.message ? `${sentence} (${error.retry_after_s} s)` : sentence
}

/** The reference of a server error, for the operator of the server; undefined for other errors. */
export const referenceOf = (error: unknown): string | undefined =>
  error instanceof Refused ? error.reference : undefined
