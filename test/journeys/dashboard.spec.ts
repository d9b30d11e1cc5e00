// Dashboard: a new installation shows the steps to the first guest online; later it links to what needs attention, to the list behind
// each figure, and to a guest by name.

import { connect } from '#server/db/logins.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, onceOnline, operator, password, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

/** Signs up a new customer that has nothing yet. */
async function newcomer(foyer: Foyer): Promise<string> {
  const email = `new.${Date.now()}.${process.pid}@harbour.example`
  const { data } = await ask(foyer, '/auth/signup', { ...operator, email, password })
  return String(data['access_token'])
}

test('a new installation shows its next step and ticks those done; later every figure and remedy is a link', async ({
  page,
  foyer,
}) => {
  const token = await newcomer(foyer)
  await enter(page, token)
  const { expectNothing } = watch(page)
  await page.goto('/customer/dashboard')
  const setUp = page.getByRole('region', { name: 'Get the first guest online' })
  await expect(setUp.getByRole('listitem').filter({ hasText: 'Add a property' })).toHaveAttribute(
    'aria-current',
    'step',
  )
  await expectAccessible(page)
  // Figures are not shown yet: all would be 0.
  await expect(page.getByText('Sessions today')).toHaveCount(0)
  await setUp.getByRole('link', { name: 'Begin: Add a property' }).click()
  await expect(page).toHaveURL(/\/customer\/properties\/create/)

  const { data: property } = await ask(foyer, '/properties-create', { name: 'Lantern Quay', draft: true }, token)
  await page.goto('/customer/dashboard')
  const isNext = (title: string) =>
    expect(setUp.getByRole('listitem').filter({ hasText: title })).toHaveAttribute('aria-current', 'step')
  await isNext('Give out a code')
  // One code at the one property there is, not the form of a batch.
  await setUp.getByRole('link', { name: 'Begin: Give out a code' }).click()
  await expect(page).toHaveURL(/modal=one-voucher/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  // A step done elsewhere is ticked without a reload.
  await ask(foyer, '/accounts-create', { name: 'Zinnia Marsh', property_id: property['id'] }, token)
  await isNext('Try it as a guest')
  const { data: gateway } = await ask(
    foyer,
    '/gateways-create',
    { name: 'Lobby', property_id: property['id'], gateway_type_id: 13, dns_name: 'lobby.example' },
    token,
  )
  // Whoever has a gateway already need not try it. That it is registered is no sign that it works: that is its first packet.
  await isNext('Receive its first packet')
  await setUp.getByRole('link', { name: 'What to paste: Receive its first packet' }).click()
  await expect(page).toHaveURL(new RegExp(`/customer/gateways/update\\?id=${String(gateway['id'])}`))
  await expect(page.getByText(/listens to gateways on this machine alone/)).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  const admin = await connect(foyer.database())
  await admin.query('update gateways set last_seen_at = now() where id = $1', [gateway['id']])
  await admin.end()
  await isNext('Let the first guest in')
  await page.getByRole('link', { name: 'Finish: Lantern Quay' }).click()
  await expect(page).toHaveURL(`/customer/properties/update?id=${String(property['id'])}`)
  await onceOnline(foyer, Number(property['id']))
  await page.goto('/customer/dashboard')
  await page.getByRole('link', { name: /^Properties 1$/ }).click()
  await expect(page).toHaveURL('/customer/properties')
  await page.goBack()
  const find = page.getByRole('textbox', { name: 'Find a guest' })
  await find.fill('zinnia')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Zinnia Marsh', level: 1 })).toBeVisible()
  await page.goBack()
  await find.fill('nobody')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/customer/guest-help?q=nobody')
  await expect(page.getByText('Nothing found for “nobody”')).toBeVisible()
  expectNothing()
})

test('the chart is read bar by bar with the arrow keys, and as a table', async ({ page, foyer }) => {
  const token = await newcomer(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Chart Quay', draft: true }, token)
  await onceOnline(foyer, Number(property['id']))
  await enter(page, token)
  await page.goto('/customer/dashboard')
  const hours = page.getByRole('group', { name: 'Guests online, last 7 days' }).getByRole('button')
  await expect(hours).toHaveCount(7 * 24)
  await expect(hours.last()).toHaveAccessibleName(/: 0 guests \(this hour so far\); a week before: 0$/)
  await page.getByRole('radio', { name: 'Sessions' }).check()
  const chart = page.getByRole('group', { name: 'Sessions, last 4 weeks' })
  const today = chart.getByRole('button').last()
  await expect(today).toHaveAccessibleName(/: 0 sessions \(today so far\); 4 weeks before: 0$/)
  await today.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chart.getByRole('button').nth(26)).toBeFocused()
  await page.getByRole('radio', { name: 'Data' }).check()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('table', { name: 'Data, last 4 weeks' }).getByRole('row')).toHaveCount(29)
  await expectAccessible(page)
})

for (const { name, viewport } of [
  { name: 'at a desk', viewport: { width: 1440, height: 900 } },
  { name: 'in a window of 390 pixels', viewport: { width: 390, height: 844 } },
])
  test(`what needs attention is one inbox before the figures: done, later, and taken back where it was pressed, ${name}`, async ({
    page,
    foyer,
  }) => {
    await page.setViewportSize(viewport)
    const token = await newcomer(foyer)
    for (const place of ['Aspen Yard', 'Birch Yard'])
      await ask(foyer, '/properties-create', { name: place, draft: true }, token)
    const { data: house } = await ask(foyer, '/properties-create', { name: 'Chart Quay', draft: true }, token)
    await onceOnline(foyer, Number(house['id']))
    await enter(page, token)
    const { expectNothing } = watch(page)
    await page.goto('/customer/dashboard')
    const inbox = page.getByRole('region', { name: 'Needs attention' })
    const entry = (place: string) => inbox.getByRole('link', { name: `Finish: ${place}` })
    await expect(entry('Aspen Yard')).toBeVisible()
    const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0
    expect(await top('Needs attention')).toBeLessThan(await top('Guests online'))
    await expectAccessible(page)
    await expectFitting(page)

    await inbox.getByRole('button', { name: 'Done: Aspen Yard' }).press('Enter')
    // The focus is on what came of it, so that a second Enter takes nothing back.
    await expect(inbox.getByText('Aspen Yard is done.')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(entry('Aspen Yard')).toHaveCount(0)
    await expectAccessible(page)
    await inbox.getByRole('button', { name: 'Undo' }).click()
    await expect(entry('Aspen Yard')).toBeVisible()

    await inbox.getByRole('button', { name: 'Later: Birch Yard' }).click()
    await expect(inbox.getByText('Birch Yard comes back tomorrow morning.')).toBeVisible()
    await page.reload()
    await expect(entry('Aspen Yard')).toBeVisible()
    await expect(entry('Birch Yard')).toHaveCount(0)
    expectNothing()
  })
