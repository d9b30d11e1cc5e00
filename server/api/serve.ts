// Serve: the one way in. Turns endpoints and handlers into routes; every request takes the same steps, in this order:
// authentication (who asks) → context → rights → room on the disk → parse → [transaction: idempotency → references in
// reach → password asked again → fields that only some may write → handler] → answer. Each takes its turn before it takes a connection
// (server/turns/shares.ts).
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { endpointsOf, pathFields, type Endpoint, type Output, type Parsed } from '#contract/endpoint.ts'
import { refusals, selectedIdsInvalid, selectedInvalid, type FieldErrors } from '#contract/errors.ts'
import { bulkRowsIn, refsIn } from '#contract/refs.ts'
import { discardUpload, type UploadedFile } from '#server/files/receive.ts'
import { StartedRun, sendFile, type FileAnswer } from '#server/files/send.ts'
import type { Admitted, Authenticator, WebSession } from '#server/access/authenticate.ts'
import { provenMark } from '#server/access/device.ts'
import { networkOf } from '#server/access/network.ts'
import { isOpen, knowsSession, may } from '#server/access/policies.ts'
import { askedBy, principalKey, type Caller } from '#server/access/principal.ts'
import { askedAgain, forbidden, invalid, Refused } from '#server/errors/refused.ts'
import type { Mode, Scope, Tenancy } from '#server/access/tenancy.ts'
import { grows } from '#server/api/grows.ts'
import type { Disk } from '#server/turns/disk.ts'
import { refuseUsedUp, spendQuota } from '#server/fairness/quotas.ts'
import type { AllTurns } from '#server/turns/shares.ts'
import type { Turn, Turns } from '#server/turns/turns.ts'
import { Json } from '#server/entities/json.ts'
import { tellEditors, type Telling } from '#server/deliveries/tell-editors.ts'
import { insistOnProof } from '#server/api/asked-again.ts'
import { takeOwnTurn, type OwnTurn } from '#server/api/own-turn.ts'
import type { Fingerprint } from '#server/secrets/seal.ts'
import { idempotencyOf, type IdempotencyOptions, type Repeat } from '#server/api/idempotency.ts'
import { parse, type ParsedRequest } from '#server/api/parse.ts'
import { withoutReserved } from '#server/api/reserved.ts'
import { unwritableIn } from '#server/api/unknown-fields.ts'

/** What a handler is given: the scope of the transaction it runs in, and the checked input. */
export interface Call<Q> {
  scope: Scope
  input: Q
  /** Reads for the same caller after this transaction, each time in a transaction of its own: for answers that are streamed. */
  later: Later
}
export type Later = <R>(work: (scope: Scope) => Promise<R>) => Promise<R>
/** Outside any transaction. */
export interface EarlyCall<Q> {
  caller: Caller
  input: Q
  /** Reads for the caller, in a transaction of its own. */
  later: Later
}
/** What a handler of sessions is given. It opens transactions itself, because none may be open while a password is hashed. */
export interface UnscopedCall<Q> {
  /** Null where the endpoint is open to everyone, but for the few that know a session (policies.ts). */
  session: WebSession | null
  input: Q
  request: FastifyRequest
  turn: OwnTurn
}

/** A handler in stages: see `staged`. */
interface Staged<Q, R> {
  before: (call: EarlyCall<Q>) => Promise<(call: Call<Q>) => Promise<R>>
  failed: ((call: EarlyCall<Q> & { error: unknown }) => Promise<void>) | undefined
}
/** A handler that may read from the replica: see `reading`. */
interface Reading<Q, R> {
  reads: (call: Call<Q>) => Promise<R>
}
type Run = (call: Call<unknown>) => Promise<unknown>
type ScopedHandler<Q, R> = ((call: Call<Q>) => Promise<R>) | Staged<Q, R> | Reading<Q, R>
type UnscopedHandler<Q, R> = (call: UnscopedCall<Q>) => Promise<R>

type EndpointNames<C> = { [K in keyof C]: C[K] extends Endpoint ? K : never }[keyof C]
type Handlers<C> = { [K in EndpointNames<C>]: ScopedHandler<Parsed<C[K]>, Output<C[K]> | Json<Output<C[K]>>> }
export type UnscopedHandlers<C> = { [K in EndpointNames<C>]: UnscopedHandler<Parsed<C[K]>, Output<C[K]>> }

