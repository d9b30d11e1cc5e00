// Request: the HTTP request for a call of the contract: address, headers and body. It does not depend on the session.
import type { Endpoint } from '#contract/endpoint.ts'
import type { Language } from '#contract/languages.ts'
import type { Context } from '#contract/shapes.ts'

export interface RequestOptions {
  /** Makes repeating a create harmless: same key and body, same response. */
  idempotencyKey?: string | undefined
  /** Sent by a timer and not by the user: it does not keep the session alive. */
  background?: boolean
  /** Query parameters of an upload. */
  query?: Record<string, string | number | undefined>
}
interface Caller {
  token: string | null
  context: Context
  /** Of the sentences in the answer. */
  language: Language
}
/** The arguments of `fetch`. */
export interface CallRequest {
  address: string
  method: string
  headers: Record<string, string>
  body: BodyInit | null
}

/** Fields in the path are removed from the body. */
function split(endpoint: Endpoint, ask: Record<string, unknown>): { path: string; rest: Record<string, unknown> } {
  const rest = { ...ask }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  })
  return { path: `/api/v1${path}`, rest }
}

/** Lists become `name[]`, files stay files, objects become JSON, null and empty lists an empty text; undefined is not sent. */
export function formDataOf(fields: Record<string, unknown>): FormData {
  const data = new FormData()
  const add = (name: string, value: unknown) => {
    if (value === undefined) return
    if (value instanceof Blob) data.append(name, value)
    else if (typeof value === 'object' && value !== null) data.append(name, JSON.stringify(value))
    else data.append(name, value === null ? '' : String(value))
  }
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value) && value.length > 0) for (const entry of value) add(`${name}[]`, entry)
    else add(name, Array.isArray(value) ? null : value)
  return data
}

function queryOf(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length > 0
    ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
    : ''
}

export function requestOf(
  endpoint: Endpoint,
  ask: Record<string, unknown>,
  { token, context, language, ...options }: RequestOptions & Caller,
): CallRequest {
  const { path, rest } = split(endpoint, ask)
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': language,
    'App-Context': context,
  }
  if (token) headers['Authorization'] = `Bearer ${token}`
  if (options.background) headers['X-Background'] = '1'
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey
  const { method } = endpoint
  if (method === 'GET') return { address: path + queryOf(rest), method, headers, body: null }
  if (endpoint.takes === 'multipart')
    return { address: path + queryOf(options.query ?? {}), method, headers, body: formDataOf(rest) }
  headers['Content-Type'] = 'application/json'
  return { address: path, method, headers, body: JSON.stringify(rest) }
}
