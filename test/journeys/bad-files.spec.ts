// Bad files: what the import dialog says about a file that it cannot import, and that nothing of it is stored.

import { constants } from '#contract/constants.ts'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
const rows_all = 5_000
const rows_bad = 37
/** Every 135th row has no name. */
const mostlyGood = [
  'name,email',
  ...Array.from({ length: rows_all }, (_, row) => {
    const bad = row % 135 === 7 && row < 135 * rows_bad
    return `${bad ? '' : `Guest ${row}`},guest${row}@guests.example`
  }),
].join('\n')

test('the import dialog says what is wrong with a file, and nothing of it is stored', async ({ page, foyer }) => {
  test.setTimeout(120_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Harbour Hotel', draft: true }, token)
  await enter(page, token)
  await page.goto(`/customer/accounts?modal=import-accounts&property_id=${String(property['id'])}`)
  const dialog = page.getByRole('dialog')
  const upload = dialog.getByRole('button', { name: 'Upload' })
  const choose = (chosen: ReturnType<typeof file>) => dialog.locator('input[type="file"]').setInputFiles(chosen)
  const refused = async (sentence: string | RegExp) => {
    await expect(dialog.getByText(sentence).first()).toBeVisible()
    await expect(upload).toBeDisabled()
  }

  await test.step('the property of the address is locked', () =>
    expect(dialog.getByRole('combobox', { name: 'Property' })).toBeDisabled())
  await test.step('a file of another type', async () => {
    await choose(file('guests.exe', 'MZ'))
    await refused(messages.imports.accountsCancelled)
  })
  await test.step('a file of 6 MB', async () => {
    await choose(file('guests.csv', Buffer.alloc(6_000_000, 'a')))
    await refused(messages.imports.tooLarge)
  })
  await test.step('two files', async () => {
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      for (const name of ['a.csv', 'b.csv']) data.items.add(new File(['name'], name))
      return data
    })
    await dialog.getByText('Browse').dispatchEvent('drop', { dataTransfer: dropped })
    await refused(messages.imports.oneFile)
  })
  await test.step('a header and nothing below it', async () => {
    await choose(file('guests.csv', 'name,email\n'))
    await refused(/header/)
  })
  await test.step(`${rows_bad} bad rows of ${rows_all}`, async () => {
    await choose(file('guests.csv', mostlyGood))
    await refused(`${rows_bad} rows need a correction.`)
    const problems = dialog.getByRole('region', { name: 'Problems' })
    // The header is row 1.
    await expect(problems.getByRole('row').nth(1)).toContainText(/^9\s*name/)
    await expect(problems.getByRole('row')).toHaveCount(1 + rows_bad)
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download the problems' }).click()
    expect((await saving).suggestedFilename()).toBe('guests-problems.xlsx')
  })
  await test.step('nothing has been stored', async () => {
    await dialog.getByRole('button', { name: messages.modal.cancel }).click()
    await expect(page.getByText('No accounts yet')).toBeVisible()
  })
  await test.step('a file of the largest size is accepted', async () => {
    const row = 'Guest,guest@guests.example\n'
    const content = Buffer.alloc(constants.import.file_bytes_max, `name,email\n${row}`).toString()
    await page.goto(`/customer/accounts?modal=import-accounts&property_id=${String(property['id'])}`)
    await choose(file('guests.csv', content))
    await expect(dialog.getByText(messages.imports.tooLarge)).toHaveCount(0)
  })
})
