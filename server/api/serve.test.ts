// Serve: when a staged handler is not run, and when it learns of a failure.
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { callsOf } from '#contract/endpoint.ts'
import { ref } from '#contract/shapes.ts'
import { openAuthenticator } from '#server/access/authenticate.ts'
import { clash, forbidden, invalid } from '#server/errors/refused.ts'
import { fingerprintUnder, openSeal } from '#server/secrets/seal.ts'
import { openTurns } from '#server/turns/shares.ts'
import { openTenancy, type Tenancy } from '#server/access/tenancy.ts'
import { handleError } from '#server/api/refusals.ts'
import { mount, serve, staged } from '#server/api/serve.ts'
import { openFoyer, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { expectRefused } from '#test/refused.ts'

const Ask = z.object({ package_id: ref('packages').nullish(), fails: z.boolean().default(false) })
const contract = { work: callsOf('packages').write('/slow-work', Ask, z.object({ at: z.number() })) }

let foyer: TestFoyer
let tenancy: Tenancy
let app: FastifyInstance
let editor: Person
let calls = { before: 0, after: 0, failed: 0 }
beforeEach(() => void (calls = { before: 0, after: 0, failed: 0 }))
beforeAll(async () => {
  foyer = await openFoyer()
  editor = await foyer.customer()
  tenancy = openTenancy(foyer.database)
  app = Fastify()
  app.setErrorHandler(handleError)
  const resource = serve(contract, {
    work: staged(
      async () => ++calls.before,
      async ({ input, prepared }) => {
        calls.after++
        if (input.fails) throw invalid({ fails: ['It fails.'] })
        return { at: prepared }
      },
      async ({ caller }) => {
        calls.failed++
        // Only possible when the transaction of `then` has ended.
        await tenancy.enter(caller, 'read', async () => {})
      },
    ),
  })
  const authenticator = openAuthenticator(tenancy, { session_idle_s: 3600, requests_per_minute: 1200 })
  mount(app, resource, {
    tenancy,
    turns: openTurns(),
    disk: foyer.services.disk,
    queue: foyer.services.queue,
    public_url: 'http://foyer.test',
    authenticator,
    seal: openSeal(foyer.database.secretKeys),
    fingerprint: fingerprintUnder(Buffer.from('any key')),
    checkAnswers: true,
  })
})
afterAll(async () => {
  await app.close()
  await tenancy.close()
  await foyer.close()
})

async function work(ask: z.input<typeof Ask>, key?: string, who = editor) {
  const headers = {
    authorization: `Bearer ${who.token}`,
    'app-context': who.context,
    ...(key ? { 'idempotency-key': key } : {}),
  }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/slow-work', headers, payload: ask })
  return { status: answer.statusCode, body: answer.json<{ data?: { at: number }; errors?: object }>() }
}

test('a repeated request gets its answer without the slow work, and another body under its key is refused', async () => {
  const key = unique('key')
  expect(await work({}, key)).toMatchObject({ status: 200, body: { data: { at: 1 } } })
  expect(await work({}, key)).toMatchObject({ status: 200, body: { data: { at: 1 } } })
  expectRefused(await work({ fails: true }, key), clash('This Idempotency-Key was used for a different request.'))
  expect(calls).toEqual({ before: 1, after: 1, failed: 0 })
})

test('a reference out of reach and a missing right are found before the slow work', async () => {
  const foreign = await foyer.package(await foyer.customer())
  expect(await work({ package_id: foreign.id })).toMatchObject({
    status: 422,
    body: { errors: { package_id: ['The selected package id is invalid.'] } },
  })
  expectRefused(await work({}, undefined, await foyer.viewer(editor)), forbidden())
  expect(calls).toEqual({ before: 0, after: 0, failed: 0 })
})

test('a failure is reported when no transaction is open any more, and a key that failed may be used again', async () => {
  const key = unique('key')
  expectRefused(await work({ fails: true }, key), invalid({ fails: ['It fails.'] }))
  expect(calls).toEqual({ before: 1, after: 1, failed: 1 })
  expect((await work({}, key)).status).toBe(200)
})

test('two people may use the same key', async () => {
  const key = unique('key')
  const colleague = await foyer.invited(editor)
  expect((await work({}, key)).body.data).toEqual({ at: 1 })
  expect((await work({}, key, colleague)).body.data).toEqual({ at: 2 })
})
