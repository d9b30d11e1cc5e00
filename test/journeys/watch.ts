// Watch: what must not happen on any screen: an error in the console or on the page, a failed request, a serious finding
// of axe in light or dark.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Notes everything that goes wrong from now on; `expectNothing` fails with all of it. */
export function watch(page: Page) {
  const wrongs: string[] = []
  page.on('console', (message) => {
    // A test that looks into a frame without scripts brings its own.
    const isOurs = !message.text().startsWith("Blocked script execution in 'about:srcdoc'")
    if (message.type() === 'error' && isOurs) wrongs.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrongs.push(`page: ${error.message}`))
  page.on('requestfailed', (request) => {
    // What one leaves behind is called off; that is no failure.
    const why = request.failure()?.errorText ?? ''
    if (!/ERR_ABORTED/.test(why)) wrongs.push(`request: ${request.url()} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) wrongs.push(`answer: ${response.status()} ${response.url()}`)
  })
  return { expectNothing: () => expect(wrongs).toEqual([]) }
}

const serious = ['serious', 'critical']
const all = ['minor', 'moderate', ...serious]

const schemes = ['light', 'dark'] as const

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
    // There are no frames to look into, which else costs a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    if (part) axe.include(part)
    if (colorScheme === 'dark') axe.withRules(['color-contrast'])
    const { violations } = await axe.analyze()
    const told = violations.filter(({ impact }) => impact && impacts.includes(impact))
    found.push(...told.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`))
  }
  return found
}

export const expectAccessible = async (page: Page) =>
  expect(await findings(page, undefined, serious), page.url()).toEqual([])

/** Holds the code that matches back, as on a slow line, until it is let go. */
export async function holdCode(page: Page, code: RegExp): Promise<() => void> {
  let letGo = () => {}
  const gone = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(code, async (route) => {
    await gone
    await route.continue()
  })
  return letGo
}

/** Longer than any screen takes to draw itself anew. */
export const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
