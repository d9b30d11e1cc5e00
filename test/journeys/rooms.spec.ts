// Rooms: the rooms of a floor are made at once, a guest is checked in, moved and checked out; by mouse, on a phone, by keyboard alone.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse, type Hands } from '#test/journeys/hands.ts'
import { ask, enter, join, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

const complete = {
  address: '1 Quay Street',
  city: 'Porto',
  country_id: 1,
  property_type_id: 1,
  connectivity_type_id: 1,
}
const day_ms = 86_400_000
let serial = 0

async function aProperty(foyer: Foyer): Promise<number> {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/properties-create', { name: `Rooms House ${++serial}`, ...complete }, token)
  return Number(data['id'])
}
const deskOf = (foyer: Foyer, owner_id: number, user_type_id = 2) =>
  join(foyer, {
    email: `desk${owner_id}.${user_type_id}@rooms.example`,
    name: 'Rooms Desk',
    user_type_id,
    owner_type: 'Property',
    owner_id,
  })

const row = (page: Page, number: string) =>
  page.getByRole('row').filter({ has: page.getByText(number, { exact: true }) })
const main = (page: Page) => page.getByRole('main')

/** Thirty rooms, and a guest in one of them, who moves to another and leaves. */
async function aDayAtTheDesk(page: Page, hand: Hands) {
  await page.goto('/property/rooms')
  await hand.follow('New rooms')
  await hand.type('Numbers', '101–128, A-01…A-02')
  await expect(page.getByText('This makes 30 rooms:')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Numbers' })).toContainText('A-02')
  await expectAccessible(page)
  await hand.press(messages.portal.create)
  await expect(page.getByText('30 rooms are ready')).toBeVisible()
  await expectAccessible(page)
  await hand.follow('Show the rooms')
  await expect(row(page, '101')).toContainText(messages.status.vacant)

  await row(page, '102').getByRole('link', { name: '102' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Room 102' })).toBeVisible()
  await hand.follow('Check in')
  await hand.type('Last name', 'Keller')
  await hand.type('First name', 'Ada')
  await expectAccessible(page)
  await hand.press('Check in')
  // After the check-in, the information for the guest is shown first.
  await expect(page.getByRole('heading', { name: 'Ada Keller' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Tell the guest' })).toContainText('102')
  await expectAccessible(page)
  await hand.follow('The room')
  await expect(main(page).getByText(messages.status.occupied).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ada Keller' })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('link', { name: 'Ada Keller' })).toBeVisible()

  await hand.press('Actions for Ada Keller')
  await page.getByRole('menuitem', { name: 'Move to another room' }).press('Enter')
  await hand.choose('Room', 'A-02')
  await expectAccessible(page)
  await hand.press('Move')
  await expect(page.getByText('Ada Keller is in room A-02 now').first()).toBeVisible()
  await expect(main(page).getByText(messages.status.vacant).first()).toBeVisible()
  await expect(page.getByText('Nobody is checked in.')).toBeVisible()

  await page.goto('/property/rooms?filter.occupancy=occupied')
  await expect(row(page, 'A-02')).toContainText('Ada Keller')
  await expect(row(page, '102')).toHaveCount(0)
  await expectAccessible(page)
  await row(page, 'A-02').getByRole('link', { name: 'A-02' }).press('Enter')
  await hand.press('Actions for Ada Keller')
  await page.getByRole('menuitem', { name: 'Check out' }).press('Enter')
  await hand.press('Check out')
  await expect(page.getByText('Ada Keller is checked out').first()).toBeVisible()
  await expect(main(page).getByText(messages.status.vacant).first()).toBeVisible()
}

const days = [
  ['by mouse on a narrow window', 390, mouse],
  ['by keyboard alone', 1440, keyboard],
  ['by mouse', 1440, mouse],
] as const
for (const [name, width, handsOf] of sample(days, 1))
  test(`rooms are made, and a guest is checked in, moved and checked out, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(240_000)
    await page.setViewportSize({ width, height: 900 })
    const watched = watch(page)
    await enter(page, await deskOf(foyer, await aProperty(foyer)))
    await aDayAtTheDesk(page, handsOf(page))
    watched.expectNothing()
  })

test('the front desk checks a guest in from its dashboard, and sees its own profile', async ({ page, foyer }) => {
  const property_id = await aProperty(foyer)
  await ask(foyer, '/rooms-create', { property_id, numbers: ['31', '32'] }, await operatorToken(foyer))
  await enter(page, await deskOf(foyer, property_id, 3))
  await page.goto('/property/dashboard')
  const hand = mouse(page)
  await hand.follow('Check in')
  await hand.type('Last name', 'Okafor')
  await hand.type('First name', 'Ifeoma')
  await hand.choose('Room', '32')
  await expectAccessible(page)
  await hand.press('Check in')
  await expect(page.getByRole('heading', { name: 'Ifeoma Okafor' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/property/dashboard')
  await page.goto('/property/rooms')
  await expect(page.getByRole('link', { name: 'Check in' })).toBeVisible()
  await page.goto('/property/user-profile?context=profile')
  await expect(main(page).getByText('Rooms Desk').first()).toBeVisible()
  await expect(main(page).getByText(`desk${property_id}.3@rooms.example`)).toBeVisible()
  await expect(page.getByText('You cannot see this')).toHaveCount(0)
})

test('existing room numbers are named, and a single new room opens at once', async ({ page, foyer }) => {
  const property_id = await aProperty(foyer)
  await ask(foyer, '/rooms-create', { property_id, numbers: ['7', '8'] }, await operatorToken(foyer))
  await enter(page, await operatorToken(foyer))
  await page.goto(`/customer/properties/update?id=${property_id}&tab=rooms`)
  const hand = mouse(page)
  await hand.follow('New rooms')
  await hand.press(messages.portal.create)
  await expect(page.getByText(messages.fields.required)).toBeVisible()
  await hand.type('Numbers', '5-9')
  await hand.press(messages.portal.create)
  await expect(page.getByText('The property already has these rooms: 7, 8.')).toBeVisible()
  await hand.type('Numbers', '1-5000')
  await expect(page.getByText('The property already has these rooms: 7, 8.')).toHaveCount(0)
  await hand.press(messages.portal.create)
  await expect(page.getByText('At most 1000 rooms at once: “1-5000” is more than that.')).toBeVisible()
  await hand.type('Numbers', 'Garden suite')
  await hand.press(messages.portal.create)
  await expect(page.getByRole('heading', { name: 'Room Garden suite' })).toBeVisible()
  await page.goBack()
  await expect(row(page, 'Garden suite')).toContainText(messages.status.vacant)
})

test('a guest past the day of departure is pointed out, and a viewer can change nothing', async ({ page, foyer }) => {
  const property_id = await aProperty(foyer)
  const token = await operatorToken(foyer)
  const { data: room } = await ask(foyer, '/rooms-create', { property_id, number: '12' }, token)
  const guest = {
    room_id: room['id'],
    last_name: 'Overdue',
    departs_on: new Date(Date.now() - 30 * day_ms).toISOString().slice(0, 10),
  }
  await ask(foyer, '/room-guests-create', guest, token)
  const account = { property_id, room_id: room['id'], name: 'Long Stay' }
  await ask(foyer, '/accounts-create', account, token)
  await enter(page, await deskOf(foyer, property_id, 1))
  await page.goto('/property/rooms')
  await expect(row(page, '12')).toContainText('Overdue, Long Stay')
  await expect(page.getByRole('link', { name: 'New rooms' })).toHaveCount(0)
  await row(page, '12').getByRole('link', { name: '12' }).click()
  await expect(page.getByText('One guest was to leave')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Long Stay' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Check in' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Actions for Overdue' })).toHaveCount(0)
  await page.goto(`/property/room-guests/update?room_id=${String(room['id'])}`)
  await expect(page.getByText('Your permission does not include this')).toBeVisible()
})

const imports = [
  ['by keyboard', 1440, keyboard],
  ['on a phone', 390, mouse],
  ['on a desk', 1440, mouse],
] as const
for (const [name, width, hands] of sample(imports, 1))
  test(`a room list of 200 with 7 bad rows is checked, corrected, imported and undone, ${name}`, async ({
    page,
    foyer,
  }) => {
    test.setTimeout(120_000)
    // The first file is answered 422.
    const seen = watch(page, [422])
    const property_id = await aProperty(foyer)
    await enter(page, await deskOf(foyer, property_id))
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/property/rooms')
    const hand = hands(page)
    await hand.press('Import rooms')
    const list = (status: string) =>
      [
        'Rent roll,,',
        'Unit,Resident,Status',
        ...Array.from({ length: 200 }, (_, n) => `${n + 1},Guest Number${n + 1},${n % 30 === 0 ? status : 'Current'}`),
        'Total,,200',
      ].join('\r\n')
    const choose = (file: string, status: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(list(status)) })
    await choose('bad.csv', 'Perhaps')
    await expect(page.getByRole('dialog')).toContainText('Does “Perhaps” live here now?')
    await expect(page.getByRole('button', { name: 'Upload' })).toBeDisabled()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await choose('good.csv', 'Past')
    await expect(page.getByRole('button', { name: 'Upload' })).toBeEnabled()
    await hand.press('Upload')
    await expect(page.getByText(messages.imports.roomsImported(200))).toBeVisible()
    await expect(main(page).getByRole('link', { name: '2', exact: true })).toBeVisible()
    // The result stays on screen and can be undone there; here it is found again later.
    await expect(page.getByRole('dialog').getByText('193 move in')).toBeVisible()
    await expectAccessible(page)
    await hand.press('Done')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await hand.press('More for rooms')
    await page.getByRole('menuitem', { name: 'Recent imports' }).press('Enter')
    const files = page.getByRole('dialog', { name: 'Recent imports' })
    await expect(files).toContainText('Rooms: 200 new')
    await expectAccessible(page)
    await expectFitting(page)
    await hand.press('Undo')
    await expect(page.getByText('200 rooms that it made will be removed, with the guests it brought.')).toBeVisible()
    await expectAccessible(page)
    await hand.press('Undo the import')
    await expect(page.getByText(messages.imports.undone('good.csv'))).toBeVisible()
    await expect(files).toContainText('Undone')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'No rooms yet' })).toBeVisible()
    seen.expectNothing()
  })

for (const [name, width, hands] of sample(imports, 1))
  test(`one sheet of a workbook with two similar ones is chosen by name, ${name}`, async ({ page, foyer }) => {
    test.setTimeout(120_000)
    const seen = watch(page)
    await enter(page, await deskOf(foyer, await aProperty(foyer)))
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/property/rooms?modal=import-rooms')
    const hand = hands(page)
    const dialog = page.getByRole('dialog', { name: 'Import rooms' })
    const file = 'two-months-openpyxl.xlsx'
    const buffer = readFileSync(path.join(import.meta.dirname, '../fixtures/room-lists', file))
    const choose = () => page.locator('input[type=file]').setInputFiles({ name: file, mimeType: '', buffer })
    await choose()
    await expect(dialog).toContainText('More than one sheet holds a list of rooms. Choose the one to import.')
    await expect(page.getByRole('button', { name: 'Upload' })).toBeDisabled()
    await expectAccessible(page)
    await expectFitting(page)
    await hand.choose('Sheet', 'November')
    await expect(dialog).toContainText('Only “November” was read, not “October”.')
    await hand.choose('Sheet', 'October')
    await expect(dialog).toContainText('Only “October” was read, not “November”.')
    await expectAccessible(page)
    await expectFitting(page)
    // For another file the sheet is chosen again.
    await page.getByRole('button', { name: /^Remove/ }).click()
    await expect(dialog.getByRole('combobox', { name: /^Sheet/ })).toHaveCount(0)
    await choose()
    await expect(dialog).toContainText('Choose the one to import.')
    await hand.choose('Sheet', 'November')
    await hand.press('Upload')
    await hand.press('Done')
    await expect(dialog).toHaveCount(0)
    await expect(main(page).getByRole('grid')).toBeVisible()
    seen.expectNothing()
  })

test('moving a guest shows who is in the other room already', async ({ page, foyer }) => {
  const property_id = await aProperty(foyer)
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => Number((await ask(foyer, call, body, token)).data['id'])
  const [from, taken] = [
    await make('/rooms-create', { property_id, number: '7' }),
    await make('/rooms-create', { property_id, number: '8' }),
  ]
  const other = await make('/rooms-create', { property_id, number: '9' })
  await make('/room-guests-create', { room_id: from, last_name: 'Keller' })
  await make('/room-guests-create', { room_id: taken, last_name: 'Byron' })
  await enter(page, await deskOf(foyer, property_id))
  await page.goto(`/property/rooms/update?id=${from}`)
  const hand = mouse(page)
  await hand.press('Actions for Keller')
  await page.getByRole('menuitem', { name: 'Move to another room' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Keller' })
  // Vacant rooms come first.
  await dialog.getByRole('combobox', { name: 'Room' }).click()
  await expect(page.getByRole('option')).toHaveText(['9', /^8\s+Byron$/])
  await page.getByRole('option', { name: '8 Byron' }).click()
  await expect(dialog.getByText('Byron lives in room 8. The guest would share it.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Share room 8' })).toBeEnabled()
  await expectAccessible(page)
  await hand.choose('Room', '9')
  await expect(dialog.getByText('would share')).toHaveCount(0)
  // Taken meanwhile: said by whom, and shared only by another press.
  await make('/room-guests-create', { room_id: other, last_name: 'Coleridge' })
  await hand.press('Move')
  await expect(
    dialog.getByText(/^Coleridge lives in this room\. Ana Silva checked in Coleridge to room 9 at /),
  ).toBeVisible()
  await hand.press('Share room 9')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Keller is in room 9 now').first()).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Keller' })).toBeVisible()
})

test('a guest who is edited shares a room only by a press that says so', async ({ page, foyer }) => {
  const property_id = await aProperty(foyer)
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => Number((await ask(foyer, call, body, token)).data['id'])
  const [from, other] = [
    await make('/rooms-create', { property_id, number: '7' }),
    await make('/rooms-create', { property_id, number: '9' }),
  ]
  const guest = await make('/room-guests-create', { room_id: from, last_name: 'Keller' })
  await enter(page, await deskOf(foyer, property_id))
  await page.goto(`/property/room-guests/update?id=${guest}`)
  const hand = mouse(page)
  await hand.choose('Room', '9')
  // Taken after it was offered as vacant.
  await make('/room-guests-create', { room_id: other, last_name: 'Coleridge' })
  await hand.press('Update')
  await expect(main(page).getByText(/^Coleridge lives in this room\. /)).toBeVisible()
  await expect(main(page).getByText('Coleridge lives in room 9. The guest would share it.')).toBeVisible()
  await hand.press('Share room 9')
  await expect(page.getByRole('heading', { name: 'Room 9' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Keller' })).toBeVisible()
})

test('where the property could not be read, a check-in and a room say so, and can be tried again', async ({
  page,
  foyer,
}) => {
  const property_id = await aProperty(foyer)
  const token = await operatorToken(foyer)
  const { data: room } = await ask(foyer, '/rooms-create', { property_id, number: '3' }, token)
  await ask(foyer, '/accounts-create', { property_id, room_id: room['id'], name: 'Long Stay' }, token)
  await enter(page, token)
  const failing = async (call: string, address: string, heading: string | RegExp) => {
    await page.route(`**/api/v1${call}`, (route) => route.fulfill({ status: 500, json: { message: 'Broken' } }))
    await page.goto(address)
    await expect(page.getByText('Broken').first()).toBeVisible()
    await page.unroute(`**/api/v1${call}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
    await expect(page.getByText('Broken')).toHaveCount(0)
  }
  await failing(`/properties/${property_id}`, `/customer/room-guests/update?property_id=${property_id}`, 'Guest')
  await failing(`/properties/${property_id}`, `/customer/rooms/update?id=${String(room['id'])}`, 'Room 3')
  await failing('/accounts', `/customer/rooms/update?id=${String(room['id'])}`, 'Room 3')
  await expect(page.getByRole('link', { name: 'Long Stay' })).toBeVisible()
})