/**
 * A handler in two stages: `before` does work during which no transaction may be open (parsing a file, hashing, outgoing
 * calls), and its result is `prepared` for `then`, which runs in a transaction like any handler. A repeated or bad request is
 * detected in a short transaction before both, and checked again in the second one. `failed` is called after an error in
 * either, when no transaction is open any more; the error is still the answer.
 */
export const staged = <Q, P, R>(
  before: (call: EarlyCall<Q>) => Promise<P>,
  then: (call: Call<Q> & { prepared: P }) => Promise<R>,
  failed?: (call: EarlyCall<Q> & { error: unknown }) => Promise<void>,
): Staged<Q, R> => ({
  async before(early) {
    const prepared = await before(early)
    return (call) => then({ ...call, prepared })
  },
  failed,
})

/** A handler that reads much, from the replica where there is one. It may be run twice, and writes nothing. */
export const reading = <Q, R>(reads: (call: Call<Q>) => Promise<R>): Reading<Q, R> => ({ reads })

type Answer = (
  asked: ParsedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  turn: OwnTurn | null,
) => Promise<unknown>
export interface Resource {
  contract: object
  endpoints: [Endpoint, (options: ServeOptions) => Answer][]
}

/** The types of `serve` ensure that a handler takes what its endpoint's schema gives; a lookup by name loses that. */
const handlerOf = <H>(handlers: object, name: string) => (handlers as Record<string, H>)[name] as H

/** A contract's endpoints with a handler for each; a missing one does not compile. */
export function serve<C extends object>(contract: C, handlers: Handlers<C>): Resource {
  const endpoints = endpointsOf(contract)
  const [get] = endpoints.find(([, { kind, path }]) => kind === 'read' && pathFields(path).join() === 'id') ?? []
  const getRecord: Run = async (call) => {
    if (get === undefined) return undefined
    const record = await handlerOf<Run>(handlers, get)(call)
    return record instanceof Json ? record.parsed() : record
  }
  return {
    contract,
    endpoints: endpoints.map(([name, endpoint]) => [
      endpoint,
      (options) => answerInScope(endpoint, handlerOf(handlers, name), getRecord, options),
    ]),
  }
}
export const serveUnscoped = <C extends object>(contract: C, handlers: UnscopedHandlers<C>): Resource => ({
  contract,
  endpoints: endpointsOf(contract).map(([name, endpoint]) => [
    endpoint,
    () => answerUnscoped(endpoint, handlerOf(handlers, name)),
  ]),
})

export interface ServeOptions extends IdempotencyOptions, Telling {
  tenancy: Tenancy
  turns: AllTurns
  disk: Disk
  authenticator: Authenticator
  /** In tests: every answer is checked against the contract, so that nothing undeclared is sent. */
  checkAnswers: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: Endpoint['takes']
  }
  interface FastifyRequest {
    /** Null where the endpoint is open to everyone. */
    admitted: Admitted | null
    /** Its answer asks for the password again. */
    asked_again?: boolean
  }
}

