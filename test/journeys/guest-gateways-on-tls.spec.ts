// Guest gateways on TLS: a guest with a voucher on a phone is redirected to a portal on TLS, as in production, by each kind of gateway.
import { expect } from '#test/journeys/fixtures.ts'
import { test, throughEachKind } from '#test/journeys/guest-network.ts'
import { aDevice, host, site } from '#test/journeys/guest-site.ts'

test.use({ tls: true })
throughEachKind()

test('Chromium enforces its rules: a form that leaves the encrypted page stops at a warning, and never reaches the gateway', async ({
  page,
  foyer,
  ports,
  network,
}) => {
  test.skip(process.env.CHROME?.endsWith('-headless-shell') === true, 'the headless shell has no such warning')
  const its = await site(foyer, ports, 13, { login_method: 'post' })
  let asked = 0
  network.standFor(async () => `http://${host}/${String(asked++)}`)
  await page.goto(`${its.url}?nasid=${its.registered.nas_identifier}&client_mac=${aDevice()}`)
  await page.getByRole('radio', { name: 'Free access' }).check()
  await page.getByLabel('I agree to the terms of use').check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('not secure').first()).toBeVisible()
  expect(asked).toBe(0)
  await its.gateway.close()
})
