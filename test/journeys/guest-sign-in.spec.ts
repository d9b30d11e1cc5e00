// A guest's sign-in, in a real browser on a phone, with and without a script: from the gateway's redirect to the page that shows what
// is left, and signing out again; the gateway asks RADIUS over UDP. By each way in that needs no message.
import type { Browser, Page } from '@playwright/test'
import { code } from '#server/radius-codec/dictionary.ts'
import { expect } from '#test/journeys/fixtures.ts'
import { aDevice, host, site, test, type Site } from '#test/journeys/guest-site.ts'
import { expectFitting, findings, watch } from '#test/journeys/watch.ts'

/** Acts as the gateway's own page: asks RADIUS with the fields of the form, and redirects the guest back. */
const actAsGateway = (page: Page, { gateway }: Site, device: string) =>
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

test('a guest gets online by each way in, with and without a script, sees what is left and signs out', async ({
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
        await actAsGateway(page, its, device)
        await page.goto(
          `${its.url}?nasid=${its.registered.nas_identifier}&client_mac=${device}&orig_url=http://example.com/`,
        )
        await page.getByRole('radio', { name: way }).check()
        for (const [label, text] of Object.entries(typed)) await page.getByRole('textbox', { name: label }).fill(text)
        await page.getByLabel('I agree to the terms of use').check()
        await page.getByRole('button', { name: 'Connect' }).tap()
        if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).tap()
        await expect(page.getByRole('heading', { name: 'You are online' })).toBeVisible()
        await expect(page.getByText('1 GB', { exact: true })).toBeVisible()
        await expectFitting(page)
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

test('a guest who types a code and then chooses free access gets that', async ({ browser, foyer, ports }) => {
  const its = await site(foyer, ports)
  const context = await onAPhone(browser, false)
  const page = await context.newPage()
  const device = aDevice()
  await actAsGateway(page, its, device)
  await page.goto(`${its.url}?nasid=${its.registered.nas_identifier}&client_mac=${device}`)
  const ways = (name: string) => page.getByRole('radio', { name })
  await ways('Voucher').check()
  await page.getByRole('textbox', { name: 'Voucher code' }).fill('ABCD')
  await page.getByLabel('I agree to the terms of use').check()
  await ways('Free access').check()
  await page.getByRole('button', { name: 'Connect' }).tap()
  await page.getByRole('button', { name: 'Continue' }).tap()
  await expect(page.getByRole('heading', { name: 'You are online' })).toBeVisible()
  await context.close()
  await its.gateway.close()
})

test('after a mistake a guest sees the reason and tries again, with everything but the password still filled in', async ({
  browser,
  foyer,
  ports,
}) => {
  const its = await site(foyer, ports)
  const context = await onAPhone(browser, false)
  const page = await context.newPage()
  const device = aDevice()
  await actAsGateway(page, its, device)
  await page.goto(`${its.url}?nasid=${its.registered.nas_identifier}&client_mac=${device}&lang=de`)
  await page.getByRole('radio', { name: 'Benutzername und Passwort' }).check()
  await page.getByRole('textbox', { name: 'Benutzername' }).fill('ada')
  await page.getByRole('textbox', { name: 'Passwort' }).fill('quite lantern 7')
  await page.getByLabel('Ich stimme den Nutzungsbedingungen zu').check()
  await page.getByRole('button', { name: 'Verbinden' }).tap()
  await expect(page.getByRole('alert')).toContainText('Diese Angaben kennen wir nicht')
  await expect(page.getByRole('textbox', { name: 'Benutzername' })).toHaveValue('ada')
  const again = page.getByRole('textbox', { name: 'Passwort' })
  await expect(again).toHaveValue('')
  await expect(again).toBeFocused()
  for (const name of ['Benutzername', 'Passwort'])
    await expect(page.getByRole('textbox', { name })).toHaveAttribute('aria-invalid', 'true')
  await expect(again).toHaveAccessibleDescription(/Diese Angaben kennen wir nicht/)
  await expect(page.getByLabel('Ich stimme den Nutzungsbedingungen zu')).toBeChecked()
  await again.fill('quiet lantern 7')
  await page.getByRole('button', { name: 'Verbinden' }).tap()
  await page.getByRole('button', { name: 'Weiter' }).tap()
  await expect(page.getByRole('heading', { name: 'Sie sind online' })).toBeVisible()
  await context.close()
  await its.gateway.close()
})
