// Call: speaks to the API in the contract's words. `await call(groups.get, { id: 4 })` answers the group, typed.
import { refusals, type FieldErrors } from '#contract/errors.ts'
import type { Input, Endpoint, Output } from '#contract/endpoint.ts'
import { appContext } from '#web/session/context.ts'
import { deviceMark } from '#web/session/device.ts'
import { session } from '#web/session/session.ts'
import { askedAhead } from './asked-ahead.ts'
import { requestOf, type RequestOptions } from './request.ts'

/**
 * What a call throws. `status` 0 means that no answer came. `errors` holds the server's sentences by field (422);
 * `retry_after_s` stands beside 429 and 503, `reference` beside trouble of the server's: its log knows the request by it.
 */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly errors: FieldErrors
  readonly retry_after_s: number | undefined
  /** Whether the message is the server's own. */
  readonly told: boolean
  readonly reference: string | undefined
  constructor(
    status: number,
    message: string,
    errors: FieldErrors = {},
    retry_after_s?: number,
    told = status > 0,
    reference?: string,
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.retry_after_s = retry_after_s
    this.told = told
    this.reference = reference
  }
}

export interface CallOptions extends RequestOptions {
  signal?: AbortSignal | undefined
}

const unreachable = 'Foyer cannot be reached. Check your connection and try again.'

async function send(endpoint: Endpoint, ask: Record<string, unknown>, options: CallOptions): Promise<Response> {
  const { token } = session.get()
  const request = requestOf(endpoint, ask, { ...options, token, context: appContext() })
  const device = endpoint.area === 'sessions' && !token ? deviceMark() : undefined
  if (device) request.headers['X-Device'] = device
  let response: Response
  try {
    response = await (askedAhead(request) ?? fetch(request.address, { ...request, signal: options.signal ?? null }))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Refused(0, unreachable)
  }
  if (response.ok) return response
  // A dead token ends the session, unless someone else has signed in meanwhile.
  if (response.status === refusals.unauthenticated.status && token && session.get().token === token)
    session.end('expired')
  if (response.status === refusals.forbidden.status && session.get().user) session.questionRights()
  throw await refusalOf(response)
}

async function refusalOf(response: Response): Promise<Refused> {
  const said: unknown = await response.json().catch(() => null)
  const { message, errors } = (typeof said === 'object' && said !== null ? said : {}) as {
    message?: unknown
    errors?: unknown
  }
  const known = Object.values(refusals).find((refusal) => refusal.status === response.status)
  const wait = Number(response.headers.get('Retry-After'))
  const told = typeof message === 'string' && message !== ''
  return new Refused(
    response.status,
    told ? message : (known?.message ?? refusals.broken.message),
    typeof errors === 'object' && errors !== null ? (errors as FieldErrors) : {},
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    told,
    response.status >= refusals.broken.status ? (response.headers.get('X-Request-Id') ?? undefined) : undefined,
  )
}

/** Answers a list's `{data, meta}`, else the data alone. Throws `Refused`. A failed call is logged and passed on. */
export const call = <E extends Endpoint>(endpoint: E, ask: Input<E>, options?: CallOptions): Promise<Output<E>> =>
  callKind<Output<E>>(endpoint, ask, options)

/** The same for parts that know an endpoint only by its kind, such as any list: they say themselves what it answers. */
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

/** Asks for a file: what is in it, and the server's name for it. Throws `Refused`. */
export async function fetchFile<E extends Endpoint>(endpoint: E, ask: Input<E>, name = 'download'): Promise<File> {
  return fileIn(await send(endpoint, ask as Record<string, unknown>, {}), name)
}

/** The same where a long one is begun instead: then who makes it, as the server tells of it. */
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
  const said = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
  const content = await response.blob()
  return new File([content], said ?? name, { type: content.type })
}

/** Lets the browser save a file under its name. */
export function save(file: File) {
  const address = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** What to tell the user about any error: the server's own sentence where it gave one. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refused)) return refusals.broken.message
  const first = Object.values(error.errors)[0]?.[0]
  const said = error.status === refusals.invalid.status && first ? first : error.message
  if (error.reference) return `${said} (Reference ${error.reference})`
  // A sentence of its own, such as a quota's, says itself when it goes on.
  return error.retry_after_s && said === refusals.tooMany.message ? `${said} (${error.retry_after_s} s)` : said
}

/** What names the trouble to whoever runs the server; undefined where there was none. */
export const referenceOf = (error: unknown): string | undefined =>
  error instanceof Refused ? error.reference : undefined
