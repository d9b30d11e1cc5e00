// API app: what it reads and which headers it sends; guests' pages share none of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as packages from '#contract/packages.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { bytesOf, formOf } from '#test/uploads.ts'

let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer()))
afterAll(() => foyer.close())

test('an upload is taken only where a call takes one', async () => {
  const editor = await foyer.customer()
  const { bytes, type } = await bytesOf(formOf({ name: 'Uploaded' }))
  const answer = await foyer.app.inject({
    method: 'POST',
    url: '/api/v1/dashboard',
    headers: { authorization: `Bearer ${editor.token}`, 'app-context': 'customer', 'content-type': type },
    payload: bytes,
  })
  expect(answer.statusCode).toBe(415)
  expect(answer.json()).toEqual({ message: 'Send application/json.' })
})

test('a form of another site is not taken', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
    const headers = { 'content-type': type }
    const answer = await foyer.app.inject({ method: 'POST', url: '/api/v1/auth/login', headers, payload: 'a=b' })
    expect(answer.statusCode, type).toBe(415)
  }
})

test('JSON that is nested without an end is refused in words', async () => {
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
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ errors: { body: ['This is nested too deeply.'] } })
  }
})

test('no cache between keeps what the API answers, whatever the answer is', async () => {
  const editor = await foyer.customer()
  const answers = [
    await foyer.ask(packages.list, {}, editor),
    await foyer.ask(packages.get, { id: 2_000_000_000 }, editor),
    await foyer.ask(packages.list, {}, null),
  ]
  expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
    [200, 'no-store'],
    [404, 'no-store'],
    [401, 'no-store'],
  ])
})

test.each(['/nothing', '/api/v1/nothing', '/p/8f2c1a'])(
  '%s is answered with the headers of every answer',
  async (url) => {
    const { statusCode, headers, body } = await foyer.app.inject(url)
    expect(statusCode).toBe(404)
    expect(JSON.parse(body)).toEqual({ message: 'Not found.' })
    expect(headers['content-security-policy']).toContain("default-src 'self'")
  },
)
