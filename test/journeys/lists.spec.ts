// Lists: columns that fit the width, visible filters, search, rows that can be opened, selected and changed, by mouse and by
// keyboard; and what is shown if there are no rows.

import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

interface Place {
  token: string
  property_id: unknown
}

const complete = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
let made = 0

const lister = { email: 'lists@harbour.example', name: 'Lia Lister', company_name: 'Listed Houses' }

/** A new property at a separate customer, so that no test sees another's rows. */
async function makePlace(foyer: Foyer, count: number, prefix = 'Guest'): Promise<Place> {
  const token = await operatorToken(foyer, lister)
  const { data } = await ask(foyer, '/properties-create', { ...complete, name: `Harbour ${++made}` }, token)
  const property_id = data['id']
  await makeAccounts(foyer, { token, property_id }, count, prefix)
  return { token, property_id }
}

async function makeAccounts(foyer: Foyer, { token, property_id }: Place, count: number, prefix: string) {
  for (let from = 1; from <= count; from += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - from + 1) }, (_, index) => {
        const name = `${prefix} ${String(from + index).padStart(3, '0')}`
        return ask(foyer, '/accounts-create', { property_id, name, username: name, password: 'quay-2345' }, token)
      }),
    )
}

const accountsOf = ({ property_id }: Place) => `/customer/properties/update?id=${String(property_id)}&tab=accounts`
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected rows' })
const search = (page: Page) => page.getByRole('textbox', { name: /^Search/ })

