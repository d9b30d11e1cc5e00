// Idempotency: a write that is sent again with its key gets its first answer again, and is not done twice.
// An answer may hold a password, so it is kept sealed, and the request only as a fingerprint.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { invalid, Refused } from '#server/access/refused.ts'
import type { Seal } from '#server/access/seal.ts'
import type { Scope } from '#server/access/tenancy.ts'

export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw invalid({ 'Idempotency-Key': ['Use at most 255 characters.'] })
  return key
}

/** Takes the key for this transaction, waiting for another that holds it; answers what was stored if it was used before. */
export async function claim(scope: Scope, seal: Seal, endpoint: Endpoint, key: string, input: unknown) {
  const body_hash = seal.fingerprint(JSON.stringify(input))
  const taken = await scope.run(sql`
    insert into idempotency_keys (customer_id, user_id, endpoint, key, body_hash)
    values (${scope.customer_id}, ${scope.user?.id ?? null}, ${endpoint.path}, ${key}, ${body_hash})
    on conflict do nothing returning id`)
  if (taken.length > 0) return undefined
  const [stored] = await scope.run(sql<{ body_hash: Buffer; status: number; sealed_answer: Buffer }>`
    select body_hash, status, sealed_answer from idempotency_keys as k
    where user_id is not distinct from ${scope.user?.id ?? null} and endpoint = ${endpoint.path} and key = ${key}
      and ${scope.inReach('idempotency_keys', 'k')}`)
  if (!stored || !stored.body_hash.equals(body_hash))
    throw new Refused('clash', { message: 'This Idempotency-Key was used for a different request.' })
  return { status: stored.status, answer: JSON.parse(seal.open(stored.sealed_answer)) as unknown }
}

export async function settle(scope: Scope, seal: Seal, endpoint: Endpoint, key: string, body: unknown) {
  await scope.run(sql`
    update idempotency_keys as k set status = ${endpoint.status}, sealed_answer = ${seal.close(JSON.stringify(body))}
    where user_id is not distinct from ${scope.user?.id ?? null} and endpoint = ${endpoint.path} and key = ${key}
      and ${scope.inReach('idempotency_keys', 'k')}`)
}
