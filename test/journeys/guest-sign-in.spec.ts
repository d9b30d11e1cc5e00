// A guest's sign-in, in a real browser on a phone, with and without a script: from the gateway's redirect to the page that says
// what is left, and out again; the gateway asks RADIUS over UDP. By each way in that needs no message.
import type { Browser, Page } from '@playwright/test'
import { openSimulatedGateway, type SimulatedGateway } from '#scripts/simulation/gateway.ts'
import { code } from '#server/radius/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { expect, test as base } from '#test/journeys/fixtures.ts'
import { ask, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { findings, watch } from '#test/journeys/watch.ts'
import { pngOf } from '#test/pictures.ts'

const host = 'hotspot.quayside.example'
const test = base.extend<object, { ports: { access: number; accounting: number } }>({
  ports: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
    async ({}, provide) => {
      const access = await freePort(2)
      await provide({ access, accounting: access + 1 })
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ ports }, provide) =>
      provide({ RADIUS_AUTH_PORT: String(ports.access), RADIUS_ACCT_PORT: String(ports.accounting) }),
    { scope: 'worker' },
  ],
})

let device_number = 0
let site_number = 0
const aDevice = () => `00-00-5e-00-53-${(++device_number).toString(16).padStart(2, '0')}`

interface Site {
  url: string
  nas_identifier: string
  gateway: SimulatedGateway
}

/** A hotel with a guest in room 12, an account, a conference and a voucher. */
async function site(foyer: Foyer, ports: { access: number; accounting: number }): Promise<Site & { voucher: string }> {
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => {
    const { status, data } = await ask(foyer, call, body, token)
    expect(status, `${call} ${JSON.stringify(data)}`).toBeLessThan(300)
    return data
  }
  const form = new FormData()
  const picture = new File([new Uint8Array(await pngOf({ width: 400, height: 100, colour: '#345d7e' }))], 'logo.png', {
    type: 'image/png',
  })
  const name = `Quayside ${++site_number}`
  const fields = { name, company_name: 'Quayside', button_fill_colour: '#1F5FD0', terms: 'Be kind.' }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const method of [1, 2, 3, 4, 7]) form.append('auth_method_ids[]', String(method))
  form.append('logo', picture)
  const response = await fetch(`${foyer.url}/api/v1/portals-create`, {
    method: 'POST',
    headers: { 'App-Context': 'customer', Authorization: `Bearer ${token}` },
    body: form,
  })
  const portal = ((await response.json()) as { data: { id: number; url: string } }).data
  const { id: package_id } = await make('/packages-create', { name, session_time_hrs: 2, volume_gb: 1 })
  const place = { address: 'Quay 1', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const shown = { package_id, portal_id: portal.id, network_name: 'Quayside Guest' }
  const { id: property_id } = await make('/properties-create', { name, ...place, ...shown })
  const mac_address = `02:00:5e:00:01:0${site_number}`
  const box = { gateway_type_id: 13, property_id, dns_name: host, mac_address }
  const made = (await make('/gateways-create', box)) as unknown as {
    id: number
    nas_identifier: string
    radius_secret: string
  }
  await make('/accounts-create', { property_id, name: 'Ada', username: 'ada', password: 'quiet lantern 7' })
  await make('/accounts-create', { property_id, name: 'Summit', username: 'summit', account_type_id: 2 })
  const { id: room_id } = await make('/rooms-create', { property_id, number: '12' })
  await make('/room-guests-create', { room_id, last_name: 'Müller' })
  const { id: batch } = await make('/voucher-batches-create', { property_id, package_id, quantity: 2 })
  const { data: vouchers } = (await (
    await fetch(`${foyer.url}/api/v1/vouchers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'App-Context': 'customer', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ params: { voucher_batch_id: batch } }),
    })
  ).json()) as { data: { code: string }[] }
  const gateway = await openSimulatedGateway(ports, { gateway: { ...made, gateway_type_id: 13, mac_address } })
  await make('/gateways-update', { id: made.id, disconnect_port: gateway.port })
  return { url: portal.url, nas_identifier: made.nas_identifier, gateway, voucher: vouchers[0]?.code ?? '' }
}

/** Stands for the gateway's own page: it asks RADIUS with what the form brought, and sends the guest back. */
const stand = (page: Page, { gateway }: Site, device: string) =>
  page.route(`http://${host}/**`, async (route) => {
    const {
      username = '',
      password = '',
      userurl = '',
    } = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''))
    const verdict = await gateway.admit(device, { user_name: username, password })
    expect(verdict.code).toBe(code.access_accept)
    await route.fulfill({ status: 302, headers: { location: userurl } })
  })