test('from 320 pixels on, as many columns are shown as fit, and the name has at least 120 pixels', async ({
  page,
  foyer,
}) => {
  const { token } = await makePlace(foyer, 1)
  await enter(page, token)
  await page.goto('/customer/properties')
  await expect(page.getByRole('grid')).toBeVisible()
  for (const list of ['properties', 'accounts', 'users', 'groups', 'packages']) {
    await page.goto(`/customer/${list}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Loading')).toHaveCount(0)
    for (const width of [1440, 1280, 1152, 1100, 1048, 960, 839, 640, 479, 390, 359, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      await expect.poll(over, { message: `${list} at ${width}` }).toBeLessThanOrEqual(0)
      const name = page.getByRole('columnheader', { name: 'Name' })
      if ((await name.count()) === 0) continue
      await expect
        .poll(async () => (await name.boundingBox())?.width ?? 0, { message: `${list} at ${width}` })
        .toBeGreaterThanOrEqual(120)
    }
  }
})

test('columns can be chosen, and the choice is kept', async ({ page, foyer }) => {
  // In a narrower window the city stands below the name.
  await page.setViewportSize({ width: 1720, height: 900 })
  await enter(page, (await makePlace(foyer, 1)).token)
  await page.goto('/customer/properties')
  const city = page.getByRole('columnheader', { name: 'City' })
  const reference = page.getByRole('columnheader', { name: 'Reference' })
  await expect(city).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  // The label ticks the checkbox, and the menu stays open.
  await menu.getByText('City', { exact: true }).click()
  await expect(city).toHaveCount(0)
  await menu.getByRole('checkbox', { name: 'Reference' }).check()
  await expect(reference).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(reference).toBeVisible()
  await expect(city).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await menu.getByRole('button', { name: messages.search.reset }).click()
  await expect(city).toBeVisible()
  await expect(reference).toHaveCount(0)
})

test('active filters are shown, one click selects a single value, and each can be removed', async ({ page, foyer }) => {
  const { expectNothing } = watch(page)
  const { token } = await makePlace(foyer, 0)
  await ask(foyer, '/properties-create', { name: 'Unfinished Lodge', draft: true }, token)
  await enter(page, token)
  await page.goto('/customer/properties')
  const draft = row(page, /Unfinished Lodge/)
  const active = row(page, /Harbour/).first()
  await expect(active).toBeVisible()
  const states = page.getByRole('group', { name: 'State' })
  await states.getByRole('button', { name: 'Served' }).click()
  await expect(page.getByText('Nothing matches')).toBeVisible()
  // A draft serves nobody yet, and has no state.
  await states.getByRole('button', { name: 'Incomplete' }).click()
  await expect(active).toBeVisible()
  await expect(draft).toHaveCount(0)
  await states.getByRole('button', { name: 'All' }).click()
  await expect(draft).toBeVisible()

  // The menu: labels tick the checkboxes, `only` leaves one, Reset ticks them all.
  await page.getByRole('button', { name: messages.search.filter, exact: true }).click()
  const menu = page.getByRole('dialog', { name: messages.search.filter, exact: true })
  await menu.getByText('Nights late', { exact: true }).click()
  await expect(menu.getByRole('checkbox', { name: 'Nights late', exact: true })).not.toBeChecked()
  await menu.getByRole('button', { name: 'Only Served' }).focus()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('checkbox', { name: 'Incomplete', exact: true })).not.toBeChecked()
  await expectAccessible(page)
  await menu.getByRole('button', { name: messages.search.apply }).click()
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByRole('button', { name: /^Filter/ }).click()
  await menu.getByRole('button', { name: messages.search.reset }).click()
  await expect(active).toBeVisible()

  // The dialog: sections, a counter, and a chip for each active value.
  await page.getByRole('button', { name: messages.search.moreFilters }).click()
  const dialog = page.getByRole('dialog', { name: new RegExp(messages.search.filters) })
  await dialog.locator('summary', { hasText: 'Type' }).click()
  await dialog.getByText('Hotel', { exact: true }).click()
  await dialog.getByText('Hostel', { exact: true }).click()
  await expect(dialog.getByText(messages.search.selected(2)).first()).toBeVisible()
  await dialog.getByRole('button', { name: messages.search.apply }).click()
  await expect(page.getByRole('button', { name: 'Remove Type: Hotel' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Type: Hostel' }).click()
  await expect(page.getByRole('button', { name: 'Remove Type: Hostel' })).toHaveCount(0)
  await expect(active).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: messages.search.clearAll }).click()
  await expect(page.getByRole('button', { name: 'Remove Type: Hotel' })).toHaveCount(0)
  expectNothing()
})

test('search finds loaded rows, and asks the server if none matches', async ({ page, foyer }) => {
  const place = await makePlace(foyer, 60)
  await ask(
    foyer,
    '/accounts-create',
    { property_id: place.property_id, name: 'Zoltan Kiss', username: 'zk', password: 'quay-2345' },
    place.token,
  )
  await makeAccounts(foyer, place, 51, 'Later')
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  await expect(row(page, /Later 051/)).toBeVisible()
  await search(page).fill('later 007')
  await expect(row(page, /Later 007/)).toBeVisible()
  await expect(page.getByText('Found among the 50 loaded.')).toBeVisible()
  await expect(page).toHaveURL(/find=later\+007/)
  await expect(page).not.toHaveURL(/q=/)
  // Not among the first fifty.
  await search(page).fill('zoltan')
  await expect(row(page, /Zoltan Kiss/)).toBeVisible()
  await expect(page).toHaveURL(/q=zoltan/)
  await expect(page).not.toHaveURL(/find=/)
  await expect(search(page)).toHaveValue('zoltan')
  // The results of the longer word are not kept for the shorter one.
  await search(page).fill('guest')
  await expect(row(page, /Guest 060/)).toBeVisible()
  await search(page).fill('')
  await expect(page).not.toHaveURL(/q=/)
  await expect(row(page, /Later 051/)).toBeVisible()
  await search(page).fill('nobody at all')
  await expect(page.getByText('Nothing matches “nobody at all”')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search', exact: true }).click()
  await expect(row(page, /Later 051/)).toBeVisible()
})

test('only active rows can be selected, Shift selects a range, and all matches can be selected', async ({
  page,
  foyer,
}) => {
  test.slow()
  const place = await makePlace(foyer, 119)
  const off = await ask(
    foyer,
    '/accounts-create',
    { property_id: place.property_id, name: 'Switched Off', username: 'off', password: 'quay-2345', active: false },
    place.token,
  )
  expect(off.status).toBe(201)
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  await expect(page.getByRole('checkbox', { name: 'Select Switched Off' })).toBeDisabled()
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const names = await page
    .getByRole('grid')
    .getByRole('checkbox', { name: /^Select Guest/ })
    .evaluateAll((boxes) =>
      boxes.slice(0, 4).map((each) => each.getAttribute('aria-label')?.replace('Select ', '') ?? ''),
    )
  const [first = '', , , fourth = ''] = names
  await box(first).click()
  await box(fourth).click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('4 selected')
  await expect(box(fourth)).toBeChecked()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await expect(bar(page)).toContainText('49 selected')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Select all that match' }).click()
  await expect(bar(page)).toContainText('119 selected')
  await bar(page).getByRole('button', { name: messages.lists.disable }).click()
  await page.getByRole('dialog').getByRole('button', { name: messages.lists.disable }).click()
  await expect(page.getByText('119 accounts disabled')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(box(first)).toBeDisabled()
})

test('a list is used by keyboard: one Tab stop, arrows, Space, the bulk bar before it, and the menu of a row', async ({
  page,
  foyer,
}) => {
  const { expectNothing } = watch(page)
  const place = await makePlace(foyer, 3)
  await enter(page, place.token)
  await page.goto(`/customer/properties?q=Harbour+${made}`)
  const only = row(page, new RegExp(`Harbour ${made}\\b`))
  await expect(only).toBeVisible()
  // From the heading, where a screen begins, Down moves into the list.
  await page.keyboard.press('ArrowDown')
  await expect(only).toBeFocused()
  await page.keyboard.press('Space')
  await expect(bar(page)).toContainText('1 selected')
  await page.keyboard.press('Shift+Tab')
  await expect(bar(page).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(bar(page).getByRole('button').nth(1)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(only).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('checkbox', { name: 'Select all loaded rows' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('columnheader', { name: 'Name' }).getByRole('button')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(only).toBeFocused()

  await page.keyboard.press('Shift+F10')
  const open = page.getByRole('menuitem', { name: 'Open' })
  await expect(open).toBeFocused()
  await expect(open).toHaveAttribute('href', /\/customer\/properties\/update\?id=\d+$/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(only).toBeFocused()
  await page.keyboard.press('ContextMenu')
  await expect(open).toBeFocused()
  await page.keyboard.press('d')
  await expect(page.getByRole('menuitem', { name: messages.lists.disable })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: messages.lists.disable })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 property disabled')).toBeVisible()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Activate' }).press('Enter')
  await expect(page.getByText(`“Harbour ${made}” is active`)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Harbour ${made}`, level: 1 })).toBeVisible()
  expectNothing()
})

