// Idempotency: a write that is sent again with its key gets its first answer again, and is not done twice. A key belongs
// to the principal that sent it. An answer may contain a password, so it is stored sealed, and the request only as a fingerprint.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { ColumnsOf } from '#server/db/columns-of.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { invalid, Refused } from '#server/errors/refused.ts'
import type { Fingerprint, Seal } from '#server/secrets/seal.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import type { Scope } from '#server/access/tenancy.ts'

export interface IdempotencyOptions {
  seal: Seal
  fingerprint: Fingerprint
}
interface Stored {
  id: number
  body_hash: Buffer
  status: number
  sealed_answer: Buffer
}
export interface Repeat {
  status: number
  answer: unknown
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw invalid({ 'Idempotency-Key': ['Use at most 255 characters.'] })
  return key
}

/** The handling of a request's key; undefined without a key, and for calls whose answers are not stored: reads, and files. */
export function idempotencyOf(
  request: FastifyRequest,
  { seal, fingerprint }: IdempotencyOptions,
  endpoint: Endpoint,
  input: unknown,
) {
  const key = endpoint.kind === 'write' && endpoint.gives === 'json' ? keyOf(request) : undefined
  if (key === undefined) return undefined
  const body_hash = fingerprint(JSON.stringify(input))

  const mine = ({ principal, inReach }: Scope) => sql<boolean>`
    k.principal_kind = ${principal.kind} and k.principal_id = ${principal.id} and k.endpoint = ${endpoint.path} and k.key = ${key}
      and ${inReach('idempotency_keys', 'k')}`
  const placeOf = (scope: Scope, id: number) => placeIn('idempotency_keys.sealed_answer', scope, id)
  function repeatOf(scope: Scope, stored: Stored | undefined): Repeat {
    if (!stored || !stored.body_hash.equals(body_hash))
      throw new Refused('clash', { message: 'This Idempotency-Key was used for a different request.' })
    return {
      status: stored.status,
      answer: JSON.parse(seal.open(stored.sealed_answer, placeOf(scope, stored.id))) as unknown,
    }
  }
  const find = async (scope: Scope) => {
    const [stored] = await scope.run(sql<Stored>`
      select id, body_hash, status, sealed_answer from idempotency_keys as k
      where k.status is not null and k.sealed_answer is not null and ${mine(scope)}`)
    return stored
  }

  let claimed_id: number | undefined
  return {
    /** The first answer, if there is one; claims nothing. */
    async look(scope: Scope): Promise<Repeat | undefined> {
      const stored = await find(scope)
      return stored && repeatOf(scope, stored)
    },

    /** Claims the key for this transaction, waiting for another that has it; returns the stored answer if it was used before. */
    async claim(scope: Scope): Promise<Repeat | undefined> {
      const { kind, id } = scope.principal
      const [taken] = await scope.run(sql<ColumnsOf<'idempotency_keys', 'id'>>`
        insert into idempotency_keys (customer_id, principal_kind, principal_id, endpoint, key, body_hash)
        values (${scope.customer_id}, ${kind}, ${id}, ${endpoint.path}, ${key}, ${body_hash})
        on conflict do nothing returning id`)
      claimed_id = taken?.id
      return taken ? undefined : repeatOf(scope, await find(scope))
    },

    async settle(scope: Scope, body: unknown) {
      if (claimed_id === undefined) throw new Error('only what was claimed can be settled')
      const sealed_answer = seal.close(JSON.stringify(body), placeOf(scope, claimed_id))
      await scope.run(sql`
        update idempotency_keys as k set status = ${endpoint.status}, sealed_answer = ${sealed_answer}
        where k.id = ${claimed_id} and ${scope.inReach('idempotency_keys', 'k')}`)
    },
  }
}
