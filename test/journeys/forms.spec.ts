// Forms: what all forms that change a record have in common, such as that nothing counts as unsaved after a save.

import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'

/** Makes a record of each kind; returns their ids. */
async function records(foyer: Foyer): Promise<Record<string, number>> {
  const token = await operatorToken(foyer)
  const made = async (call: string, body: object) => Number((await ask(foyer, call, body, token)).data['id'])
  const property_id = await made('/properties-create', { name: 'Lantern Quay', draft: true })
  return {
    group: await made('/groups-create', { name: 'Harbour Hotels' }),
    package: await made('/packages-create', { name: 'Lobby' }),
    property: property_id,
    account: await made('/accounts-create', { name: 'Bram Nowak', property_id }),
    user: await made('/users-create', { name: 'Lena Brandt', email: 'lena.forms@harbour.example' }),
  }
}

const forms = [
  { noun: 'group', address: (ids: Record<string, number>) => `groups/update?id=${ids['group']}&tab=details` },
  { noun: 'package', address: (ids: Record<string, number>) => `packages/update?id=${ids['package']}&tab=details` },
  { noun: 'property', address: (ids: Record<string, number>) => `properties/update?id=${ids['property']}&tab=details` },
  { noun: 'account', address: (ids: Record<string, number>) => `accounts/update?id=${ids['account']}&tab=details` },
  { noun: 'user', address: (ids: Record<string, number>) => `users/update?id=${ids['user']}&tab=details` },
  { noun: 'profile', address: () => 'user-profile?context=profile' },
]
const nameField = (page: Page) => page.getByRole('textbox', { name: /^(Full name|Name)\b/ })

for (const { noun, address } of forms)
  test(`the form of a ${noun} is clean after a save, and can be left without a question`, async ({ page, foyer }) => {
    // A separate user, because other journeys look for the operator's name.
    const changer = { name: 'Nils Berg', email: `nils.${noun}@harbour.example`, user_type_id: 2 }
    await enter(page, await join(foyer, changer))
    await page.goto(`/customer/${address(await records(foyer))}`)
    const dashboard = page.getByRole('link', { name: 'Dashboard', exact: true }).first()

    await nameField(page).fill('Renamed once')
    await page.getByRole('button', { name: messages.portal.update, exact: true }).click()
    await expect(page.getByText(`The ${noun} has been updated`)).toBeVisible()
    await expect(page.getByRole('button', { name: messages.portal.update, exact: true })).toBeDisabled()

    // A change after the save is unsaved, until it is reverted.
    await nameField(page).fill('Renamed twice')
    await dashboard.click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await nameField(page).fill('Renamed once')
    await dashboard.click()
    await expect(page).toHaveURL('/customer/dashboard')
  })

const update = (page: Page) => page.getByRole('button', { name: messages.portal.update, exact: true })

test('Ctrl+S saves, Escape leaves as Cancel does, and a refusal does not outlive a success', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  const ids = await records(foyer)
  await page.goto(`/customer/groups/update?id=${ids['group']}&tab=details`)

  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await nameField(page).fill('')
  await nameField(page).press('ControlOrMeta+s')
  await expect(page.getByText(messages.fields.notValid)).toBeVisible()
  expect(sent.filter((url) => url.includes('/groups-update'))).toEqual([])
  await expect(nameField(page)).toBeFocused()
  await nameField(page).fill('Quayside Hotels')
  await nameField(page).press('ControlOrMeta+s')
  await expect(page.getByText('The group has been updated')).toBeVisible()
  await expect(page.getByText(messages.fields.notValid)).toHaveCount(0)

  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await nameField(page).fill('Never saved')
  await nameField(page).press('Escape')
  await question.getByRole('button', { name: 'Stay' }).click()
  await nameField(page).fill('Quayside Hotels')
  await nameField(page).press('Escape')
  await expect(page).toHaveURL('/customer/groups')
})

test('what is typed in a dialog is not left without a question, and Ctrl+S saves it', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Harbour House', draft: true }, token)
  const known = { property_id: property['id'], name: 'Harbour Day', starts_on: '2040-06-06', ends_on: '2040-06-06' }
  await ask(foyer, '/property-holidays-create', known, token)
  await enter(page, token)
  const screen = `/customer/properties/update?id=${String(property['id'])}&tab=holidays`
  await page.goto(screen)
  const open = page.getByRole('link', { name: 'New holiday' }).first()
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'New holiday' })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await nameField(page).fill('Founders Day')
  const leave = {
    Escape: () => page.keyboard.press('Escape'),
    'a press beside it': () => page.mouse.click(3, 3),
    'the close icon': () => dialog.getByRole('button', { name: 'Close' }).click(),
    Cancel: () => dialog.getByRole('button', { name: messages.modal.cancel, exact: true }).click(),
    Back: () => page.goBack(),
  }
  for (const [way, go] of Object.entries(leave))
    await test.step(way, async () => {
      await go()
      await question.getByRole('button', { name: 'Stay' }).click()
      await expect(question).toHaveCount(0)
      await expect(nameField(page)).toHaveValue('Founders Day')
    })

  await dialog.getByLabel(/^First day/).fill('2040-03-03')
  await dialog.getByLabel(/^Last day/).fill('2040-03-03')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('The holiday has been created')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(question).toHaveCount(0)

  await open.click()
  await nameField(page).fill('Never saved')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(screen)
})

