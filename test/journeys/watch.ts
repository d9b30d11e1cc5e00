// Watch: what must not happen on any screen: an error in the console or on the page, a failed request, a serious finding of axe in
// light or dark.

import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'

/** Records all errors from now on, except the `refusals` that the journey expects; `expectNothing` fails with all of them. */
export function watch(page: Page, refusals: readonly number[] = []) {
  const wrongs: string[] = []
  page.on('console', (message) => {
    // A test that inspects a frame without scripts causes this error.
    const isOurs = !message.text().startsWith("Blocked script execution in 'about:srcdoc'")
    const isRefusal = refusals.some((status) => message.text().includes(`status of ${status}`))
    if (message.type() === 'error' && isOurs && !isRefusal) wrongs.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrongs.push(`page: ${error.message}`))
  page.on('requestfailed', (request) => {
    // Requests are aborted when their screen is left; that is not an error.
    const why = request.failure()?.errorText ?? ''
    if (!/ERR_ABORTED/.test(why)) wrongs.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400 && !refusals.includes(response.status()))
      wrongs.push(`answer: ${response.status()} ${response.url()}`)
  })
  return { expectNothing: () => expect(wrongs).toEqual([]) }
}

/** Waits until the page fits its width, so that nothing has to be scrolled sideways. */
export const expectFitting = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { message: page.url() })
    .toBeLessThanOrEqual(0)

const serious = ['serious', 'critical']
const all = ['minor', 'moderate', ...serious]

const schemes = ['light', 'dark'] as const

declare global {
  interface Window {
    /** Defined by `axeSource`. */
    axe: Pick<typeof axe, 'run'>
  }
}

const axeSource = fs.readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The violations that axe finds, by all its rules or by `rules`. Its code is loaded once per page, which takes as long as a check. */
async function violations(page: Page, part: string | undefined, rules?: string[]): Promise<axe.Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const options: axe.RunOptions = {
    // Only violations are described; descriptions of passed rules would take longer than all the rest.
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
    // Frames do not have the code of axe, so it would wait for them in vain.
    iframes: false,
  }
  return page.evaluate(async ([within, how]) => (await window.axe.run(within ?? document, how)).violations, [
    part,
    options,
  ] as const)
}

/** The findings of axe in light, and in dark, where only contrast is checked; in one part of the page, or in all of it. */
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

/** On a phone the buttons of a dialog that fills the window are at its lower edge, however little is in it. */
export async function expectAtFoot(page: Page, button: Locator): Promise<void> {
  const before = page.viewportSize()
  const size = { width: 390, height: 844 }
  await page.setViewportSize(size)
  await expect
    .poll(async () => {
      const box = await button.boundingBox()
      return box ? size.height - (box.y + box.height) : size.height
    })
    .toBeLessThan(40)
  if (before) await page.setViewportSize(before)
}
