// Guests: one signs in with the code of a text message; the operator finds them, exports their data, and erases it.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, findings, watch } from '#test/journeys/watch.ts'

const operator = { email: 'gil@guests.example', name: 'Gil Moor', company_name: 'Moor Rooms' }

/** The code in the newest text message to a number in the outbox. */
async function codeFor(foyer: Foyer, number: string): Promise<string> {
  const outbox = path.join(foyer.dataDir, 'outbox')
  const find = () => {
    const names = fs.existsSync(outbox) ? fs.readdirSync(outbox).filter((name) => name.startsWith('sms-')) : []
    const texts = names.toSorted().map((name) => fs.readFileSync(path.join(outbox, name), 'utf8'))
    return /\b\d{6}\b/.exec(texts.findLast((text) => text.startsWith(`To: ${number}\n`))?.split('\n\n')[1] ?? '')?.[0]
  }
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy()
  return find() ?? ''
}

async function portalOf(foyer: Foyer, token: string) {
  const form = new FormData()
  const fields = {
    name: 'Lobby',
    auth_method_ids: '6',
    marketing_text: 'Tell me of offers',
    button_fill_colour: '#1F5FD0',
  }
  const { data } = (await ask(foyer, '/portals', {}, token)) as unknown as { data: { id: number }[] }
  for (const [name, value] of Object.entries({ id: String(data[0]?.id), ...fields }))
    form.append(name === 'auth_method_ids' ? `${name}[]` : name, value)
  const { pngOf } = await import('#test/pictures.ts')
  const png = new Uint8Array(await pngOf({ width: 400, height: 100, colour: '#345d7e' }))
  form.append('logo', new File([png], 'logo.png', { type: 'image/png' }))
  const answer = await fetch(`${foyer.url}/api/v1/portals-update`, {
    method: 'POST',
    headers: { 'App-Context': 'customer', Authorization: `Bearer ${token}` },
    body: form,
  })
  return ((await answer.json()) as { data: { id: number; url: string } }).data
}

test('a guest signs in by text message, is found, and their data is exported and erased', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer, operator)
  const { id: portal_id, url } = await portalOf(foyer, token)
  const where = { address: '1 Moor', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Moor House', portal_id, ...where }, token)
  const box = { property_id: property['id'], gateway_type_id: 13, dns_name: 'hotspot.example' }
  const { data: gateway } = await ask(foyer, '/gateways-create', box, token)

  await test.step('the guest types the code of the message', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**://hotspot.example/**', (route) => route.fulfill({ body: 'online' }))
    await page.goto(`${url}?nasid=${String(gateway['nas_identifier'])}&client_mac=02-00-5e-00-53-77`)
    await page.getByLabel('Mobile number').fill('+44 7700 900977')
    await page.getByLabel('Tell me of offers').check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByRole('heading', { name: 'Type the code' })).toBeVisible()
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Code', { exact: true }).fill('12345')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('alert')).toContainText('This is not the code of our last message')
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Code', { exact: true }).fill(await codeFor(foyer, '+447700900977'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('online')).toBeVisible()
  })

  await test.step('the operator finds them among those who agreed to marketing', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await enter(page, token)
    await page.goto('/customer/guests')
    await page.getByRole('link', { name: '+447700900977' }).click()
    await expect(page.getByRole('heading', { name: '+447700900977', level: 1 })).toBeVisible()
    await expect(page.getByText('Tell me of offers')).toBeVisible()
    await expectAccessible(page)
  })
  const seen = watch(page)

  await test.step('the guest wants to hear no more, and the operator withdraws their consent', async () => {
    await page.getByRole('button', { name: 'More about this guest' }).click()
    await page.getByRole('menuitem', { name: 'Withdraw consent to marketing' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw the consent of “+447700900977”?' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('Consent of 1 guest withdrawn')).toBeVisible()
    await expect(page.getByText('Not agreed')).toBeVisible()
  })

  await test.step('the operator exports all their data, then erases it', async () => {
    const menu = page.getByRole('button', { name: 'More about this guest' })
    await menu.click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download data (JSON)' }).click(),
    ])
    expect(JSON.parse(fs.readFileSync(await download.path(), 'utf8'))).toMatchObject({
      guest: { mobile_number: '+447700900977' },
    })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase “+447700900977”?' })
    await expect(dialog).toContainText('1 device, 1 consent, 1 sign-in attempt')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Erase' }).click()
    const asked_afterwards: string[] = []
    page.on('request', (request) => asked_afterwards.push(new URL(request.url()).pathname))
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await expect(page.getByText('1 guest erased')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Guests', level: 1 })).toBeVisible()
    await expect(page.getByText('No guests yet')).toBeVisible()
    expect(asked_afterwards, 'the page that is left does not ask for the erased guest').not.toContain(
      '/api/v1/guest-help-subject',
    )
    await page.reload()
    await expect(page.getByText('No guests yet')).toBeVisible()
    seen.expectNothing()
  })
})
