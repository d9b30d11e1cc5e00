// ExtremeCloud IQ Controller online: guests whom it lets in for what we have signed.
import { expect, test } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import type { SentGuest } from '#server/gateways/simulated.ts'
import { said, withCalled } from '#test/called.ts'
import { aMacAddress } from '#test/foyer.ts'
import { openExtremeController } from './simulation.ts'

const { siteOf } = withCalled(() => {})

const extreme = { gateway_type_id: 15, dns_name: 'controller.hotel.example', settings: { identity: 'foyer' } }

test('ExtremeCloud IQ Controller: what it has signed is taken, and what we sign lets in; the right is judged at once', async () => {
  let controller: ReturnType<typeof openExtremeController> | null = null
  const host = extreme.dns_name
  const { gateway, portal_url } = await siteOf(extreme, () => '')
  const arrive = async (sent: Partial<SentGuest> = {}, now = new Date()) => {
    controller = openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host, ...sent }, 'foyer', now)
    return signIn(await openPage(portal_url + controller.query), { method: authMethods.free, typed: {} }, true)
  }
  const answer = await arrive()
  if ('page' in answer || !controller) throw new Error('not let in')
  const { username, dest } = (controller as ReturnType<typeof openExtremeController>).takes(answer.to)
  expect(username).toMatch(/^pass-/)
  expect(said(await openPage(dest ?? ''))).toBe('You are online')
  // Nothing is signed for a redirect that is altered, of another secret, or a replay.
  const isLetIn = async (query: string) => {
    const page = await signIn(await openPage(portal_url + query), { method: authMethods.free, typed: {} }, true)
    return 'to' in page
  }
  const { query } = openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host }, 'foyer')
  expect(await isLetIn(query)).toBe(true)
  expect(await isLetIn(query.replace('token=', 'token=x'))).toBe(false)
  expect(await isLetIn(query.replace('192.0.2.66', '198.51.100.1'))).toBe(false)
  expect(await isLetIn(query.replace(/&X-Amz-Signature=\w+/, '&X-Amz-Signature=%C3%A9'))).toBe(false)
  const others = { ...gateway, radius_secret: 'another' }
  for (const forged of [
    openExtremeController({ gateway: others, mac_address: aMacAddress(), portal_url, host }, 'foyer'),
    openExtremeController({ gateway, mac_address: aMacAddress(), portal_url, host }, 'somebody'),
    openExtremeController({ gateway, mac_address: aMacAddress(), portal_url: `${portal_url}x`, host }, 'foyer'),
    openExtremeController(
      { gateway, mac_address: aMacAddress(), portal_url, host },
      'foyer',
      new Date(Date.now() - 7_200_000),
    ),
  ])
    expect(await isLetIn(forged.query)).toBe(false)
})
