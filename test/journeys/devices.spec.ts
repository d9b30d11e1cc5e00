// Devices: one is registered, found by half of its MAC address and disabled, at a desk, in a narrow window and by keyboard alone; and
// a list of devices is imported from a spreadsheet.
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { keyboard, mouse, type Hands } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'

/** A separate property, so that no other journey's devices are in its list. */
async function aProperty(foyer: Foyer, token: string, name: string) {
  const { data } = await ask(foyer, '/properties-create', { name, draft: true }, token)
  return { id: String(data['id']), name }
}

const ways = [
  { way: 'by keyboard alone', width: 1440, hands: keyboard, mac: 'A483E70BC303', half: 'e7:0b:c3' },
  { way: 'by mouse, 390 wide', width: 390, hands: mouse, mac: 'a483.e70b.c202', half: '0bc202' },
  { way: 'by mouse, 1440 wide', width: 1440, hands: mouse, mac: 'A4:83:E7:0B:C1:01', half: '0B-C1-01' },
]

for (const { way, width, hands, mac, half } of sample(ways, 1))
  test(`a device is registered, found by half its MAC and disabled: ${way}`, async ({ page, foyer }) => {
    test.setTimeout(240_000)
    const token = await operatorToken(foyer)
    const place = await aProperty(foyer, token, `Device House ${mac}`)
    const name = `Television ${mac}`
    await page.setViewportSize({ width, height: 900 })
    await enter(page, token)
    const seen = watch(page)
    const hand: Hands = hands(page)

    await page.goto(`/customer/devices`)
    await expect(page.getByRole('heading', { name: 'Devices', level: 1 })).toBeVisible()
    await hand.follow('New device')
    await hand.type('Name', name)
    await hand.type('MAC address', 'da:a1:19:00:00:07')
    await expect(page.getByText('A randomised address.')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await hand.type('MAC address', mac)
    await expect(page.getByText('A randomised address.')).toHaveCount(0)
    await hand.choose('Category', 'TV or streaming')
    await hand.choose('Property', place.name)
    await hand.press('Create')
    await expect(page.getByText('The device has been created')).toBeVisible()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await expectAccessible(page)

    await hand.follow('Devices')
    await hand.type('Search', half)
    await page.keyboard.press('Enter')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expectAccessible(page)
    await expectFitting(page)
    await hand.fromMenu(row, messages.lists.disable)
    await expect(page.getByRole('dialog', { name: `Disable “${name}”?` })).toBeVisible()
    await hand.press(messages.lists.disable)
    await expect(row.getByText(/disabled/i)).toBeVisible()
    seen.expectNothing()
  })

test('a list of devices is checked, shown and imported', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const place = await aProperty(foyer, token, 'Importing House')
  await enter(page, token)
  const seen = watch(page)
  const chooseFile = async (content: string) => {
    await page.goto(
      `/customer/properties/update?id=${place.id}&tab=devices&modal=import-devices&property_id=${place.id}`,
    )
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('combobox', { name: 'Property' })).toBeDisabled()
    const buffer = Buffer.from(content)
    await dialog.locator('input[type="file"]').setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer })
    return dialog
  }
  const bad = await chooseFile('name,mac\nPrinter,00-00-5E-00-53-01\nRadio,nothing\n')
  await expect(bad.getByText('1 row needs a correction.')).toBeVisible()
  await expect(bad.getByRole('button', { name: 'Upload' })).toBeDisabled()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const dialog = await chooseFile(
      'name,mac,category\nTill,00005e005302,-1\nPrinter,00-00-5E-00-53-01,-1\nTill,0000.5e00.5303,-1\n',
    )
    await expect(dialog.getByText('Ready: 2 devices from 3 rows.')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText(messages.imports.devicesImported(2))).toBeVisible()
  await expect(page.getByText(messages.imports.duplicateDevices(1))).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: '00:00:5e:00:53:03' })).toBeVisible()
  seen.expectNothing()
})
