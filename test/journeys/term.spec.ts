// A term changes: the manager of a student home imports the list of the next term, counted in clicks from the dashboard; choosing a
// file is one.

import type { Locator, Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

const student_home = 4
const day_ms = 86_400_000

let homes = 0
/** Twenty rooms, ten students in them, six with leases that end next week; and the manager. */
async function openHome(foyer: Foyer) {
  const own = `${process.pid}${++homes}`
  const token = await operatorToken(foyer)
  const place = {
    name: `Chapel Hall ${own}`,
    draft: true,
    property_type_id: student_home,
    time_zone: 'Pacific/Kiritimati',
  }
  const { data: property } = await ask(foyer, '/properties-create', place, token)
  const property_id = Number(property['id'])
  const { data: today } = await ask(foyer, '/today', { property_id }, token)
  const inDays = (days: number) =>
    new Date(Date.parse(`${String(today['day'])}T12:00:00Z`) + days * day_ms).toISOString().slice(0, 10)
  const numbers = Array.from({ length: 20 }, (_, at) => String(101 + at))
  const { data: made } = await ask(foyer, '/rooms-create', { property_id, numbers }, token)
  for (const [at, room_id] of (made['ids'] as number[]).slice(0, 10).entries()) {
    const stay = { arrives_on: inDays(-90), departs_on: at < 6 ? inDays(8) : null }
    await ask(
      foyer,
      '/room-guests-create',
      { room_id, first_name: 'Former', last_name: `Student${at}`, ...stay },
      token,
    )
  }
  const manager = await join(foyer, {
    email: `manager.${own}@chapel.example`,
    name: 'Mona Manager',
    user_type_id: 2,
    owner_type: 'properties',
    owner_id: property_id,
  })
  return { token, manager, property_id, numbers, inDays }
}

/** Who lives there, according to the API. */
async function people(foyer: Foyer, property_id: number, token: string) {
  const { data } = await ask(foyer, '/room-guests', { params: { property_id }, sort: 'name', per_page: 200 }, token)
  return data as unknown as {
    name: string
    room: { name: string }
    arrives_on: string | null
    departs_on: string | null
  }[]
}

const ways = [
  { name: 'at a desk', viewport: { width: 1440, height: 900 } },
  { name: 'in a window of 390 pixels', viewport: { width: 390, height: 844 } },
]
for (const { name, viewport } of ways)
  test(`the list of the next term is imported correctly in at most 7 clicks, ${name}`, async ({ page, foyer }) => {
    await page.setViewportSize(viewport)
    const { expectNothing } = watch(page)
    const { token, manager, property_id, numbers, inDays } = await openHome(foyer)
    const before = await people(foyer, property_id, token)
    await enter(page, manager)
    await page.goto('/property/dashboard')
    let steps = 0
    const click = (target: Locator) => target.click().then(() => ++steps)

    await openRooms(page, click)
    await click(page.getByRole('button', { name: 'More for rooms' }))
    await click(page.getByRole('menuitem', { name: 'Import rooms' }))
    const dialog = page.getByRole('dialog', { name: 'Import rooms' })
    // The first student stays for the next term; the others are new.
    const lines = numbers.slice(0, 10).map((number, at) => {
      const student = at === 0 ? 'Student0, Former' : `Newcomer${at}, Nina`
      return `${number},"${student}",${inDays(9)},${inDays(140)},Future`
    })
    const list = ['Bedspace,Student,Lease Start,Lease End,Status', ...lines].join('\r\n')
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'next-term.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
    steps++
    await click(dialog.getByRole('radio', { name: 'This is the whole house' }))
    await expect(dialog.getByText('9 move in')).toBeVisible()
    await expect(dialog.getByText('1 stays')).toBeVisible()
    await expect(dialog.getByText('4 move out')).toBeVisible()
    await dialog.getByText('4 move out').click()
    await expect(dialog.getByText('Former Student9')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await click(dialog.getByRole('button', { name: 'Upload' }))
    await expect(dialog.getByText(messages.imports.roomsImported(10))).toBeVisible()
    expect(steps).toBeLessThanOrEqual(7)
    await expectAccessible(page)

    const listed = Object.fromEntries((await people(foyer, property_id, token)).map((guest) => [guest.name, guest]))
    expect(Object.keys(listed)).toHaveLength(19)
    expect(listed).toMatchObject({
      'Former Student0': { arrives_on: inDays(-90), departs_on: inDays(140) },
      'Former Student5': { departs_on: inDays(8) },
      'Former Student9': { departs_on: inDays(8) },
      'Nina Newcomer9': { arrives_on: inDays(9), departs_on: inDays(140), room: { name: '110' } },
    })

    // The result stays on screen, and is undone there.
    await dialog.getByRole('button', { name: 'Undo the import' }).click()
    const question = page.getByRole('dialog', { name: 'Undo the import of next-term.csv?' })
    await question.getByRole('button', { name: 'Undo the import' }).click()
    await expect(page.getByText(messages.imports.undone('next-term.csv'))).toBeVisible()
    expect(await people(foyer, property_id, token)).toEqual(before)
    expectNothing()
  })

test('the list of the next term is imported by keyboard alone', async ({ page, foyer }) => {
  const { token, manager, property_id, numbers, inDays } = await openHome(foyer)
  await enter(page, manager)
  await page.goto('/property/dashboard')
  const hands = keyboard(page)
  // Listens early: a key pressed right afterwards can reach the browser before the request to report the chooser does.
  const choosing = page.waitForEvent('filechooser')
  await hands.follow('Rooms')
  await expect(page.getByRole('grid')).toBeVisible()
  await hands.press('More for rooms')
  await expect(page.getByRole('menuitem', { name: 'Import rooms' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Spreadsheet of rooms')).toBeFocused()
  const list = [
    'Bedspace,Student,Lease Start,Lease End',
    ...numbers.slice(0, 10).map((number, at) => `${number},"Newcomer${at}, Nina",${inDays(9)},${inDays(140)}`),
  ].join('\r\n')
  await page.keyboard.press('Enter')
  await (await choosing).setFiles({ name: 'next-term.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  await hands.pick('This is the whole house')
  await expect(page.getByText('10 move in')).toBeVisible()
  await hands.press('Upload')
  await expect(page.getByText(messages.imports.roomsImported(10))).toBeVisible()
  await hands.press('Done')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await people(foyer, property_id, token)).toHaveLength(20)
})

test('a list that moves everybody out is confirmed with their number', async ({ page, foyer }) => {
  const { token, manager, property_id } = await openHome(foyer)
  await enter(page, manager)
  await page.goto('/property/rooms?modal=import-rooms')
  const dialog = page.getByRole('dialog', { name: 'Import rooms' })
  const buffer = Buffer.from('Room,Name\r\n120,Zoe New\r\n')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'house.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('radio', { name: 'This is the whole house' }).check()
  await dialog.getByRole('button', { name: 'Upload' }).click()
  const question = page.getByRole('dialog', { name: 'Move 10 guests out?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await people(foyer, property_id, token)).toHaveLength(10)

  // A guest arrives meanwhile, so the new number is confirmed again.
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['121'] }, token)
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await ask(foyer, '/room-guests-create', { room_id: (data['ids'] as number[])[0], last_name: 'Late' }, token)
  await question.getByRole('button', { name: 'Move 10 guests out' }).click()
  await expect(page.getByText('The house has changed since the check. Please look again.')).toBeVisible()
  await expect(dialog.getByText('11 move out')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('button', { name: 'Move 11 guests out' }).click()
  await expect(dialog.getByText(messages.imports.roomsImported(1))).toBeVisible()
  expect((await people(foyer, property_id, token)).map((guest) => guest.name)).toEqual(['Zoe New'])
})

test('rows left out, and why an import cannot be undone, are shown in its dialog', async ({ page, foyer }) => {
  const { token, manager, property_id } = await openHome(foyer)
  await enter(page, manager)
  await page.goto('/property/rooms?modal=import-rooms')
  const dialog = page.getByRole('dialog', { name: 'Import rooms' })
  const buffer = Buffer.from(
    'Unit,Resident,Status,E-mail\r\n118,Zoe New,Current,zoe at example\r\n119,Yan Doubt,Perhaps,yan at example\r\n',
  )
  await dialog.locator('input[type=file]').setInputFiles({ name: 'house.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('switch', { name: 'Leave the rows with problems out' }).check()
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await expect(dialog.getByText(messages.imports.roomsImported(2))).toBeVisible()
  await expect(dialog).toContainText('1 row was left out.')
  await expect(dialog).toContainText('1 row has a value that is not stored:')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download the problems' }).click()
  expect((await saved).suggestedFilename()).toBe('house-problems.xlsx')
  await expectAccessible(page)

  const zoe = (await ask(foyer, '/room-guests', { params: { property_id }, searchValue: 'Zoe' }, token)).data
  const [guest] = zoe as unknown as { id: number }[]
  await ask(foyer, '/room-guests-update', { id: guest?.id, last_name: 'Newer' }, token)
  await dialog.getByRole('button', { name: 'Undo the import' }).click()
  await page
    .getByRole('dialog', { name: /^Undo the import of/ })
    .getByRole('button', { name: 'Undo the import' })
    .click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Newer' })).toBeVisible()
})

test('an import whose answer is lost is not reported as having done nothing', async ({ page, foyer }) => {
  const { token, manager, property_id } = await openHome(foyer)
  await enter(page, manager)
  await page.goto('/property/rooms?modal=import-rooms')
  const dialog = page.getByRole('dialog', { name: 'Import rooms' })
  const buffer = Buffer.from('Unit,Resident\r\n118,Zoe New\r\n')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'house.csv', mimeType: 'text/csv', buffer })
  await expect(dialog.getByRole('button', { name: 'Upload' })).toBeEnabled()
  await page.route('**/import/rooms**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Upload' }).click()
  await expect(dialog.getByText('Recent imports says whether it was imported.')).toBeVisible()
  await expect(dialog).not.toContainText('Nothing was imported')
  expect(await people(foyer, property_id, token)).toHaveLength(11)
})

/** In a narrow window the menu is opened by its button. */
async function openRooms(page: Page, click: (target: Locator) => Promise<unknown>) {
  const menu = page.getByRole('button', { name: 'Open menu' })
  const rooms = page.getByRole('link', { name: 'Rooms', exact: true }).first()
  await expect(menu.or(rooms).filter({ visible: true }).first()).toBeVisible()
  if (await menu.isVisible()) await click(menu)
  await click(rooms)
}