test('requests for further pages exclude the loaded rows, and Back restores the position', async ({ page, foyer }) => {
  const { expectNothing } = watch(page)
  const place = await makePlace(foyer, 130)
  await enter(page, place.token)
  const asked: { excludeIds: number[]; cursor: unknown }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/accounts')) asked.push(request.postDataJSON() as (typeof asked)[number])
  })
  await page.goto(accountsOf(place))
  await expect(row(page, /Guest/).first()).toBeVisible()
  for (const loaded of [50, 100]) {
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
        return asked.some(({ excludeIds, cursor }) => excludeIds.length === loaded && cursor === null)
      })
      .toBe(true)
  }
  await expect(page.getByRole('button', { name: 'Back to top' })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 3000))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(3000)
  const inSight = page.locator('tbody tr[data-index="70"]').getByRole('link')
  const name = await inSight.textContent()
  await inSight.click()
  await expect(page.getByRole('heading', { level: 1, name: name ?? '' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: name ?? '' })).toBeInViewport()
  expectNothing()
})

test('new rows are offered, and a failure offers to try again', async ({ page, foyer }) => {
  const place = await makePlace(foyer, 2)
  await page.clock.install()
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  await expect(row(page, /Guest 002/)).toBeVisible()
  await makeAccounts(foyer, place, 3, 'New')
  await page.clock.fastForward(31_000)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('button', { name: '3 new — show' }).click()
  await expect(row(page, /New 003/)).toBeVisible()

  await page.route('**/api/v1/accounts', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await page.reload()
  await expect(page.getByText('This could not be loaded')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/v1/accounts')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, /New 003/)).toBeVisible()

  await page.route('**/api/v1/accounts', (route) =>
    route.fulfill({ status: 403, json: { message: 'This action is unauthorized.' } }),
  )
  await page.reload()
  await expect(page.getByText('You cannot see this')).toBeVisible()
})

test('when the last row is deleted, the list says what to do next', async ({ page, foyer }) => {
  const place = await makePlace(foyer, 1)
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  await row(page, /Guest 001/)
    .getByRole('button', { name: 'Actions for Guest 001' })
    .click()
  await page.getByRole('menuitem', { name: messages.lists.delete }).click()
  await page.getByRole('dialog').getByRole('button', { name: messages.team.remove }).click()
  await expect(page.getByRole('heading', { name: 'No accounts yet' })).toBeVisible()
  await expectAccessible(page)
})

test('a list is exported as it is searched and filtered, and a failure is shown', async ({ page, foyer }) => {
  const place = await makePlace(foyer, 55)
  await enter(page, place.token)
  await page.goto(`${accountsOf(place)}&q=Guest+05`)
  await expect(row(page, /Guest 055/)).toBeVisible()
  const menu = page.getByRole('button', { name: 'Export accounts' })
  for (const [entry, ending] of [
    ['Download CSV', '.csv'],
    ['Download Excel', '.xlsx'],
  ] as const) {
    await menu.click()
    const saving = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
    const file = await saving
    expect(file.suggestedFilename()).toContain(ending)
    const bytes = fs.readFileSync(await file.path())
    if (ending === '.xlsx') expect(bytes.subarray(0, 2).toString()).toBe('PK')
    else expect(bytes.toString('utf8').match(/Guest \d{3}/g)?.length).toBeGreaterThanOrEqual(6)
    if (ending === '.csv') expect(bytes.toString('utf8')).not.toContain('Guest 049')
  }
  await page.route('**/accounts-list-export', (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
  await menu.click()
  await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  await expect(page.getByText('Broken')).toBeVisible()
  await expect(menu).toHaveAttribute('aria-haspopup', 'menu')
})

test('what was found among the loaded rows is exported, and found again after a reload and on the way back', async ({
  page,
  foyer,
}) => {
  const place = await makePlace(foyer, 55)
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  await expect(row(page, /Guest 054/)).toBeVisible()
  await search(page).fill('guest 055')
  await expect(row(page, /Guest 054/)).toHaveCount(0)
  await expect(page.getByText('Found among the 50 loaded.')).toBeVisible()
  await page.getByRole('button', { name: 'Export accounts' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download CSV', exact: true }).click()
  const file = fs.readFileSync(await (await saving).path(), 'utf8')
  expect(file.match(/Guest \d{3}/g)).toContain('Guest 055')
  expect(file).not.toContain('Guest 054')

  const expectFound = async () => {
    await expect(row(page, /Guest 055/)).toBeVisible()
    await expect(row(page, /Guest 054/)).toHaveCount(0)
    await expect(search(page)).toHaveValue('guest 055')
  }
  await page.reload()
  await expectFound()
  await row(page, /Guest 055/)
    .getByRole('link')
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Guest 055' })).toBeVisible()
  await page.goBack()
  await expectFound()
  await search(page).fill('')
  await expect(row(page, /Guest 054/)).toBeVisible()
  await expect(page).not.toHaveURL(/find=/)
})

test('a screen sends no requests for the address of the next one while that is loading', async ({ page, foyer }) => {
  const { expectNothing } = watch(page)
  // More accounts than properties, so that the last one's id is not one of a property.
  const place = await makePlace(foyer, 40)
  await enter(page, place.token)
  await page.goto(accountsOf(place))
  const guest = row(page, /Guest/).first().getByRole('link')
  const name = (await guest.textContent()) ?? ''
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  const fetching = page.waitForRequest('**/assets/*.js')
  await guest.click()
  await fetching
  await expect(page).toHaveURL(/\/accounts\/update\?id=\d+$/)
  // Longer than any screen takes to redraw for another address.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  release()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  expectNothing()
})
