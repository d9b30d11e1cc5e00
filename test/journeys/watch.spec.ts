// Watch: the check of accessibility that other journeys rely on finds errors.

import { expect, test } from '#test/journeys/fixtures.ts'
import { findings } from '#test/journeys/watch.ts'

const page_with_faults = `<!doctype html><html lang="en"><title>Faults</title>
  <style>@media (prefers-color-scheme: dark) { body { background: #111 } }</style>
  <main><h1>Faults</h1><img src="data:,"><p style="color: #777">grey</p><p style="color: #ddd">pale</p></main>`

test('a picture without alternative text and too little contrast are found, in light and in dark', async ({ page }) => {
  await page.setContent(page_with_faults)
  const found = async (part?: string) => (await findings(page, part)).map((one) => one.split(': <')[0])
  expect(await found()).toEqual(['light: color-contrast', 'light: image-alt', 'dark: color-contrast'])
  expect(await found('img')).toEqual(['light: image-alt'])
})