test('a new record that is saved again before its form is left is one record', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/packages/create')
  await nameField(page).fill('Only once')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/packages-create')) asked.push(request.url())
  })
  await page.evaluate(() => {
    const watcher = new MutationObserver(() => {
      if (!document.body.textContent.includes('The package has been created')) return
      watcher.disconnect()
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true }))
    })
    watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page).toHaveURL('/customer/packages')
  await expect(page.getByRole('row', { name: /Only once/ })).toHaveCount(1)
  expect(asked).toHaveLength(1)
})

test('what was typed stands there again in another language', async ({ page, foyer }) => {
  await enter(
    page,
    await join(foyer, { email: `tongue-${Date.now()}@harbour.example`, name: 'Lea Brandt', user_type_id: 2 }),
  )
  await page.goto('/customer/packages/create')
  await nameField(page).fill('Half typed')
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const typed = () => page.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  await expect.poll(typed).toContain('Half typed')
})

test('a wizard that has saved a draft makes no second record of it before it is left', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/groups/create')
  await nameField(page).fill('Drafted once')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/groups-create')) asked.push(request.url())
  })
  await expect(page.getByRole('button', { name: 'Create now' })).toBeEnabled()
  await page.evaluate(() => {
    const watcher = new MutationObserver(() => {
      if (!document.body.textContent.includes('The group has been saved as a draft')) return
      watcher.disconnect()
      const presses = [...document.querySelectorAll('button')]
      presses.find(({ textContent }) => textContent === 'Create now')?.click()
    })
    watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page.getByRole('heading', { name: 'Drafted once' })).toBeVisible()
  expect(asked).toHaveLength(1)
})

test('a record is deleted without a question about its unsaved changes', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: group } = await ask(foyer, '/groups-create', { name: 'Short Quay' }, token)
  await enter(page, token)
  await page.goto(`/customer/groups/update?id=${String(group['id'])}&tab=details`)
  await nameField(page).fill('Never saved')
  await page.getByRole('button', { name: 'More about this group' }).click()
  await page.getByRole('menuitem', { name: messages.lists.delete, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: messages.team.remove }).click()
  await expect(page.getByText('The group has been deleted')).toBeVisible()
  await expect(page).toHaveURL('/customer/groups')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a change by another user meanwhile is shown, and either value can be kept', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const ids = await records(foyer)
  const meanwhile = (name: string) => ask(foyer, '/groups-update', { id: ids['group'], name }, token)
  await enter(page, token)
  await page.goto(`/customer/groups/update?id=${ids['group']}&tab=details`)

  await nameField(page).fill('Mine')
  await meanwhile('Theirs')
  await update(page).click()
  await expect(page.getByText(/has changed this meanwhile\. Name is now “Theirs”/)).toBeVisible()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(nameField(page)).toHaveValue('Theirs')
  await expect(update(page)).toBeDisabled()

  await nameField(page).fill('Mine')
  await meanwhile('Theirs again')
  await update(page).click()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await update(page).click()
  await expect(page.getByText('The group has been updated')).toBeVisible()
  await page.reload()
  await expect(nameField(page)).toHaveValue('Mine')
})

test('that a record was deleted meanwhile is said, also beside the question about what was changed before', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { id } = (await ask(foyer, '/groups-create', { name: 'Leaving', draft: true }, token)).data
  await enter(page, token)
  await page.goto(`/customer/groups/update?id=${String(id)}&tab=details`)
  await nameField(page).fill('Mine')
  await ask(foyer, '/groups-update', { id, name: 'Theirs' }, token)
  await update(page).click()
  await expect(page.getByRole('button', { name: 'Take theirs' })).toBeVisible()
  await ask(foyer, `/groups-delete/${String(id)}`, {}, token)
  await update(page).click()
  await expect(page.getByText('It may have been deleted')).toBeVisible()
  await expect(nameField(page)).toHaveValue('Mine')
})

test('what others have changed meanwhile is said as the form shows it', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { account } = await records(foyer)
  await enter(page, token)
  await page.goto(`/customer/accounts/update?id=${account}&tab=details`)
  await page.getByLabel('Expires').fill('2027-03-01T12:00')
  await ask(foyer, '/accounts-update', { id: account, expires_at: '2026-12-15T12:00:00Z' }, token)
  await update(page).click()
  await expect(page.getByText(/has changed this meanwhile\. Expires is now “[^”]*\bDec\b[^”]*:00[^”]*”/)).toBeVisible()
})

test('a form opened from a list returns to it once, and Back leads to the screen before the list', async ({
  page,
  foyer,
}) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/dashboard')
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
  const heading = (name: string) => expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const makePackage = async () => {
    await follow('New package')
    await heading('New package')
  }
  await follow('Packages')
  await makePackage()
  // A double click in one task; a slower second click would hit the list, which is shown by then.
  await page.getByRole('button', { name: messages.modal.cancel, exact: true }).evaluate((cancel: HTMLElement) => {
    cancel.click()
    cancel.click()
  })
  await heading('Packages')
  await makePackage()
  await nameField(page).fill('Quay only')
  await page.getByRole('button', { name: messages.portal.create, exact: true }).click()
  await expect(page.getByText('The package has been created')).toBeVisible()
  await heading('Packages')
  await page.goBack()
  await heading('Dashboard')
})
