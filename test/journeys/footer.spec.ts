// Footer branding: a picture and its link are previewed, saved, replaced and deleted.
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { enter, join, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { photoOf, pngOf } from '#test/pictures.ts'

const address = '/customer/user-profile?context=footer_branding'

test('a footer is previewed, made, changed and deleted', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  await enter(page, await operatorToken(foyer))
  const seen = watch(page)
  const hand = mouse(page)
  const shown = page.locator('.portal-footer img')
  const isDrawn = () => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)
  const choose = async (name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
  await page.goto(address)
  await expect(page.getByText('Choose a picture to see it here.')).toBeVisible()
  await hand.press('Create')
  await expect(page.getByText('This field is required')).toBeVisible()
  await choose('list.csv', 'text/csv', Buffer.from('name'))
  await expect(page.getByText('Please choose a file of type .jpg, .jpeg, .png.')).toBeVisible()

  await choose('Summer.png', 'image/png', await pngOf({ width: 600, height: 150 }))
  await hand.type('Address', 'javascript:alert(1)')
  await hand.press('Create')
  await expect(page.getByText('Please enter an address that begins with')).toBeVisible()
  await hand.type('Address', 'https://www.example.com/summer')
  await expect.poll(isDrawn).toBe(600)
  await expectAccessible(page)
  await hand.press('Create')
  await expect(page.getByText('The footer has been created')).toBeVisible()
  // Pictures are loaded from the guests' origin, which the app's content security policy allows.
  await expect(shown).toHaveAttribute('src', /^http:\/\/localhost:\d+\/pictures\/[0-9a-f]{32}$/)
  await expect.poll(isDrawn).toBe(600)
  const first = await shown.getAttribute('src')

  await page.reload()
  await expect(page.getByLabel('Address')).toHaveValue('https://www.example.com/summer')
  await choose('photo.jpg', 'image/jpeg', await photoOf({ width: 200, height: 800 }))
  await expect.poll(isDrawn).not.toBe(600)
  await hand.press('Update')
  await expect(page.getByText('The footer has been updated')).toBeVisible()
  await expect.poll(() => shown.getAttribute('src')).toMatch(/^http/)
  await expect.poll(() => shown.getAttribute('src')).not.toBe(first)
  await expect.poll(isDrawn).toBe(800)

  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectFitting(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('button', { name: 'More about this footer' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('“Portal footer” is disabled')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('“Portal footer” is active')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Activate' })).toHaveCount(0)

  await page.getByRole('button', { name: 'More about this footer' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Choose a picture to see it here.')).toBeVisible()
  seen.expectNothing()
})

test('a viewer sees the footer, and cannot change it', async ({ page, foyer }) => {
  await operatorToken(foyer)
  const own = `${Date.now()}-${Math.floor(Math.random() * 1e6)}`
  const viewer = { email: `footer-${own}@harbour.example`, name: 'Vera Viewer', user_type_id: 1 }
  await enter(page, await join(foyer, viewer))
  const seen = watch(page)
  await page.goto(address)
  await expect(page.getByText('No portal footer yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create' })).toHaveCount(0)
  await expectAccessible(page)
  seen.expectNothing()
})
