// First drawing: a list first appears with the columns that fit, and does not move afterwards.

import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, operatorToken } from '#test/journeys/people.ts'

for (const width of [1440, 1048, 839])
  test(`the first list has its columns at once, at ${width} px`, async ({ page, foyer }) => {
    const token = await operatorToken(foyer)
    await ask(foyer, '/packages-create', { name: 'Evening' }, token)
    await page.setViewportSize({ width, height: 900 })
    await page.addInitScript((token) => {
      sessionStorage.setItem('foyer-session', token)
      const seen: number[] = []
      Object.assign(window, { columnsSeen: seen })
      const look = () => {
        const columns = document.querySelectorAll('main col').length
        if (columns > 0 && columns !== seen.at(-1)) seen.push(columns)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, token)
    await page.goto('/customer/packages')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => Reflect.get(window, 'columnsSeen') as number[])
    expect(seen).toEqual([await page.locator('main col').count()])
  })
