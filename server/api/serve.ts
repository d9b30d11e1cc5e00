// Serve: the one way in. Turns endpoints and handlers into routes; every request takes the same steps, in this order:
// door (who asks) → context → role → parse → [transaction: idempotency → references in reach → handler] → answer.
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { endpointsOf, type Endpoint, type Output, type Parsed } from '#contract/endpoint.ts'
import { selectedInvalid, type FieldErrors } from '#contract/errors.ts'
import { discardUpload, type FileAnswer } from '#server/files/receive.ts'
import { refsIn } from '#contract/refs.ts'
import type { Authenticator, Visitor } from '#server/access/authenticate.ts'
import { claim, idempotencyKey, settle } from '#server/api/idempotency.ts'
import { parse } from '#server/api/parse.ts'
import { isOpen, may } from '#server/access/policies.ts'
import { forbidden, invalid } from '#server/access/refused.ts'
import type { Seal } from '#server/access/seal.ts'
import type { Scope, Tenancy } from '#server/access/tenancy.ts'

/** What a handler is given: the scope of the transaction it runs in, and the checked input. */
export interface Call<Q> {
  scope: Scope
  input: Q
}
/** What a handler without a scope is given. It opens transactions itself, for hashing a password must not hold one. */
export interface UnscopedCall<Q> {
  /** Null where the endpoint is open to everyone. */
  visitor: Visitor | null
  input: Q
  request: FastifyRequest
}

type EndpointNames<C> = { [K in keyof C]: C[K] extends Endpoint ? K : never }[keyof C]
type Handlers<C, Kind extends 'scoped' | 'unscoped'> = {
  [K in EndpointNames<C>]: (
    call: Kind extends 'scoped' ? Call<Parsed<C[K]>> : UnscopedCall<Parsed<C[K]>>,
  ) => Promise<Output<C[K]>>
}
type Handler = ((call: never) => Promise<unknown>) & {
  before?: (call: never) => Promise<unknown>
  failed?: (call: never) => Promise<void>
}

/**
 * A handler in two stages: `before` does what must not hold a transaction (parsing a file, hashing, calling out), and
 * what it gives is `prepared` for `then`, which runs in the transaction like any handler. `failed` is told of an error in
 * either, when no transaction is open any more; the error is the answer all the same.
 */
export const staged = <Q, P, R>(
  before: (call: { visitor: Visitor; input: Q }) => Promise<P>,
  then: (call: Call<Q> & { prepared: P }) => Promise<R>,
  failed?: (call: { visitor: Visitor; input: Q; error: unknown }) => Promise<void>,
): ((call: Call<Q>) => Promise<R>) => Object.assign(then as (call: Call<Q>) => Promise<R>, { before, failed })

export interface Resource {
  kind: 'scoped' | 'unscoped'
  endpoints: [Endpoint, Handler][]
}

const bind = (kind: Resource['kind'], contract: object, handlers: object): Resource => ({
  kind,
  endpoints: endpointsOf(contract).map(([name, endpoint]) => [
    endpoint,
    (handlers as Record<string, Handler>)[name] as Handler,
  ]),
})

/** A contract's endpoints with a handler for each; a missing one does not compile. */
export const serve = <C extends object>(contract: C, handlers: Handlers<C, 'scoped'>): Resource =>
  bind('scoped', contract, handlers)
export const serveUnscoped = <C extends object>(contract: C, handlers: Handlers<C, 'unscoped'>): Resource =>
  bind('unscoped', contract, handlers)

