// Guest gateways: a guest with a voucher on a phone is redirected to a portal without TLS, by each kind of gateway.
import { expect } from '#test/journeys/fixtures.ts'
import { host } from '#test/journeys/guest-site.ts'
import { elsewhere, test, throughEachKind } from '#test/journeys/guest-network.ts'

throughEachKind()

test('Chromium enforces its rules: a page on the internet cannot send requests to the gateway by itself', async ({
  page,
  network,
}) => {
  let asked = 0
  network.standFor(async () => `http://${host}/${String(asked++)}`)
  await page.goto(`http://${elsewhere}/`)
  const answer = page.evaluate(
    (address) => fetch(address, { mode: 'no-cors' }).then(() => 'answered'),
    `http://${host}/`,
  )
  await expect(answer).rejects.toThrow('Failed to fetch')
  expect(asked).toBe(0)
})
