// Wizards: their steps are in the address and in the history, and a reload keeps what was filled in.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { enter, operatorToken } from '#test/journeys/people.ts'

const wizard = '/customer/properties/create'
const field = (page: Page, name: RegExp) => page.getByRole('textbox', { name })

async function firstStep(page: Page) {
  const hand = mouse(page)
  await page.goto('/customer/properties')
  await page.getByRole('link', { name: 'New property' }).first().click()
  await hand.type('Name', 'Lantern Quay')
  await hand.choose('Type', 'Hotel')
  await hand.press(messages.portal.continue)
  await expect(page).toHaveURL(`${wizard}?step=2`)
  await hand.type('Street', '1 Quay Street')
  await hand.type('City', 'Porto')
  return hand
}

test('Back and Forward go through the steps, and a reload keeps what was filled in', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  const hand = await firstStep(page)
  await page.goBack()
  await expect(page).toHaveURL(wizard)
  await expect(field(page, /^Name/)).toHaveValue('Lantern Quay')
  await page.goForward()
  await page.reload()
  await expect(page).toHaveURL(`${wizard}?step=2`)
  await expect(field(page, /^City/)).toHaveValue('Porto')
  await hand.press('Back')
  await expect(field(page, /^Name/)).toHaveValue('Lantern Quay')
  await expect(page).toHaveURL(wizard)

  await page.goBack()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/customer/properties')
  // After leaving, the wizard begins empty.
  await page.getByRole('link', { name: 'New property' }).first().click()
  await expect(field(page, /^Name/)).toHaveValue('')
})

test('a step that has not been reached is not opened by its address', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto(`${wizard}?step=4`)
  await expect(page).toHaveURL(wizard)
  await expect(field(page, /^Name/)).toBeVisible()
})

test('after a save Back leads to the list, not into the wizard', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  const hand = await firstStep(page)
  await hand.choose('Country', 'Andorra')
  await hand.press(messages.portal.continue)
  await hand.choose('Connectivity', 'Fibre')
  for (let step = 3; step < 5; step++) await hand.press(messages.portal.continue)
  await hand.press(messages.portal.create)
  await expect(page.getByText('The property has been created')).toBeVisible()
  await expect(page).toHaveURL(/create\/success\?id=\d+$/)
  await page.goBack()
  await expect(page).toHaveURL('/customer/properties')
})

test('a draft is saved from any step, and then opened', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  const hand = await firstStep(page)
  await hand.press('Save as draft')
  await expect(page.getByText('The property has been saved as a draft')).toBeVisible()
  await expect(page).toHaveURL(/properties\/update\?id=\d+$/)
  await page.goBack()
  await expect(page).toHaveURL('/customer/properties')
})

test('a second Ctrl+S while a draft is being saved changes nothing: it is one draft, and opened', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await firstStep(page)
  const create = '**/api/v1/properties-create'
  const { promise: pressed, resolve: answer } = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route(create, async (route) => {
    asked.push(route.request().url())
    await pressed
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(() => asked).toHaveLength(1)
  await page.keyboard.press('ControlOrMeta+s')
  answer()
  await expect(page.getByText('The property has been saved as a draft')).toBeVisible()
  await expect(page).toHaveURL(/properties\/update\?id=\d+$/)
  expect(asked).toHaveLength(1)
})