export interface ServeOptions {
  tenancy: Tenancy
  authenticator: Authenticator
  seal: Seal
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
    const answer =
      resource.kind === 'scoped'
        ? tellingFailure(handler, answerInScope(endpoint, handler, options))
        : answerUnscoped(endpoint, handler)
    app.route({
      method: endpoint.method,
      url: `/api/v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: async (request) => {
        request.visitor = isOpen(endpoint) ? null : await admit(request, endpoint, options.authenticator)
      },
      handler: async (request, reply) => {
        await using _upload = { [Symbol.asyncDispose]: () => discardUpload(request) }
        const input = await parse(endpoint, request)
        const body = await answer(input, request, reply)
        if (endpoint.gives === 'file') return sendFile(reply, body as { data: FileAnswer })
        if (options.checkAnswers && reply.statusCode < 300) checkAnswer(endpoint, body)
        return body
      },
    })
  }
}

/** Door, context and role, before the body is read. Only a missing or dead token is ever answered 401. */
async function admit(request: FastifyRequest, endpoint: Endpoint, authenticator: Authenticator): Promise<Visitor> {
  const visitor = await authenticator.bySession(request)
  const context = String(request.headers['app-context'] ?? '').toLowerCase()
  if (endpoint.area !== 'sessions' && context !== visitor.caller.owner.owner_type.toLowerCase()) throw forbidden()
  if (!may(visitor.caller, endpoint)) throw forbidden()
  return visitor
}

type Answer = (input: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const envelope = (endpoint: Endpoint, given: unknown) =>
  endpoint.output instanceof z.ZodObject && 'meta' in endpoint.output.shape ? given : { data: given }

const answerUnscoped =
  (endpoint: Endpoint, handler: Handler): Answer =>
  async (input, request, reply) => {
    const given = await handler({ visitor: request.visitor, input, request } as never)
    reply.code(endpoint.status)
    return envelope(endpoint, given)
  }

const answerInScope =
  (endpoint: Endpoint, handler: Handler, { tenancy, seal }: ServeOptions): Answer =>
  async (input, request, reply) => {
    const visitor = request.visitor
    if (!visitor) throw new Error(`${endpoint.path} needs a door`)
    // A file is not kept to be given again.
    const key = endpoint.kind === 'write' && endpoint.gives === 'json' ? idempotencyKey(request) : undefined
    const prepared = await handler.before?.({ visitor, input } as never)
    return tenancy.enter(visitor.caller, endpoint.kind, async (scope) => {
      const repeat = key === undefined ? undefined : await claim(scope, seal, endpoint, key, input)
      if (repeat) {
        reply.code(repeat.status)
        return repeat.answer
      }
      const astray = await scope.unreachable(refsIn(endpoint.input, input))
      if (astray.length > 0) throw invalid(astrayErrors(astray.map((found) => found.field)))
      const body = envelope(endpoint, await handler({ scope, input, prepared } as never))
      reply.code(endpoint.status)
      if (key !== undefined) await settle(scope, seal, endpoint, key, body)
      return body
    })
  }

const tellingFailure =
  (handler: Handler, answer: Answer): Answer =>
  async (input, request, reply) => {
    try {
      return await answer(input, request, reply)
    } catch (error) {
      await handler.failed?.({ visitor: request.visitor, input, error } as never)
      throw error
    }
  }

const astrayErrors = (fields: string[]): FieldErrors =>
  Object.fromEntries(fields.map((field) => [field, [selectedInvalid(field.split('.').at(-1) ?? field)]]))

function sendFile(reply: FastifyReply, { data: { file_name, content_type, content } }: { data: FileAnswer }) {
  const name = file_name.replace(/[^\w.-]+/g, '-')
  reply.header('content-disposition', `attachment; filename="${name}"`)
  return reply.type(content_type).send(content)
}

function checkAnswer(endpoint: Endpoint, body: unknown) {
  const sent: unknown = JSON.parse(JSON.stringify(body))
  const parsed = endpoint.output.safeParse(sent)
  if (!parsed.success)
    throw new Error(`${endpoint.path} answered what its contract does not say: ${z.prettifyError(parsed.error)}`)
  if (!isDeepStrictEqual(parsed.data, sent))
    throw new Error(`${endpoint.path} answered more than its contract says: ${JSON.stringify(sent).slice(0, 500)}`)
}
