// API app: what it accepts and which headers it sends; guests' pages share none of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as packages from '#contract/packages.ts'
import { refusals } from '#contract/errors.ts'
import { invalid, notFound } from '#server/errors/refused.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('an upload is accepted only by calls that take one', async () => {
  const editor = await foyer.customer()
  const { bytes, type } = await bytesOf(formOf({ name: 'Uploaded' }))
  const answer = await foyer.app.inject({
    method: 'POST',
    url: '/api/v1/dashboard',
    headers: { authorization: `Bearer ${editor.token}`, 'app-context': 'customer', 'content-type': type },
    payload: bytes,
  })
  expectRefused(answer, refusals.unsupported)
})

test('a form of another site is refused', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
    const headers = { 'content-type': type }
    const answer = await foyer.app.inject({ method: 'POST', url: '/api/v1/auth/login', headers, payload: 'a=b' })
    expectRefused(answer, refusals.unsupported, type)
  }
})

test('JSON that is nested too deeply is refused with a sentence', async () => {
  const editor = await foyer.customer()
  for (const nested of ['['.repeat(60_000) + ']'.repeat(60_000), '{"a":'.repeat(30_000) + '1' + '}'.repeat(30_000)]) {
    const answer = await foyer.app.inject({
      method: 'POST',
      url: '/api/v1/packages',
      headers: {
        authorization: `Bearer ${editor.token}`,
        'app-context': 'customer',
        'content-type': 'application/json',
      },
      payload: `{"filters":${nested}}`,
    })
    expectRefused(answer, invalid({ body: ['This is nested too deeply.'] }))
  }
})

test('a call ignores what it does not take', async () => {
  const editor = await foyer.customer()
  const headers = { authorization: `Bearer ${editor.token}`, 'app-context': 'customer' }
  for (const payload of ['{"x":"a\\u0000b"}', '[1]', '"text"']) {
    const asked = { ...headers, 'content-type': 'application/json' }
    const answer = await foyer.app.inject({ method: 'POST', url: '/api/v1/auth/me', headers: asked, payload })
    expect(answer.statusCode, payload).toBe(200)
  }
  expect((await foyer.app.inject({ url: '/api/v1/groups-list?x=a%00b', headers })).statusCode).toBe(200)
})

test('no answer of the API may be cached, whatever its status', async () => {
  const editor = await foyer.customer()
  const read = await foyer.ask(packages.list, {}, editor)
  const absent = await foyer.ask(packages.get, { id: 2_000_000_000 }, editor)
  const unasked = await foyer.ask(packages.list, {}, null)
  expect(read.status).toBe(200)
  expectRefused(absent, notFound())
  expectRefused(unasked, refusals.unauthenticated)
  for (const { headers } of [read, absent, unasked]) expect(headers['cache-control']).toBe('no-store')
})

test.each(['/nothing', '/api/v1/nothing', '/p/8f2c1a'])(
  '%s is answered with the headers of every answer',
  async (url) => {
    const answer = await foyer.app.inject(url)
    const { headers } = answer
    expectRefused(answer, notFound())
    expect(headers['content-security-policy']).toContain("default-src 'self'")
  },
)

test.each([
  ['the API', '/api/v1/packages'],
  ['its documents', '/api/v1/openapi.json'],
])('%s: headers forbid foreign scripts, type sniffing and framing', async (_what, url) => {
  const { headers } = await foyer.app.inject(url)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  const policy = String(headers['content-security-policy'])
  for (const line of [
    "default-src 'self'",
    "script-src 'self'",
    "font-src 'self';",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(line)
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(headers).not.toHaveProperty('set-cookie')
  expect(headers).not.toHaveProperty('x-powered-by')
})

test('health answers are neither cached nor run by a browser', async () => {
  for (const url of ['/healthz', '/readyz'])
    expect((await foyer.app.inject(url)).headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
})

test('behind https, HSTS is sent for a year and includes subdomains', async () => {
  const env = {
    PUBLIC_URL: 'https://wifi.example.com',
    PORTAL_URL: 'https://guests.example.net',
    TRUSTED_PROXIES: 'none',
  }
  const secure = await openFoyer({ env: { ...env, ROLES: 'api,guest' } })
  try {
    for (const app of [secure.app, secure.guest])
      expect((await app?.inject('/'))?.headers['strict-transport-security']).toMatch(
        /max-age=31536000; includeSubDomains/,
      )
  } finally {
    await secure.close()
  }
})

test('methods that no call uses are not found', async () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'PUT', 'DELETE', 'PATCH'] as const)
    expectRefused(await foyer.app.inject({ method: method as 'PUT', url: '/api/v1/packages' }), notFound(), method)
})
