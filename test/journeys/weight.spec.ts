// Weight: how much JavaScript a list loads into an empty browser, and that no request is sent twice.

import { gzipSync } from 'node:zlib'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, onceOnline, operatorToken } from '#test/journeys/people.ts'

const scripts_kib_max = 187
const scripts_max = 20

const limit = `at most ${scripts_kib_max} KiB of gzipped JavaScript in ${scripts_max} files`
const lists = ['groups', 'properties', 'packages', 'vouchers', 'accounts', 'portals', 'devices', 'users', 'collections']
for (const list of lists)
  test(`${list} as the first page ships ${limit}`, async ({ page, foyer }) => {
    // No page is opened before, because the log-in would fill the browser's cache.
    await page.addInitScript((token) => sessionStorage.setItem('foyer-session', token), await operatorToken(foyer))
    // Nothing further is prefetched while the browser is idle: whether that began in time would be left to chance.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    const scripts = new Map<string, Promise<Buffer>>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.set(response.url(), response.body())
    })
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    await page.goto(`/customer/${list}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const bodies = await Promise.all(scripts.values())
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    console.log(`${scripts.size} scripts, ${(bytes / 1024).toFixed(1)} KiB gzipped`)
    expect(bytes / 1024).toBeLessThanOrEqual(scripts_kib_max)
    expect(scripts.size).toBeLessThanOrEqual(scripts_max)
    // The comment has an effect only at the beginning of a file; see vite.config.ts.
    const compiledAhead = bodies.filter((body) => body.toString().startsWith('//# allFunctionsCalledOnLoad'))
    expect(compiledAhead.length).toBeGreaterThanOrEqual(5)
    expect(bodies.filter((body) => body.includes('allFunctionsCalledOnLoad'))).toEqual(compiledAhead)
    // The early requests are those that the screen needs, so that none is repeated.
    expect(asked.length).toBeGreaterThan(2)
    expect(asked).toEqual([...new Set(asked)])
  })

/** The reference data of section 7, one at a time, in the customer's context. */
const reference = [
  '/property-types', '/user-types', '/property-interface-types', '/mac-categories', '/users-list', '/rooms-list', '/packages-list',
  '/groups-list', '/properties-list', '/collections-list', '/portals-list', '/auth-methods', '/connectivity-types',
] // prettier-ignore

test('the first screen of an operator takes at most 25 calls, with the reference data in its order', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/properties-create', { name: 'First screen', draft: true }, token)
  await onceOnline(foyer, Number(data['id']))
  await page.addInitScript((kept) => sessionStorage.setItem('foyer-session', kept), token)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1')) asked.push(pathname.slice('/api/v1'.length))
  })
  await page.goto('/customer/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect.poll(() => asked).toContain(reference.at(-1))
  await page.waitForLoadState('networkidle')
  console.log(`${asked.length} calls: ${asked.join(' ')}`)
  expect(asked.length).toBeLessThanOrEqual(25)
  expect(asked.filter((path) => reference.includes(path))).toEqual(reference)
})
