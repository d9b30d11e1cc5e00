// Every screen, as axe sees it: at a desk in light and in dark, and on a phone, without a finding of any impact; it fits the window there,
// at 200 % and from right to left. The table of addresses lists all screens: a new one is checked automatically, and fails here without an
// example.
//
// `npm run proofs` checks each state and tab at both sizes in each context; otherwise each screen is checked once, at one size and in
// one of its contexts, and one screen in three without answers; the seed selects them.

import type { Page } from '@playwright/test'
import { refusals } from '#contract/errors.ts'
import { keysOf } from '#contract/keys.ts'
import { messages } from '#contract/messages.ts'
import type { Context } from '#contract/shapes.ts'
import { hasScreen, screensOf, type ScreenName } from '#web/paths.ts'
import { examples, signedOut } from '#test/journeys/addresses.ts'
import { atRest, furnish, isAbsent } from '#test/journeys/furnished.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { enter, join, operatorToken } from '#test/journeys/people.ts'
import { findings } from '#test/journeys/watch.ts'
import { full, oneIn, seed } from '#test/proofs/proof.ts'

test.describe.configure({ mode: 'parallel' })

const sizes = [
  { width: 1440, height: 900, schemes: ['light', 'dark'] },
  { width: 390, height: 844, schemes: ['light', 'dark'] },
] as const
type Size = (typeof sizes)[number]

/** A finding on one screen does not hide those on others. */
const softly = expect.configure({ soft: true })

/** Checks that the screen fits the window, also at 200 % and from right to left, and that axe finds nothing. */
async function look(page: Page, what: string, { width, height, schemes }: Size) {
  const at = `${what}, ${width} px`
  const fits = (how: string) =>
    softly
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), {
        message: `${at} scrolls sideways${how}`,
      })
      .toBeLessThanOrEqual(0)
  await fits('')
  softly(await findings(page, undefined, undefined, schemes), at).toEqual([])
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  await fits(' from right to left')
  await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  if (width !== sizes[0].width) return
  await page.setViewportSize({ width: width / 2, height: height / 2 })
  await fits(' at 200 %')
  await page.setViewportSize({ width, height })
}

const contexts = ['customer', 'group', 'property'] as const
const names = keysOf(examples)
/** In the full proof all screens of the context, otherwise each screen in one of its contexts. */
function screensIn(context: Context): readonly ScreenName[] {
  if (full) return screensOf(context)
  return screensOf(context).filter((name) => {
    const having = contexts.filter((other) => hasScreen(other, name))
    return having[(names.indexOf(name) + seed) % having.length] === context
  })
}

for (const context of contexts)
  test(`every screen of the ${context} context`, async ({ page, foyer }) => {
    test.setTimeout(900_000)
    const { ids, token } = await (await furnish(foyer)).within(context)
    await enter(page, token)
    expect(names, 'a screen without an example').toEqual(expect.arrayContaining([...screensOf(context)]))
    for (const [index, name] of screensIn(context).entries()) {
      for (const query of full ? examples[name](ids) : examples[name](ids).slice(-1)) {
        const address = `/${context}/${name}${query}`
        await page.goto(address)
        await atRest(page)
        if (!isAbsent(address)) await softly(page.getByText(messages.errorPages.routeNotFound), address).toHaveCount(0)
        const tabs = page.getByRole('tab')
        const count = full ? Math.max(1, await tabs.count()) : 1
        for (let tab = 0; tab < count; tab++) {
          if (tab > 0) await tabs.nth(tab).click()
          await atRest(page)
          for (const size of full ? sizes : sizes.slice(index % 2, (index % 2) + 1)) {
            await page.setViewportSize(size)
            await atRest(page)
            await look(page, `${address} ${tab > 0 ? await tabs.nth(tab).textContent() : ''}`, size)
          }
        }
      }
    }
  })

for (const size of sizes) {
  test(`the screens outside of every context, at ${size.width} px`, async ({ page, foyer }) => {
    test.slow()
    await page.setViewportSize(size)
    for (const address of signedOut) {
      await page.goto(address)
      await atRest(page)
      await look(page, address, size)
    }
    await enter(page, await operatorToken(foyer))
    for (const address of ['/mobile', '/customer/nowhere', '/customer/groups/update?id=999999']) {
      await page.goto(address)
      await atRest(page)
      await look(page, address, size)
    }
  })
}

/** Whether a screen can be used without an answer: forms that begin empty. */
const beginEmpty = (address: string) => /\/create\b|update(\?(property|room)_id=\d+)?$/.test(address)

test('a screen whose calls fail says so, and offers to try again', async ({ page, foyer }) => {
  test.slow()
  const { ids, token } = await (await furnish(foyer)).within('customer')
  await enter(page, token)
  await page.route('**/api/v1/**', (route) =>
    route.request().url().endsWith('/auth/me')
      ? route.continue()
      : route.fulfill({ status: refusals.broken.status, json: { message: refusals.broken.message } }),
  )
  for (const name of oneIn(3, screensOf('customer')))
    for (const query of examples[name](ids).slice(-1)) {
      const address = `/customer/${name}${query}`
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (!beginEmpty(address))
        await softly(page.getByRole('button', { name: 'Try again' }).first(), address).toBeVisible()
      await softly(page.getByRole('heading', { level: 1 }), address).not.toHaveText('')
    }
  const record = `/customer/groups/update?id=${String(ids.group)}`
  await page.goto(record)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect(again).toBeVisible()
  await page.unroute('**/api/v1/**')
  await again.click()
  await expect(page.getByRole('heading', { level: 1, name: /^Group / })).toBeVisible()
})

test('a viewer is shown no form that would be refused', async ({ page, foyer }) => {
  test.slow()
  const { ids } = await (await furnish(foyer)).within('customer')
  await enter(
    page,
    await join(foyer, { name: 'Vera', email: `vera-${String(ids.group)}@harbour.example`, user_type_id: 1 }),
  )
  for (const name of screensOf('customer').filter((screen) => /\/(create|update)$/.test(screen)))
    for (const query of examples[name](ids)) {
      const address = `/customer/${name}${query}`
      await page.goto(address)
      await atRest(page)
      const buttons = page.getByRole('main').getByRole('button', { name: /^(Create|Save|Continue|Invite|Delete)/ })
      await softly(buttons, address).toHaveCount(0)
      await softly(page.getByText(messages.errorPages.error), address).toHaveCount(0)
    }
})
