// Portals: a layout is chosen, the page is designed beside its preview, saved, assigned to eight properties, and opened as a guest;
// with the mouse, on a phone, and by keyboard alone.
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { hostileTexts } from '#test/hostile-texts.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse, type Hands } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { pngOf } from '#test/pictures.ts'
import { sample } from '#test/proofs/proof.ts'

const words = messages.portal

/** The page as the preview shows it. */
const shown = (page: Page) => page.frameLocator('iframe[title="The page as guests see it"]')
const notice = (page: Page, sentence: string) => page.locator('[role=status], [role=alert]').getByText(sentence)
const chooseLogo = async (page: Page) =>
  page
    .locator('[data-field=logo] input[type=file]')
    .setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: await pngOf() })

/** Eight properties whose names begin with the same word. */
async function furnish(foyer: Foyer) {
  const token = await operatorToken(foyer)
  const own = `Quay${Date.now()}${Math.floor(Math.random() * 1e6)}`
  for (let number = 1; number <= 8; number++)
    await ask(
      foyer,
      '/properties-create',
      {
        name: `${own} ${number}`,
        address: '1 Quay',
        city: 'Porto',
        country_id: 1,
        property_type_id: 1,
        connectivity_type_id: 1,
      },
      token,
    )
  return { token, own }
}

const ways: { how: string; width: number; height: number; hands: (page: Page) => Hands }[] = [
  { how: 'on a phone', width: 390, height: 844, hands: mouse },
  { how: 'by the keyboard', width: 1440, height: 900, hands: keyboard },
  { how: 'with the mouse', width: 1440, height: 900, hands: mouse },
]

