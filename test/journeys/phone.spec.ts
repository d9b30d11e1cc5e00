// Phones: recognised by their user agent, redirected to /mobile, and on request sent to the desktop site permanently.

import { devices } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

const { userAgent, viewport, isMobile, hasTouch } = devices['iPhone 15']
test.use({ userAgent, viewport, isMobile, hasTouch })

test('a phone opens the mobile page, until the user requests the desktop site', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  for (const address of ['/', '/customer/groups']) {
    await page.goto(address)
    await expect(page).toHaveURL('/mobile')
  }
  const { data: group } = await ask(foyer, '/groups-create', { name: 'Harbour Hotels' }, await operatorToken(foyer))
  for (const deep of [
    `/customer/groups/update?id=${String(group['id'])}`,
    '/customer/properties/create',
    '/customer/dashboard?modal=test-voucher',
  ]) {
    await page.goto(deep)
    await expect(page).toHaveURL(deep)
    await page.reload()
    await expect(page).toHaveURL(deep)
  }
  await page.goto('/')
  await expect(page).toHaveURL('/mobile')
  await expectAccessible(page)
  await expect(page.getByRole('navigation').getByRole('link').first()).toHaveText('Dashboard')
  await page.getByRole('link', { name: 'Properties' }).tap()
  await expect(page).toHaveURL('/customer/properties')
  await page.goto('/mobile')
  await page.getByRole('button', { name: 'Desktop site' }).tap()
  await expect(page).toHaveURL('/customer/dashboard')
  await page.goto('/')
  await expect(page).toHaveURL('/customer/dashboard')
  await page.goto('/mobile')
  await page.getByRole('button', { name: messages.userMenu.logOut }).tap()
  await expect(page).toHaveURL('/customer/login')
})
