// Guest app: guests' pages are separate: nothing of the API or the admin app, no script, no cookie, forms only.
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { guestApp } from '#server/apps/portal.ts'
import { directionOf, languageCodes, textsOf } from '#portal/languages.ts'
import { tooMuch } from '#server/errors/refused.ts'
import { noLog, openLog } from '#server/watch/log.ts'
import { openFoyer, type TestFoyer } from '#test/foyer.ts'
import { expectRefused, nothingHere, tooMuchOf } from '#test/refused.ts'

const portal_url = 'https://guests.example.net'
let foyer: TestFoyer
beforeAll(async () => void (foyer = await openFoyer({ env: { ROLES: 'api guest', PORTAL_URL: portal_url } })))
afterAll(() => foyer.close())

const ask = async (url: string, method: 'GET' | 'POST' = 'GET', headers: Record<string, string> = {}) => {
  const answer = await foyer.guest?.inject({ url, method, headers })
  if (!answer) throw new Error('there is no guest app')
  return answer
}

const open = async (log = noLog) => {
  const app = Fastify({ loggerInstance: log })
  await guestApp(app, foyer.services)
  app.post('/form', async ({ body }) => body)
  app.all('/busy', async () => {
    throw tooMuch(7)
  })
  app.get('/broken', async () => {
    throw new Error('the password is hunter2')
  })
  return app
}

test('/ says how to get online', async () => {
  const { statusCode, headers, body } = await ask('/')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain('<h1>Join the guest Wi-Fi first</h1>')
})

test.each(languageCodes)('%s: a page outside of any portal is in the language of the guest', async (language) => {
  const { away_title, refused_title, outside } = textsOf[language]
  const shown = async (url: string, method: 'GET' | 'POST', accepted: string) => {
    const { body } = await ask(url, method, { 'accept-language': accepted })
    expect(body, url).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
    return body
  }
  for (const [url, accepted] of [
    ['/', `${language}-XX, en;q=0.5`],
    [`/?lang=${language}`, 'en'],
  ] as const) {
    const body = await shown(url, 'GET', accepted)
    expect(body).toContain(`<h1>${away_title}</h1>`)
    for (const { title, text } of outside.steps)
      expect(body).toContain(`<strong>${title}</strong> <span>${text}</span>`)
    for (const text of [outside.join, outside.join_help]) expect(body).toContain(text)
  }
  for (const url of ['/p/8f2c1a', '/%ff']) {
    const body = await shown(url, 'GET', language)
    for (const text of [`<h1>${outside.nothing_title}</h1>`, outside.nothing, outside.how]) expect(body).toContain(text)
  }
  const app = await open()
  const headers = { 'accept-language': language }
  const broken = (await app.inject({ url: '/broken', headers })).body
  for (const text of [`<h1>${outside.broken_title}</h1>`, outside.broken, outside.reference])
    expect(broken).toContain(text)
  const payload = '{}'
  const sent = await app.inject({
    method: 'POST',
    url: '/form',
    headers: { ...headers, 'content-type': 'text/plain' },
    payload,
  })
  for (const text of [`<h1>${refused_title}</h1>`, outside.unreadable]) expect(sent.body).toContain(text)
})

test('a page needs no script, no cookie and nothing from another host', async () => {
  const { headers, body } = await ask('/')
  expect(body).not.toMatch(/<script|\son\w+=|https?:|src=/)
  expect(headers['set-cookie']).toBeUndefined()
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none';style-src 'sha256-[^']+';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'$/,
  )
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.stringContaining('max-age') as string,
  })
})

test.each([
  '/api/v1/openapi.json',
  '/api/docs',
  '/customer/login',
  '/healthz',
  '/files/accounts.csv',
  '/p',
  '/p/8f2c1a',
  '/%ff',
])('%s is a not-found page', async (url) => {
  const page = await ask(url)
  expectRefused(page, nothingHere)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
})

test('no call of the API is answered', async () => {
  expectRefused(await ask('/api/v1/auth/login', 'POST'), nothingHere)
})

test("the admin app may show pictures of the guests' origin, and load nothing else from it", async () => {
  const { headers } = await foyer.app.inject('/')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain(`img-src 'self' data: blob: ${portal_url};`)
  expect(policy.split(portal_url)).toHaveLength(2)
})

describe('what a page accepts', () => {
  test('is a form, and neither JSON nor an upload', async () => {
    const app = await open()
    const post = (type: string, payload: string) =>
      app.inject({ method: 'POST', url: '/form', headers: { 'content-type': type }, payload })
    expect((await post('application/x-www-form-urlencoded', 'code=AB+CD&name=%C3%A9')).json()).toEqual({
      code: 'AB CD',
      name: 'é',
    })
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      expectRefused(await post(type, '{}'), { status: 415, message: 'That did not work' }, type)
    }
  })

  test('is more than can be answered: a page says so in the guest’s language and asks again by itself, a form does not', async () => {
    const app = await open()
    const headers = { 'accept-language': 'de' }
    const page = await app.inject({ url: '/busy?a=1', headers })
    expectRefused(page, tooMuchOf(textsOf.de.upgrading_title))
    expect(page.headers['retry-after']).toBe('7')
    expect(page.body).toContain('<html lang="de" dir="ltr">')
    expect(page.body).toContain('<meta http-equiv="refresh" content="7">')
    expect(page.body).toContain(textsOf.de.busy)
    expect(page.body).toContain(`<a href="">${textsOf.de.refresh}</a>`)
    const sent = await app.inject({ method: 'POST', url: '/busy', headers })
    expectRefused(sent, tooMuchOf(textsOf.de.refused_title))
    expect(sent.body).toContain(textsOf.de.refused.failed)
    expect(sent.body).not.toContain('http-equiv')
  })

  test('when it fails, a page says so and shows nothing internal', async () => {
    const logged: string[] = []
    const log = openLog({ format: 'json', level: 'error' }, { write: (line: string) => void logged.push(line) })
    const page = await (await open(log)).inject('/broken')
    const { body } = page
    expect(logged).toEqual([expect.stringContaining('"msg":"broken"')])
    expectRefused(page, { ...refusals.broken, message: 'Something went wrong' })
    expect(body).not.toContain('hunter2')
    expect(body).toContain('Reference: ')
  })
})
