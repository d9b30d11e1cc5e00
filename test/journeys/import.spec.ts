// Import: a list of guests in the dialog, on a desk and on a phone. Nobody is written to unless it is asked for.
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible } from '#test/journeys/watch.ts'

test('a list of guests is checked, shown and imported, and their sign-in is mailed only if asked', async ({
  page,
  foyer,
}) => {
  test.setTimeout(120_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Mailing Hotel', draft: true }, token)
  const property_id = String(property['id'])
  await enter(page, token)
  // A browser does not tell the body of an upload, so the page says what it sends.
  const sent: string[] = []
  page.on('console', (message) => message.text().startsWith('upload ') && sent.push(message.text()))
  await page.addInitScript(() => {
    const fetched = window.fetch
    window.fetch = (address, options) => {
      const body = options?.body
      if (body instanceof FormData && body.get('dry_run') === 'false')
        console.debug(`upload ${String(address)} ${String(body.get('mail_sign_ins'))}`)
      return fetched(address, options)
    }
  })
  const bring = async (guest: string, mails: boolean) => {
    await page.goto(`/customer/accounts?modal=import-accounts&property_id=${property_id}`)
    const dialog = page.getByRole('dialog')
    const asks = dialog.getByRole('switch', { name: 'E-mail new guests their sign-in' })
    await expect(asks).not.toBeChecked()
    const content = `name,email,username,password\n${guest},${guest}@example.com,${guest},quiet-harbour\n`
    const buffer = Buffer.from(content)
    await dialog.locator('input[type="file"]').setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer })
    await expect(dialog.getByText('Ready: 1 account from 1 row.')).toBeVisible()
    if (mails) await asks.press('Space')
    await expectAccessible(page)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText(messages.imports.accountsImported(1))).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  await bring('ann', false)
  await page.setViewportSize({ width: 390, height: 800 })
  await bring('bob', true)
  const address = `/api/v1/import/accounts?property_id=${property_id}`
  expect(sent).toEqual([`upload ${address} false`, `upload ${address} true`])
})
