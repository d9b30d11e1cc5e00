// Weight: how much JavaScript a list brings to a browser that has nothing yet, and that it asks for nothing twice.

import { gzipSync } from 'node:zlib'
import { expect, test } from '#test/journeys/fixtures.ts'
import { operatorToken } from '#test/journeys/people.ts'

const scripts_kib_max = 180
const scripts_max = 20

const limit = `at most ${scripts_kib_max} KiB of gzipped JavaScript in ${scripts_max} files`
const lists = ['groups', 'properties', 'packages', 'vouchers', 'accounts', 'portals', 'devices', 'users', 'collections']
for (const list of lists)
  test(`${list} as the first page ships ${limit}`, async ({ page, foyer }) => {
    // Nothing has been opened before: a visit to the login would fill the browser's cache.
    await page.addInitScript((token) => sessionStorage.setItem('foyer-session', token), await operatorToken(foyer))
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
    // What is fetched ahead while the browser rests counts, too.
    await page.waitForLoadState('networkidle')
    const bodies = await Promise.all(scripts.values())
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    console.log(`${scripts.size} scripts, ${(bytes / 1024).toFixed(1)} KiB gzipped`)
    expect(bytes / 1024).toBeLessThanOrEqual(scripts_kib_max)
    expect(scripts.size).toBeLessThanOrEqual(scripts_max)
    // Said elsewhere than first, it is not heeded; see vite.config.ts.
    const compiledAhead = bodies.filter((body) => body.toString().startsWith('//# allFunctionsCalledOnLoad'))
    expect(compiledAhead.length).toBeGreaterThanOrEqual(5)
    expect(bodies.filter((body) => body.includes('allFunctionsCalledOnLoad'))).toEqual(compiledAhead)
    // What was asked for ahead is what the screen wanted.
    expect(asked.length).toBeGreaterThan(2)
    expect(asked).toEqual([...new Set(asked)])
  })
