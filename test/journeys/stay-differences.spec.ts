// Stay differences: the property's own system and the desk say different things of stays; the desk finds that on its day, accepts one
// word, keeps ours for another and takes it back, and accepts the rest at once; of two at once the slower reads who did what.
import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { dayFrom, openHouse } from '#test/journeys/desk-house.ts'
import { ask, enter, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

const key = Buffer.alloc(32, 7)

/** What the system posts, signed. */
async function tell(hook_url: string, type: string, data: object) {
  const body = JSON.stringify({ type, occurred_at: new Date().toISOString(), data })
  const id = `msg_${Math.random()}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const answer = await fetch(hook_url, { method: 'POST', headers, body })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

const guests = [
  { stay_key: '1', room: '204', last_name: 'Achterberg' },
  { stay_key: '2', room: '205', last_name: 'Brandt' },
  { stay_key: '3', room: '206', last_name: 'Castellanos' },
]

/** Three guests whom the system has told of, and of whose departure the desk has said otherwise. */
async function openDiffering(foyer: Foyer) {
  const house = await openHouse(foyer)
  const { token, property_id, day } = house
  const made = {
    name: 'OPERA',
    property_interface_type_id: 5,
    owner_type: 'Property',
    owner_id: property_id,
    settings: { signing_secret: `whsec_${key.toString('base64')}` },
  }
  const { data } = await ask(foyer, '/property-interfaces-create', made, token)
  const hook_url = String(data['hook_url'])
  const say = () =>
    Promise.all(
      guests.map(({ last_name, ...stay }) => {
        const days = { arrives_on: day, departs_on: dayFrom(day, 3) }
        return tell(hook_url, 'stay.changed', { ...stay, ...days, guests: [{ last_name }] })
      }),
    )
  const there = async () => {
    const asked = { params: { property_id }, per_page: 50 }
    const rows = (await ask(foyer, '/room-guests', asked, token)).data as unknown as { id: number; name: string }[]
    return rows.filter(({ name }) => guests.some(({ last_name }) => name === last_name))
  }
  await say()
  await expect.poll(async () => (await there()).length, { timeout: 30_000 }).toBe(3)
  for (const { id } of await there())
    await ask(foyer, '/room-guests-update', { id, departs_on: dayFrom(day, 5) }, token)
  await say()
  const waiting = async () =>
    ((await ask(foyer, '/stay-differences', { params: { property_id } }, token)).data as unknown as unknown[]).length
  await expect.poll(waiting, { timeout: 30_000 }).toBe(3)
  return { ...house, waiting }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('the desk settles what the hotel’s system says and we say', async ({ page, foyer, browser }) => {
  test.slow()
  const { desk, token, property_id, waiting } = await openDiffering(foyer)
  const seen = watch(page, [409])
  await enter(page, desk)
  await page.goto('/property/dashboard')
  await page.getByRole('tab', { name: 'In house' }).click()
  await expect(page.getByRole('region', { name: 'In house' })).toContainText('from OPERA')
  await expect(page.getByRole('region', { name: 'In house' })).toContainText('by hand')
  await page.getByRole('link', { name: '3 differences with the hotel’s system' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Differences with the system' })).toBeVisible()
  await expect(rowOf(page, 'Brandt')).toContainText('Departure')
  await expectAccessible(page)
  for (const width of [1152, 1048, 839, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectFitting(page)
  }
  // On a phone what both say is whole, and the menu has the answers.
  const below = rowOf(page, 'Brandt').locator('small')
  await expect(below).toHaveText(/^We say .*Departure/)
  const over = await below.evaluate((part) => {
    const said = document.createRange()
    const [text] = part.childNodes
    if (!text) throw new Error('nothing is said')
    said.setStart(text, 0)
    said.setEnd(text, (part.textContent ?? '').indexOf('Departure') + 'Departure'.length)
    return said.getBoundingClientRect().right - part.getBoundingClientRect().right
  })
  expect(over, 'how far it is cut').toBeLessThanOrEqual(0)
  await rowOf(page, 'Brandt')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Accept' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })

  // Somebody else is quicker.
  const other = await (await browser.newContext()).newPage()
  await enter(other, token)
  await other.goto(`/customer/stay-differences?filter.property_id=${property_id}`)
  await rowOf(other, 'Brandt').getByRole('button', { name: 'Accept' }).click()
  await expect(other.getByText('The system’s version now holds for Brandt')).toBeVisible()
  await rowOf(page, 'Brandt').getByRole('button', { name: 'Keep ours' }).click()
  await expect(page.getByText(/Ana Silva accepted the system's word for Brandt at \d\d:\d\d\./)).toBeVisible()
  await expect(rowOf(page, 'Brandt')).toHaveCount(0)

  // With the keyboard: kept, and taken back; and Enter twice does it once.
  const keep = rowOf(page, 'Achterberg').getByRole('button', { name: 'Keep ours' })
  await keep.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Our version was kept for Achterberg')).toBeVisible()
  await expect(rowOf(page, 'Achterberg')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Achterberg')).toBeVisible()
  expect(await waiting()).toBe(2)

  // An editor ticks all; Escape leaves everything as it is.
  await other.reload()
  await other.getByRole('checkbox', { name: /Select all/ }).check()
  const bar = other.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Accept' }).click()
  await expect(other.getByText('Departure: 2.')).toBeVisible()
  await other.keyboard.press('Escape')
  expect(await waiting()).toBe(2)
  await bar.getByRole('button', { name: 'Accept' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Accept all' }).click()
  await expect(other.getByText('The system’s version now holds for 2 differences')).toBeVisible()
  expect(await waiting()).toBe(0)
  await other.reload()
  await expect(rowOf(other, 'Castellanos')).toHaveCount(0)
  await other.goto('/customer/stay-differences')
  await expect(other.getByText('No differences')).toBeVisible()
  await expectAccessible(other)
  seen.expectNothing()
})
