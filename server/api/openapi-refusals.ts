// OpenAPI refusals: which of the API's refusals each call may answer, and what each one looks like.
import type { z } from 'zod'
import { pathFields, type Endpoint } from '#contract/endpoint.ts'
import { askedAgain, refusals } from '#contract/errors.ts'
import { Refusal } from '#contract/field-errors.ts'
import { keysOf } from '#contract/keys.ts'
import { isOpen } from '#server/access/policies.ts'
import { grows } from '#server/api/grows.ts'
import type { SchemaJson, Schemas } from '#server/api/openapi-schemas.ts'

const all = { ...refusals, askedAgain }
type Documented = Exclude<keyof typeof all, 'broken'>

const described: Record<Documented, string> = {
  unauthenticated: 'No token, or one that is no longer valid. Nothing else is answered with 401.',
  forbidden: 'Not for this role or this key, or not in this context.',
  askedAgain:
    'As for `Forbidden`; or, with `asks`, the password was last given over an hour ago: give it to `/auth/prove`, and make the same ' +
    'call again. Keys are not asked.',
  notFound: 'Not found, or out of reach: both look alike.',
  clash:
    'It clashes with what is stored: the key was used for another request, the record was changed meanwhile, or something still needs it.',
  tooLarge: 'The request is too large.',
  unsupported: 'This call does not accept this type of content.',
  invalid: 'A field is wrong; `errors` names each one, with a sentence for people.',
  tooMany: 'Too many requests, or a quota of the day is used up; `message` says which and until when.',
  unavailable: 'Busy, or the database is away for a moment.',
  full: 'The disk is nearly full, and nothing can be added until there is room again.',
}
/** Fields that say what a call is about, in addition to those made by `rowOf`. */
const subjects = new Set(['id', 'code', 'session'])
const namesSubject = ([name, schema]: [string, z.ZodType]) =>
  subjects.has(name) || schema.meta()?.['x-row'] !== undefined
const waits: readonly Documented[] = ['tooMany', 'unavailable']
const nameOf = (refusal: Documented) => `${refusal[0]?.toUpperCase() ?? ''}${refusal.slice(1)}`

export const retryAfterHeader = {
  description: 'Seconds to wait before the next try.',
  schema: { type: 'integer', minimum: 1 },
}

/** Each refusal once, for calls to refer to. */
export function refusalResponses(schemas: Schemas): SchemaJson {
  const schema = schemas.of(Refusal, 'output')
  const responses = keysOf(described).map((refusal) => {
    const errors = refusal === 'invalid' ? { errors: { name: ['This is required'] } } : {}
    const asks = refusal === 'askedAgain' ? { asks: 'password' } : {}
    const example = { message: all[refusal].message, ...errors, ...asks }
    const headers = waits.includes(refusal)
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
      : {}
    return [
      nameOf(refusal),
      { description: described[refusal], ...headers, content: { 'application/json': { schema, example } } },
    ]
  })
  return Object.fromEntries(responses) as SchemaJson
}

/** The refusals of one call, as references by status. */
export function refusalsOf(endpoint: Endpoint): SchemaJson {
  const shape = 'shape' in endpoint.input ? (endpoint.input.shape as Record<string, z.ZodType>) : {}
  const fields = Object.keys(shape)
  const hasBody = endpoint.method === 'POST' && fields.some((name) => !pathFields(endpoint.path).includes(name))
  const possible: Record<Documented, boolean> = {
    unauthenticated: !isOpen(endpoint),
    forbidden: !isOpen(endpoint) || endpoint.path === '/auth/signup',
    askedAgain: endpoint.asks !== undefined,
    notFound: pathFields(endpoint.path).length > 0 || Object.entries(shape).some(namesSubject),
    clash: endpoint.kind === 'write' && endpoint.area !== 'sessions',
    tooLarge: hasBody,
    unsupported: hasBody,
    invalid: fields.length > 0,
    tooMany: true,
    unavailable: true,
    full: grows(endpoint),
  }
  const names = keysOf(possible).filter((refusal) => possible[refusal])
  return Object.fromEntries(
    names.map((refusal) => [all[refusal].status, { $ref: `#/components/responses/${nameOf(refusal)}` }]),
  )
}
