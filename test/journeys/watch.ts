// Watch: what must not happen on any screen: an error in the console or on the page, a failed request, a serious finding
// of axe in light or dark.

import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** Notes everything that goes wrong from now on, but the `refusals` that belong to the journey; `expectNothing` fails with all of it. */
export function watch(page: Page, refusals: readonly number[] = []) {
  const wrongs: string[] = []
  page.on('console', (message) => {
    // A test that looks into a frame without scripts brings its own.
    const isOurs = !message.text().startsWith("Blocked script execution in 'about:srcdoc'")
    const isRefusal = refusals.some((status) => message.text().includes(`status of ${status}`))
    if (message.type() === 'error' && isOurs && !isRefusal) wrongs.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrongs.push(`page: ${error.message}`))
  page.on('requestfailed', (request) => {
    // What one leaves behind is called off; that is no failure.
    const why = request.failure()?.errorText ?? ''
    if (!/ERR_ABORTED/.test(why)) wrongs.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !refusals.includes(response.status()))
      wrongs.push(`answer: ${response.status()} ${response.url()}`)
  })
  return { expectNothing: () => expect(wrongs).toEqual([]) }
}

/** Nothing has to be scrolled to sideways, once the page is laid out for the width that it has. */
export const expectFitting = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: page.url() })
    .toBeLessThanOrEqual(0)

const serious = ['serious', 'critical']
const all = ['minor', 'moderate', ...serious]

const schemes = ['light', 'dark'] as const

declare global {
  interface Window {
    /** Where `axeSource` has run. */
    axe: Pick<typeof axe, 'run'>
  }
}

const axeSource = fs.readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe finds wrong, by its rules or by these of them. Its code is read once per page: that takes as long as its work. */
async function violations(page: Page, part: string | undefined, rules?: string[]): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const options: axe.RunOptions = {
    // What is right is counted, but not described: that would take longer than all the rest.
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
    // Without its code in there, axe could only wait for frames.
    iframes: false,
  }
  return page.evaluate(async ([within, how]) => (await window.axe.run(within ?? document, how)).violations, [
    part,
    options,
  ] as const)
}

/** What axe finds in light; and in dark, where nothing but the colours differs. In one part of the page, or in all of it. */
export async function findings(
  page: Page,
  part?: string,
  impacts = all,
  inSchemes: readonly (typeof schemes)[number][] = schemes,
): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of inSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(
      (scheme) => [undefined, scheme as string].includes(document.documentElement.dataset['mantineColorScheme']),
      colorScheme,
    )
    const wrong = await violations(page, part, colorScheme === 'dark' ? ['color-contrast'] : undefined)
    const matching = wrong.filter(({ impact }) => impact && impacts.includes(impact))
    found.push(...matching.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`))
  }
  return found
}

export const expectAccessible = async (page: Page) =>
  expect(await findings(page, undefined, serious), page.url()).toEqual([])

/** Delays the code that matches, as on a slow line, until it is released. */
export async function holdCode(page: Page, code: RegExp): Promise<() => void> {
  let release = () => {}
  const gone = new Promise<void>((resolve) => (release = resolve))
  await page.route(code, async (route) => {
    await gone
    await route.continue()
  })
  return release
}

/** Longer than any screen takes to redraw. */
export const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
