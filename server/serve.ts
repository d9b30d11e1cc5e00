// Serve: the one way in. Turns endpoints and handlers into routes; every request takes the same steps, in this order:
// door (who asks) → context → role → parse → [transaction: idempotency → references in reach → handler] → answer.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { endpointsOf, pathFields, type Endpoint, type Given, type Taken } from '#contract/endpoint.ts'
import { fieldErrors, selectedInvalid, type FieldErrors } from '#contract/errors.ts'
import { refsIn } from '#contract/refs.ts'
import { sql } from 'kysely'
import type { Doors, Visitor } from '#server/doors.ts'
import { isOpen, may, type Area } from '#server/policies.ts'
import { forbidden, invalid, notFound, Refused } from '#server/refused.ts'
import type { Scope, Tenancy } from '#server/tenancy.ts'

/** What a handler is given: the scope of the transaction it runs in, and the checked input. */
export interface Call<Q> {
  scope: Scope
  input: Q
}
/** What a handler at the doors is given. It opens transactions itself, for hashing a password must not hold one. */
export interface DoorCall<Q> {
  /** Null where the endpoint is open to everyone. */
  visitor: Visitor | null
  input: Q
  request: FastifyRequest
}

type EndpointNames<C> = { [K in keyof C]: C[K] extends Endpoint ? K : never }[keyof C]
type Handlers<C, Kind extends 'scoped' | 'door'> = {
  [K in EndpointNames<C>]: (
    call: Kind extends 'scoped' ? Call<Taken<C[K]>> : DoorCall<Taken<C[K]>>,
  ) => Promise<Given<C[K]>>
}
type Handler = (call: never) => Promise<unknown>

export interface Resource {
  area: Area
  kind: 'scoped' | 'door'
  endpoints: [Endpoint, Handler][]
}

const bind = (area: Area, kind: Resource['kind'], contract: object, handlers: object): Resource => ({
  area,
  kind,
  endpoints: endpointsOf(contract).map(([name, endpoint]) => [endpoint, (handlers as Record<string, Handler>)[name] as Handler]), // prettier-ignore
})

/** A contract's endpoints with a handler for each; a missing one does not compile. */
export const serve = <C extends object>(area: Area, contract: C, handlers: Handlers<C, 'scoped'>): Resource =>
  bind(area, 'scoped', contract, handlers)
export const serveDoors = <C extends object>(area: Area, contract: C, handlers: Handlers<C, 'door'>): Resource =>
  bind(area, 'door', contract, handlers)

export interface ServeOptions {
  tenancy: Tenancy
  doors: Doors
  /** In tests: every answer is held against the contract, so that nothing undeclared leaves. */
  checkAnswers: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null
  }
}

