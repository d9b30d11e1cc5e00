// Holidays: suggested public holidays are added, a list is pasted, and a holiday is edited by hand.
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectAtFoot, expectFitting, watch } from '#test/journeys/watch.ts'

/** Its id in the look-up of countries, which is the same in every installation. */
const united_kingdom = 234

test('the holidays of a property are suggested, added and changed', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Holiday House', draft: true }, token)
  const id = String(property['id'])
  await enter(page, token)
  // 422: without a country there are no suggestions.
  const seen = watch(page, [422])
  const hand = mouse(page)
  const rows = page.getByRole('row')
  await page.goto(`/customer/properties/update?id=${id}&tab=holidays`)
  await expect(page.getByText('No holidays')).toBeVisible()
  await page.getByRole('link', { name: 'Suggest holidays' }).first().click()
  await expect(page.getByText(/the property’s country in its details/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open its details' })).toBeVisible()
  await page.keyboard.press('Escape')

  await ask(foyer, '/properties-update', { id: property['id'], country_id: united_kingdom }, token)
  await page.getByRole('link', { name: 'Suggest holidays' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox').first()).toBeChecked()
  await expectAccessible(page)
  await expectAtFoot(page, dialog.getByRole('button', { name: /^Add \d+ holidays$/ }))
  // The label of a checkbox toggles it, too.
  const first = dialog.getByRole('listitem').first()
  await first.locator('label').click()
  await expect(first.getByRole('checkbox')).not.toBeChecked()
  await dialog.getByRole('button', { name: /^Add \d+ holidays$/ }).click()
  await expect(page.getByText(/holidays have been added/)).toBeVisible()
  await expect(rows.nth(1)).toBeVisible()
  await page.getByRole('link', { name: 'Suggest holidays' }).first().click()
  await expect(dialog.getByText('Already added').first()).toBeVisible()

  await dialog.getByRole('radio', { name: 'My calendar' }).check({ force: true })
  await dialog.getByLabel('Or paste a list').fill('Long break 2040-12-19 – 2041-01-03\nSome day')
  await expect(dialog.getByText('2. No date was found.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitting(page)
  await expectAtFoot(page, dialog.getByRole('button', { name: 'Add one holiday' }))
  await dialog.getByRole('button', { name: 'Add one holiday' }).click()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(rows.filter({ hasText: 'Long break' })).toContainText('16')

  await page.getByRole('button', { name: 'Actions for Long break' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await hand.type('Name', 'Longer break')
  await hand.press('Update')
  await expect(rows.filter({ hasText: 'Longer break' })).toBeVisible()
  await page.reload()
  await expect(rows.filter({ hasText: 'Longer break' })).toBeVisible()

  // A holiday that is no longer in the public list is pointed out, until a user keeps it.
  const year = new Date().getUTCFullYear() + 1
  const once = { name: 'Founders Day', starts_on: `${year}-03-03`, ends_on: `${year}-03-03` }
  const taken = { property_id: property['id'], holidays: [once], listed: { region: null } }
  await ask(foyer, '/property-holidays-take', taken, token)
  await page.reload()
  const changes = page.getByRole('list', { name: 'Holidays that are no longer in the public list' })
  await expect(changes.getByText(/Founders Day.+no longer in the list/)).toBeVisible()
  await expectAccessible(page)
  await changes.getByRole('button', { name: 'Keep Founders Day' }).click()
  await expect(changes).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Founders Day' })).toBeVisible()
  seen.expectNothing()
})
