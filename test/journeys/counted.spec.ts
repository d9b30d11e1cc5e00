// Counted: the clicks and keys of everyday tasks, from the dashboard. Typing one word counts as one.

import type { Locator, Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

/** Mouse and keyboard with a counter of steps. */
function counted(page: Page) {
  let steps = 0
  return {
    click: (target: Locator) => target.click().then(() => ++steps),
    press: (key: string) => page.keyboard.press(key).then(() => ++steps),
    word: (word: string) => page.keyboard.type(word).then(() => ++steps),
    steps: () => steps,
  }
}

async function openDashboard(page: Page, token: string) {
  await enter(page, token)
  await page.goto('/customer/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
}

test('only drafts: at most 2', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  for (const draft of [true, false])
    await ask(foyer, '/groups-create', { name: `Group ${String(draft)}`, draft }, token)
  await openDashboard(page, token)
  const hands = counted(page)
  await hands.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups', exact: true }))
  const status = page.getByRole('group', { name: 'Status' })
  await hands.click(status.getByRole('button', { name: messages.status.draft }))
  await expect(page.getByRole('row', { name: /Group true/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Group false/ })).toHaveCount(0)
  expect(hands.steps()).toBeLessThanOrEqual(2)
})

test('bulk disable on accounts, by keyboard: at most 6', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/properties-create', { name: 'Lantern Quay', draft: true }, token)
  for (const name of ['Ana', 'Bram', 'Cleo'])
    await ask(foyer, '/accounts-create', { name, username: name, password: 'quay', property_id: data['id'] }, token)
  await openDashboard(page, token)
  const hands = counted(page)
  await hands.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Go to a page/ })).toBeFocused()
  await hands.word('accounts')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Accounts/)
  await hands.press('Enter')
  await expect(page.getByRole('row', { name: /Cleo/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await hands.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await expect(bar.getByRole('button', { name: messages.lists.disable })).toBeFocused()
  await hands.press('Enter')
  const question = page.getByRole('dialog', { name: 'Disable 3 accounts?' })
  await expect(question.getByRole('button', { name: messages.lists.disable })).toBeFocused()
  await hands.press('Enter')
  await expect(page.getByText('3 accounts disabled')).toBeVisible()
  expect(hands.steps()).toBeLessThanOrEqual(6)
})

const lines = {
  'the palette': (_: Page, hands: ReturnType<typeof counted>) => hands.press('Control+k'),
  "the dashboard's own line": (page: Page, hands: ReturnType<typeof counted>) =>
    hands.click(page.getByRole('textbox', { name: 'Find a guest' })),
}
for (const [line, open] of Object.entries(lines))
  test(`find a guest and reset the password, from ${line}: at most 4, and no false warning`, async ({
    page,
    foyer,
  }) => {
    const token = await operatorToken(foyer)
    const name = `Odile${Date.now()}`
    const { data } = await ask(foyer, '/properties-create', { name: 'Lantern Quay', draft: true }, token)
    const guest = { name, username: name, password: 'quay-2345', property_id: data['id'] }
    await ask(foyer, '/accounts-create', guest, token)
    await openDashboard(page, token)
    const hands = counted(page)
    await open(page, hands)
    await expect(page.locator('input:focus')).toBeVisible()
    await hands.word(name)
    if (line === 'the palette')
      await expect(page.getByRole('option', { name: new RegExp(name), selected: true })).toBeVisible()
    await hands.press('Enter')
    await hands.click(page.getByRole('button', { name: 'New password' }))
    await expect(page.getByText('The guest has a new password')).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^[a-z2-9]{4}-[a-z2-9]{4}$/ })).not.toHaveText(
      'quay-2345',
    )
    expect(hands.steps()).toBeLessThanOrEqual(4)

    await page.getByRole('link', { name: 'Foyer, to the dashboard' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

test('one voucher for a walk-in, with its code shown: at most 3', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const place = { name: 'Harbour Hotel', draft: true }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const { data: pack } = await ask(foyer, '/packages-create', { name: 'Day pass' }, token)
  // The browser remembers what was sold last, as on any day but the first.
  await enter(page, token)
  await page.evaluate(
    ([property_id, package_id]) => {
      localStorage.setItem('foyer-voucher-property', String(property_id))
      localStorage.setItem('foyer-voucher-package', String(package_id))
    },
    [property['id'], pack['id']],
  )
  await openDashboard(page, token)
  const hands = counted(page)
  await hands.click(page.getByRole('link', { name: 'Give out a code' }).first())
  const dialog = page.getByRole('dialog')
  // Everything is preselected: Enter makes the voucher.
  await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
  await hands.press('Enter')
  await expect(dialog.getByText(/^[2-9A-HJKMNP-Z]{4}(-[2-9A-HJKMNP-Z]{4}){2}$/)).toBeVisible()
  expect(hands.steps()).toBeLessThanOrEqual(3)

  // For the next guest, too.
  await dialog.getByRole('button', { name: 'Another' }).click()
  await expect(dialog.getByRole('button', { name: 'Make voucher' })).toBeFocused()
})