export function mount(app: FastifyInstance, resource: Resource, options: ServeOptions) {
  for (const [endpoint, handler] of resource.endpoints) {
    const answer = resource.kind === 'scoped' ? answerInScope(endpoint, handler, options) : answerAtDoor(endpoint, handler) // prettier-ignore
    app.route({
      method: endpoint.method,
      url: `/api/v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: async (request) => {
        request.visitor = isOpen(endpoint) ? null : await admit(request, resource.area, endpoint, options.doors)
      },
      handler: async (request, reply) => {
        const input = parse(endpoint, request)
        const body = await answer(input, request, reply)
        if (options.checkAnswers && reply.statusCode < 300) checkAnswer(endpoint, body)
        return body
      },
    })
  }
}

/** Door, context and role, before the body is read. Only a missing or dead token is ever answered 401. */
async function admit(request: FastifyRequest, area: Area, endpoint: Endpoint, doors: Doors): Promise<Visitor> {
  const visitor = await doors.bySession(request)
  const context = String(request.headers['app-context'] ?? '').toLowerCase()
  if (area !== 'sessions' && context !== visitor.caller.owner.owner_type.toLowerCase()) throw forbidden()
  if (!may(visitor.caller, area, endpoint)) throw forbidden()
  return visitor
}

function parse(endpoint: Endpoint, request: FastifyRequest): unknown {
  const inPath = pathFields(endpoint.path)
  const params = request.params as Record<string, string>
  const given = endpoint.method === 'GET' ? request.query : (request.body ?? {})
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw invalid({ body: ['Send a JSON object.'] }) // prettier-ignore
  const fields = Object.fromEntries(
    inPath.map((name) => [name, /id$/i.test(name) ? Number(params[name]) : params[name]]),
  )
  const nul = nulIn(given)
  if (nul !== undefined) throw invalid({ [nul]: ['Please remove the unprintable character'] })
  const result = endpoint.ask.safeParse({ ...given, ...fields })
  if (result.success) return result.data
  // An address that cannot name a record is an address of nothing.
  if (result.error.issues.some((issue) => inPath.includes(String(issue.path[0])))) throw notFound()
  throw invalid(fieldErrors(result.error))
}

/** Where a text holds NUL, which PostgreSQL cannot store. */
function nulIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path || 'body' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = nulIn(inner, path ? `${path}.${key}` : key)
    if (found !== undefined) return found
  }
  return undefined
}

type Answer = (input: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const envelope = (endpoint: Endpoint, given: unknown) =>
  endpoint.answer instanceof z.ZodObject && 'meta' in endpoint.answer.shape ? given : { data: given }

const answerAtDoor =
  (endpoint: Endpoint, handler: Handler): Answer =>
  async (input, request, reply) => {
    const given = await handler({ visitor: request.visitor, input, request } as never)
    reply.code(endpoint.status)
    return envelope(endpoint, given)
  }

const answerInScope =
  (endpoint: Endpoint, handler: Handler, { tenancy }: ServeOptions): Answer =>
  async (input, request, reply) => {
    const visitor = request.visitor
    if (!visitor) throw new Error(`${endpoint.path} needs a door`)
    const key = endpoint.kind === 'write' ? idempotencyKey(request) : undefined
    return tenancy.enter(visitor.caller, endpoint.kind, async (scope) => {
      const repeat = key === undefined ? undefined : await claim(scope, endpoint, key, input)
      if (repeat) {
        reply.code(repeat.status)
        return repeat.answer
      }
      const astray = await scope.unreachable(refsIn(endpoint.ask, input))
      if (astray.length > 0) throw invalid(astrayErrors(astray.map((found) => found.field)))
      const body = envelope(endpoint, await handler({ scope, input } as never))
      reply.code(endpoint.status)
      if (key !== undefined) await settle(scope, endpoint, key, endpoint.status, body)
      return body
    })
  }

const astrayErrors = (fields: string[]): FieldErrors =>
  Object.fromEntries(fields.map((field) => [field, [selectedInvalid(field.split('.').at(-1) ?? field)]]))

// Idempotency: a write that is sent again with its key gets its first answer again, and is not done twice.

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw invalid({ 'Idempotency-Key': ['Use at most 255 characters.'] })
  return key
}

/** Takes the key for this transaction, waiting for another that holds it; answers what was stored if it was used before. */
async function claim(scope: Scope, endpoint: Endpoint, key: string, input: unknown) {
  const body_hash = createHash('sha256').update(JSON.stringify(input)).digest()
  const taken = await scope.run(sql`
    insert into idempotency_keys (customer_id, user_id, endpoint, key, body_hash)
    values (${scope.customer_id}, ${scope.user?.id ?? null}, ${endpoint.path}, ${key}, ${body_hash})
    on conflict do nothing returning id`)
  if (taken.length > 0) return undefined
  const [stored] = await scope.run(sql<{ body_hash: Buffer; status: number; answer: string }>`
    select body_hash, status, answer from idempotency_keys as k
    where user_id is not distinct from ${scope.user?.id ?? null} and endpoint = ${endpoint.path} and key = ${key}
      and ${scope.inReach('idempotency_keys', 'k')}`)
  if (!stored || !stored.body_hash.equals(body_hash))
    throw new Refused('clash', { message: 'This Idempotency-Key was used for a different request.' })
  return { status: stored.status, answer: JSON.parse(stored.answer) as unknown }
}

const settle = (scope: Scope, endpoint: Endpoint, key: string, status: number, body: unknown) =>
  scope.run(sql`
    update idempotency_keys as k set status = ${status}, answer = ${JSON.stringify(body)}
    where user_id is not distinct from ${scope.user?.id ?? null} and endpoint = ${endpoint.path} and key = ${key}
      and ${scope.inReach('idempotency_keys', 'k')}`)

function checkAnswer(endpoint: Endpoint, body: unknown) {
  const sent: unknown = JSON.parse(JSON.stringify(body))
  const parsed = endpoint.answer.safeParse(sent)
  if (!parsed.success) throw new Error(`${endpoint.path} answered what its contract does not say: ${z.prettifyError(parsed.error)}`) // prettier-ignore
  if (!isDeepStrictEqual(parsed.data, sent))
    throw new Error(`${endpoint.path} answered more than its contract says: ${JSON.stringify(sent).slice(0, 500)}`)
}
