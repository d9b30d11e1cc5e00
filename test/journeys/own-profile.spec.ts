// Own profile: users of a property find their own profile and password, although their user menu has only a name.
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken } from '#test/journeys/people.ts'

test('users reach their own profile by the palette, their own record and the menu of a phone', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: `Quay ${Date.now()}`, draft: true }, token)
  const email = `desk-${Date.now()}@harbour.example`
  const owner = { owner_type: 'properties', owner_id: property['id'] }
  await enter(page, await join(foyer, { email, name: 'Noor Desk', user_type_id: 2, ...owner }))
  const isProfile = /\/property\/user-profile\?.*context=profile/

  await page.goto('/property/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('Profile')
  await page.getByRole('option', { name: 'Profile' }).click()
  await expect(page).toHaveURL(isProfile)

  await page.goto('/property/users')
  await page.getByRole('link', { name: 'Noor Desk' }).first().click()
  await page.getByRole('link', { name: 'Your profile' }).click()
  await expect(page).toHaveURL(isProfile)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/mobile')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL(isProfile)
})