export function mount(app: FastifyInstance, resource: Resource, options: ServeOptions) {
  for (const [endpoint, answerWith] of resource.endpoints) {
    const answer = answerWith(options)
    app.route({
      method: endpoint.method,
      url: `/api/v1${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      config: { takes: endpoint.takes },
      onRequest: async (request) => {
        if (!isOpen(endpoint)) await admit(request, endpoint, options)
        else if (knowsSession(endpoint)) request.admitted = await recognised(request, options)
        if (grows(endpoint)) options.disk.refuseWhenFull()
      },
      handler: async (request, reply) => {
        const body = await answerTo(request, reply)
        if (endpoint.gives === 'file') return sendMade(reply, (body as { data: FileAnswer | StartedRun }).data)
        if (options.checkAnswers && reply.statusCode < 300) checkAnswer(endpoint, body)
        return body instanceof Json ? reply.type('application/json').send(body.text) : body
      },
    })

    async function answerTo(request: FastifyRequest, reply: FastifyReply) {
      await using _upload = { [Symbol.asyncDispose]: () => discardUpload(request) }
      const asked = await receiveInTurn(endpoint, request, options)
      if (isOpen(endpoint)) refuse(asked.errors)
      const turn = await ownTurn(endpoint, request, reply, options)
      return await answer(asked, request, reply, turn)
    }
  }
}

const sendMade = (reply: FastifyReply, made: FileAnswer | StartedRun) =>
  made instanceof StartedRun ? reply.code(202).send({ data: made.record }) : sendFile(reply, made)

/** Checks who asks, in which context and with what right, before the body is read. Only a missing or dead token is ever answered 401. */
async function admit(
  request: FastifyRequest,
  endpoint: Endpoint,
  { authenticator, turns }: ServeOptions,
): Promise<void> {
  using _turn = await turns.admission.take(`address ${networkOf(request.ip)}`, request.headers.authorization)
  const admitted = await authenticator.byToken(request)
  // Known from here on, so that the log says who was denied.
  request.admitted = admitted
  const { caller, session } = admitted
  const context = String(request.headers['app-context'] ?? '').toLowerCase()
  // A program has no context: its key says whose it is.
  if (session && endpoint.area !== 'sessions' && context !== caller.owner.owner_type.toLowerCase()) throw forbidden()
  if (!may(caller, endpoint)) throw forbidden()
}

/** Whoever is signed in at an open call; a token that is dead counts as none. */
async function recognised(request: FastifyRequest, { authenticator }: ServeOptions): Promise<Admitted | null> {
  if (request.headers.authorization === undefined) return null
  try {
    return await authenticator.byToken(request)
  } catch (error) {
    if (error instanceof Refused && error.status === refusals.unauthenticated.status) return null
    throw error
  }
}

const turnOf = (
  turns: Turns,
  request: FastifyRequest,
  { fingerprint }: Pick<ServeOptions, 'fingerprint'>,
): Promise<Turn> =>
  request.admitted
    ? turns.take(`customer ${request.admitted.caller.customer_id}`, principalKey(request.admitted.caller))
    : turns.take(anonymousIn(request, fingerprint))

/** A party that has not signed in: the browser, if somebody has signed in there before, else the address, which many may share. */
function anonymousIn(request: FastifyRequest, fingerprint: Fingerprint): string {
  const mark = provenMark(fingerprint, request)
  return mark === null ? `address ${networkOf(request.ip)}` : `device ${mark}`
}

/** A slow upload keeps only people of the same customer waiting. */
async function receiveInTurn(endpoint: Endpoint, request: FastifyRequest, options: ServeOptions) {
  if (endpoint.takes !== 'multipart') return parse(endpoint, request)
  using _turn = await turnOf(options.turns.uploads, request, options)
  return await parse(endpoint, request)
}

/**
 * Takes a turn for calls that do more than their transactions, until the answer is sent or the client has gone: reading or
 * making a file, or a call of sessions, which uses the connections for authentication.
 */
async function ownTurn(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, options: ServeOptions) {
  const { turns } = options
  const work = workOf(endpoint)
  if (work === null) return null
  return takeOwnTurn(reply, {
    work: () => turnOf(turns[work], request, options),
    pause: (account) => turns.slowed.take(anonymousIn(request, options.fingerprint), account),
  })
}

function workOf(endpoint: Endpoint): keyof AllTurns | null {
  if (endpoint.takes === 'multipart') return 'files'
  if (endpoint.gives === 'file') return 'downloads'
  if (isOpen(endpoint)) return 'sign_in'
  return endpoint.area === 'sessions' ? 'admission' : null
}

const envelope = (endpoint: Endpoint, given: unknown) =>
  endpoint.output instanceof z.ZodObject && 'meta' in endpoint.output.shape ? given : { data: given }

const answerUnscoped =
  (endpoint: Endpoint, handler: UnscopedHandler<unknown, unknown>): Answer =>
  async ({ input, errors, echoed }, request, reply, turn) => {
    refuse({ ...errors, ...unwritableIn(echoed, {}, undefined) })
    if (!turn) throw new Error(`${endpoint.path} needs a turn of its own`)
    const session = request.admitted?.session ?? null
    if (endpoint.asks && !session?.proven) throw askedAgain()
    const given = await handler({ session, input, request, turn })
    reply.code(endpoint.status)
    return envelope(endpoint, given)
  }

function answerInScope(
  endpoint: Endpoint,
  handler: ScopedHandler<unknown, unknown>,
  getRecord: Run,
  options: ServeOptions,
): Answer {
  const { tenancy } = options
  return async ({ input, errors, echoed }, request, reply) => {
    if (!request.admitted) throw new Error(`${endpoint.path} needs a caller`)
    const { session } = request.admitted
    const caller = { ...request.admitted.caller, asked: askedBy(request.admitted.caller, endpoint) }
    const refs = refsIn(endpoint.input, input)
    if (refs.length > 0 || Object.keys(errors).length > 0) refs.push(...bulkRowsIn(endpoint.input, input))
    // All together, so that nobody corrects one error only to learn of the next.
    const refuseWrong = async (scope: Scope) => {
      const unreachable = await scope.unreachable(refs)
      refuse({ ...unreachableErrors(unreachable.map((found) => found.field)), ...errors })
    }
    if (Object.keys(errors).length > 0) return tenancy.enter(caller, 'read', refuseWrong)
    const idempotency = idempotencyOf(request, options, endpoint, input)
    const again = ({ status, answer }: Repeat) => {
      reply.code(status)
      return answer
    }
    const later: Later = (read) => tenancy.enter(caller, 'report', read)
    const finish = (work: Run, mode: Mode = endpoint.kind) =>
      tenancy.enter(caller, mode, async (scope) => {
        const repeat = await idempotency?.claim(scope)
        if (repeat) return again(repeat)
        await refuseWrong(scope)
        const given = await insistOnProof(scope, endpoint, input, session)
        const stored = (id: number) => getRecord({ scope, input: { id }, later })
        await refuseUnwritable(echoed, input as Values, stored)
        const writable = await withoutReserved(caller, endpoint, input, stored)
        if (endpoint.gives === 'file') await spendQuota(scope, 'exports', 1)
        const made = await work({ scope, input: writable, later })
        if (given) await tellEditors(scope, options, given(made))
        const body = envelope(endpoint, made)
        // Counted last: the counter stays locked until the transaction ends, and an import takes long.
        if (endpoint.takes === 'multipart') await spendQuota(scope, 'uploaded_bytes', bytesIn(input))
        reply.code(endpoint.status)
        await idempotency?.settle(scope, body)
        return body
      })
    if (typeof handler === 'function') return finish(handler)
    if ('reads' in handler) return finish(handler.reads, endpoint.kind === 'read' ? 'report' : endpoint.kind)

    const isFile = endpoint.takes === 'multipart' || endpoint.gives === 'file'
    if (idempotency || refs.length > 0 || isFile || endpoint.asks) {
      const repeat = await tenancy.enter(caller, 'read', async (scope) => {
        const found = await idempotency?.look(scope)
        if (!found) await refuseWrong(scope)
        if (!found) await insistOnProof(scope, endpoint, input, session)
        if (!found && endpoint.takes === 'multipart') await refuseUsedUp(scope, 'uploaded_bytes')
        if (!found && endpoint.gives === 'file') await refuseUsedUp(scope, 'exports')
        return found
      })
      if (repeat) return again(repeat)
    }
    try {
      return await finish(await handler.before({ caller, input, later }))
    } catch (error) {
      await handler.failed?.({ caller, input, later, error })
      throw error
    }
  }
}

/** The total size of the files of an upload. */
const bytesIn = (input: unknown) =>
  Object.values(input as object)
    .map((value: Partial<UploadedFile> | null) => value?.byte_size)
    .reduce<number>((sum, bytes) => sum + (typeof bytes === 'number' ? bytes : 0), 0)

type Values = Record<string, unknown>

/** Reads the record only if the result depends on it. */
async function refuseUnwritable(echoed: Values, input: Values, stored: (id: number) => Promise<unknown>) {
  if (Object.keys(unwritableIn(echoed, input, undefined)).length === 0) return
  const { id } = input
  refuse(unwritableIn(echoed, input, typeof id === 'number' ? ((await stored(id)) as Values | undefined) : undefined))
}

function refuse(errors: FieldErrors) {
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

const unreachableErrors = (fields: string[]): FieldErrors =>
  Object.fromEntries(fields.map((field) => [field, [sentenceOf(field)]]))
const sentenceOf = (field: string) =>
  field === 'ids' ? selectedIdsInvalid : selectedInvalid(field.split('.').at(-1) ?? field)

function checkAnswer(endpoint: Endpoint, body: unknown) {
  const sent: unknown = body instanceof Json ? body.parsed() : JSON.parse(JSON.stringify(body))
  const parsed = endpoint.output.safeParse(sent)
  if (!parsed.success)
    throw new Error(`${endpoint.path} answered what its contract does not say: ${z.prettifyError(parsed.error)}`)
  if (!isDeepStrictEqual(parsed.data, sent))
    throw new Error(`${endpoint.path} answered more than its contract says: ${JSON.stringify(sent).slice(0, 500)}`)
}