const onAPhone = (browser: Browser, javaScriptEnabled: boolean) =>
  browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 }, hasTouch: true })

test('by each way in, with and without a script, a guest gets online, sees what is left and signs out', async ({
  browser,
  foyer,
  ports,
}) => {
  const its = await site(foyer, ports)
  const ways: [name: string, typed: Record<string, string>][] = [
    ['Free access', {}],
    ['Voucher', { 'Voucher code': its.voucher.toLowerCase() }],
    ['User name and password', { 'User name': 'Ada', Password: 'quiet lantern 7' }],
    ['Room number and last name', { 'Room number': '12', 'Last name': 'mueller' }],
    ['Event code', { 'Event code': 'Summit' }],
  ]
  for (const javaScriptEnabled of [true, false])
    for (const [way, typed] of ways)
      await test.step(`${way}, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
        const context = await onAPhone(browser, javaScriptEnabled)
        const page = await context.newPage()
        const seen = watch(page)
        const device = aDevice()
        await stand(page, its, device)
        await page.goto(`${its.url}?nasid=${its.nas_identifier}&client_mac=${device}&orig_url=http://example.com/`)
        await page.getByRole('radio', { name: way }).check()
        for (const [label, text] of Object.entries(typed)) await page.getByRole('textbox', { name: label }).fill(text)
        await page.getByLabel('I agree to the terms of use').check()
        await page.getByRole('button', { name: 'Connect' }).tap()
        if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).tap()
        await expect(page.getByRole('heading', { name: 'You are online' })).toBeVisible()
        await expect(page.getByText('1 GB', { exact: true })).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
        if (javaScriptEnabled) expect(await findings(page, undefined, undefined, ['light'])).toEqual([])
        await page.getByRole('link', { name: 'Refresh' }).tap()
        await expect(page.getByRole('heading', { name: 'You are online' })).toBeVisible()
        await page.getByRole('button', { name: 'Sign out' }).tap()
        await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
        await page.reload()
        await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
        expect(its.gateway.isOnline(device)).toBe(false)
        expect(await context.cookies()).toEqual([])
        seen.expectNothing()
        await context.close()
      })
  await its.gateway.close()
})

test('who mistypes reads why, keeps what was typed but the password, and tries again', async ({
  browser,
  foyer,
  ports,
}) => {
  const its = await site(foyer, ports)
  const context = await onAPhone(browser, false)
  const page = await context.newPage()
  const device = aDevice()
  await stand(page, its, device)
  await page.goto(`${its.url}?nasid=${its.nas_identifier}&client_mac=${device}&lang=de`)
  await page.getByRole('radio', { name: 'Benutzername und Passwort' }).check()
  await page.getByRole('textbox', { name: 'Benutzername' }).fill('ada')
  await page.getByRole('textbox', { name: 'Passwort' }).fill('quite lantern 7')
  await page.getByLabel('Ich stimme den Nutzungsbedingungen zu').check()
  await page.getByRole('button', { name: 'Verbinden' }).tap()
  await expect(page.getByRole('alert')).toContainText('Diese Angaben kennen wir nicht')
  await expect(page.getByRole('textbox', { name: 'Benutzername' })).toHaveValue('ada')
  await expect(page.getByRole('textbox', { name: 'Passwort' })).toHaveValue('')
  await page.getByRole('textbox', { name: 'Passwort' }).fill('quiet lantern 7')
  await page.getByLabel('Ich stimme den Nutzungsbedingungen zu').check()
  await page.getByRole('button', { name: 'Verbinden' }).tap()
  await page.getByRole('button', { name: 'Weiter' }).tap()
  await expect(page.getByRole('heading', { name: 'Sie sind online' })).toBeVisible()
  await context.close()
  await its.gateway.close()
})
