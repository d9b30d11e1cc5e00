// Watch: what must not happen on any screen: an error in the console or on the page, a failed request, a serious finding
// of axe in light or dark.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Notes everything that goes wrong from now on; `expectNothing` fails with all of it. */
export function watch(page: Page) {
  const wrongs: string[] = []
  page.on('console', (message) => message.type() === 'error' && wrongs.push(`console: ${message.text()}`))
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

/** Axe in light; and in dark, where nothing but the colours differs. */
export async function expectAccessible(page: Page) {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await new AxeBuilder({ page }).analyze()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()
  const serious = [...light.violations, ...dark.violations].filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  )
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(told, page.url()).toEqual([])
}