for (const { how, width, height, hands } of sample(ways, 1))
  test(`a portal is designed, previewed, saved and assigned to eight properties, ${how}`, async ({ page, foyer }) => {
    test.setTimeout(240_000)
    const isPhone = width < 500
    const { token, own } = await furnish(foyer)
    const { type, press, follow } = hands(page)
    const seen = watch(page)
    await page.setViewportSize({ width, height })
    await enter(page, token)
    await page.goto('/customer/portals')

    // The dialog of layouts opens by itself; Back returns to the list.
    await follow('New portal')
    const chooser = page.getByRole('dialog', { name: 'Choose a layout' })
    await expect(chooser.getByRole('radio', { name: words.horizontal })).toBeChecked()
    await expectAccessible(page)
    await press('Back')
    await expect(page).toHaveURL(/\/customer\/portals$/)
    await follow('New portal')
    await expect(chooser.getByRole('radio', { name: words.horizontal })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(chooser.getByRole('radio', { checked: true })).toHaveCount(1)
    await press(words.continue)
    await expect(page).toHaveURL(/\/customer\/portals\/create\?portal_layout_id=2$/)

    await press(words.create)
    await expect(notice(page, words.fillRequired)).toBeInViewport()
    await expect(page.getByText(words.authMethodMinimum)).toBeVisible()
    for (const field of ['Name', 'Logo', 'Ways to sign in'])
      await expect(page.getByRole('alert').getByRole('button', { name: field })).toBeVisible()
    await expectAccessible(page)

    await type('Name', `${own} guests`)
    await chooseLogo(page)
    const headline = page.getByRole('textbox', { name: 'Headline', exact: true })
    await headline.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Ahoy')
    await expect(shown(page).getByRole('heading', { level: 1 })).toHaveText('Ahoy')
    const voucher = page.getByRole('checkbox', { name: 'Voucher', exact: true })
    await voucher.focus()
    await page.keyboard.press('Space')
    await expect(shown(page).getByLabel('Voucher code')).toBeAttached()
    await expect(page.getByRole('alert')).toHaveCount(0)

    if (isPhone) {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(shown(page).getByText('Ahoy')).toBeInViewport()
      await expectAccessible(page)
      await press('Change the portal')
    }
    await press(words.create)
    await expect(notice(page, words.created)).toBeVisible()
    await expect(page).toHaveURL(/\/customer\/portals$/)
    await expect(page.getByRole('link', { name: `${own} guests` })).toBeVisible()

    await page.goto(`/customer/properties?q=${own}`)
    const all = page.getByRole('checkbox', { name: /^Select all/ })
    await expect(page.getByRole('row')).toHaveCount(9)
    await all.focus()
    await page.keyboard.press('Space')
    await press('Assign portal')
    await hands(page).choose('Portal', `${own} guests`)
    await press('Assign')
    await expect(notice(page, 'Portal assigned to 8 properties')).toBeVisible()
    await page.goto(`/customer/portals?q=${own}`)
    await expect(page.getByRole('row').filter({ hasText: `${own} guests` })).toContainText('8')

    await page.getByRole('link', { name: `${own} guests` }).click()
    await expect(shown(page).getByText('Ahoy')).toBeVisible()
    await page.reload()
    await expect(headline).toHaveValue('Ahoy')
    seen.expectNothing()

    // As a guest, on a phone.
    const [portal] = (await ask(foyer, '/portals', { searchValue: own }, token)).data as unknown as { url: string }[]
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(portal?.url ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ahoy')
    await expect(page.getByLabel('Voucher code')).toBeVisible()
  })

test('a notice about a headline in another language that is too long leads to its field, even if collapsed', async ({
  page,
  foyer,
}) => {
  const { token, own } = await furnish(foyer)
  await enter(page, token)
  await page.goto('/customer/portals/create?portal_layout_id=1')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${own} guests`)
  await chooseLogo(page)
  await page.getByRole('checkbox', { name: 'Voucher', exact: true }).check()
  const fold = page.getByText(/^Headline in other languages/)
  await fold.click()
  const german = page.getByRole('textbox', { name: 'Deutsch' })
  await german.fill('Willkommen '.repeat(40))
  await fold.click()
  await expect(german).toBeHidden()
  await page.getByRole('button', { name: words.create }).click()
  await page
    .getByRole('alert')
    .getByRole('button', { name: /^Headline in other languages/ })
    .click()
  await expect(german).toBeFocused()
  await expect(german).toBeInViewport()
})

test('at 320 pixels a portal is designed and previewed at each step, without scrolling sideways', async ({
  page,
  foyer,
}) => {
  const seen = watch(page)
  const { choose } = mouse(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await enter(page, await operatorToken(foyer))
  const expectToFit = async () => await expectFitting(page)
  await page.goto('/customer/portals/create')
  const chooser = page.getByRole('dialog', { name: 'Choose a layout' })
  for (const name of [words.horizontal, words.vertical]) {
    const circle = await chooser.getByRole('radio', { name }).boundingBox()
    const box = await chooser
      .locator('label', { has: page.getByRole('radio', { name }) })
      .locator('small')
      .boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(circle?.x ?? 0)
  }
  await expectToFit()
  await chooser.getByRole('button', { name: words.continue }).click()
  const form = page.getByRole('dialog', { name: 'New portal' })
  for (const name of ['E-mail', 'SMS code']) await form.getByRole('checkbox', { name, exact: true }).check()
  await expectToFit()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const change = page.getByRole('button', { name: 'Change the portal' })
  const heading = await page.getByRole('heading', { name: 'New portal' }).boundingBox()
  expect((await change.boundingBox())?.y ?? Infinity).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0) + 40)
  for (const [step, title] of [
    ['E-mail code', 'Confirm your e-mail address'],
    ['SMS code', 'Type the code'],
    ['Refused', 'That did not work'],
    ['Looked at again', 'Your connection'],
  ] as const) {
    await choose('Step', step)
    await expect(shown(page).getByText(title)).toBeVisible()
    await expectToFit()
  }
  await expectAccessible(page)
  // The preview leaves a step whose way in is no longer offered.
  await choose('Step', 'SMS code')
  await change.click()
  await form.getByRole('checkbox', { name: 'SMS code', exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await expect(shown(page).getByText('How would you like')).toHaveCount(0)
  await expect(shown(page).getByLabel('E-mail address')).toBeAttached()
  seen.expectNothing()
})

test('a colour with too little contrast is pointed out, and fixed with one click', async ({ page, foyer }) => {
  await enter(page, await operatorToken(foyer))
  await page.goto('/customer/portals/create?portal_layout_id=1')
  const button = page.getByRole('textbox', { name: 'Button', exact: true })
  await button.fill('79f')
  await button.press('Tab')
  await expect(button).toHaveValue('#7799FF')
  const warning = page.getByText('The text on the button has a contrast of 2.6, and needs 4.5.')
  await expect(warning).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Use #/ }).click()
  await expect(warning).toHaveCount(0)
})

test('hostile texts are shown as text in the preview', async ({ page, foyer }) => {
  test.slow()
  const { expectNothing } = watch(page)
  await enter(page, await operatorToken(foyer))
  const foreign_requests: string[] = []
  page.on('request', (request) => !request.url().startsWith(foyer.url) && foreign_requests.push(request.url()))
  await page.goto('/customer/portals/create?portal_layout_id=1')
  await page.getByRole('checkbox', { name: 'Click-through' }).check()
  const title = await page.title()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  for (const text of hostileTexts) {
    for (const name of ['Headline', 'Company name', 'Footer text', 'Terms', 'Marketing consent'])
      await field(name).fill(text)
    // White space as the browser shows it.
    const displayed = text.replace(/\s+/g, ' ').trim()
    await expect(shown(page).getByRole('heading', { level: 1 })).toHaveText(displayed)
    await expect(shown(page).locator('.below')).toHaveText(displayed)
    for (const name of ['Privacy address', 'After signing in, go to', 'Button']) await field(name).fill(text)
    await expect(shown(page).locator('script, iframe, base, svg[onload], img[onerror], [onfocus]')).toHaveCount(0)
    await expect(shown(page).locator('a[href^="javascript" i]')).toHaveCount(0)
  }
  expect(await page.title()).toBe(title)
  expect(foreign_requests).toEqual([])
  expectNothing()
})

test('an earlier version of a design is previewed and restored; the sidebar and the preview have addresses', async ({
  page,
  foyer,
}) => {
  test.slow()
  const token = await operatorToken(foyer)
  const name = `Spring ${Date.now()}`
  const [starter] = (await ask(foyer, '/portals', { sort: 'created_at' }, token)).data as unknown as { id: number }[]
  const made = await ask(foyer, '/portals-duplicate', { id: starter?.id, name }, token)
  const id = String(made.data['id'])
  const seen = watch(page)
  await enter(page, token)
  await page.goto(`/customer/portals?modal=portal-sidebar&portal_id=${id}`)
  await expect(page).toHaveURL(new RegExp(`/customer/portals/update\\?id=${id}$`))
  for (const season of ['Spring', 'Summer']) {
    await page.getByRole('textbox', { name: 'Headline', exact: true }).fill(season)
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/\/customer\/portals$/)
    await expect(notice(page, words.updated).last()).toBeVisible()
    await page.getByRole('link', { name }).click()
  }

  await page.getByRole('button', { name: 'Versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  const old = dialog.frameLocator('iframe').getByRole('heading', { level: 1 })
  await expect(dialog.getByRole('radio', { name: /^Version 3, now/ })).toBeChecked()
  await expect(old).toHaveText('Summer')
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled()
  await dialog.getByRole('radio', { name: /^Version 2/ }).check()
  await expect(old).toHaveText('Spring')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(notice(page, 'The portal looks like version 2 again')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Headline', exact: true })).toHaveValue('Spring')

  await page.goto(`/customer/dashboard?modal=portal-preview&portal_id=${id}`)
  await expect(page.getByRole('dialog').frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText('Spring')
  await page.getByRole('radio', { name: 'Desktop' }).check()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectFitting(page)
  seen.expectNothing()
})
