// Guests' sessions: the list shows reports of gateways as they arrive, without moving the focus; the desk disconnects with a reason;
// refused attempts show why; and an unknown gateway is registered from where it was noticed.
import { createSocket } from 'node:dgram'
import type { Locator, Page } from '@playwright/test'
import { attribute } from '#server/radius-codec/dictionary.ts'
import { expect, test as base } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectAtFoot, expectFitting, watch } from '#test/journeys/watch.ts'
import { openGateway, textIn } from '#test/radius-client.ts'

/** Two free UDP ports. */
async function freeUdpPorts(): Promise<[number, number]> {
  const sockets = [createSocket('udp4'), createSocket('udp4')]
  const ports = await Promise.all(
    sockets.map(async (socket) => {
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
      return socket.address().port
    }),
  )
  for (const socket of sockets) socket.close()
  return [ports[0] ?? 0, ports[1] ?? 0]
}

const test = base.extend<object, { settings: Record<string, string> }>({
  settings: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from the pattern
    async ({}, provide) => {
      const [access, accounting] = await freeUdpPorts()
      await provide({ SIGNUP: 'open', RADIUS_AUTH_PORT: String(access), RADIUS_ACCT_PORT: String(accounting) })
    },
    { scope: 'worker' },
  ],
})

/** Advances the browser's clock until the list has refreshed and shows something. */
const soon = (page: Page, seen: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward('00:30')
    await seen()
  }).toPass()
const at_once = { timeout: 2000 }
const password = 'Sommer-Regen'
const mac = (last: number) => `02:00:00:00:00:${String(last).padStart(2, '0')}`

async function aPlace(foyer: Foyer, settings: Record<string, string>, limits: object = {}) {
  const token = await operatorToken(foyer, {
    email: `sessions.${Date.now()}@harbour.example`,
    name: 'Ana Silva',
    company_name: 'Sessions',
  })
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data
  const { id: package_id } = await make('/packages-create', {
    name: 'Evening',
    volume_gb: 5,
    speed_mbps: 20,
    ...limits,
  })
  const { id: property_id } = await make('/properties-create', {
    name: 'Lantern Quay', address: '1 Quay', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1,
  }) // prettier-ignore
  const made = await make('/gateways-create', { property_id, gateway_type_id: 13, name: 'Cellar router' })
  const box = { nas_identifier: String(made['nas_identifier']), radius_secret: String(made['radius_secret']) }
  const ports = { access: Number(settings['RADIUS_AUTH_PORT']), accounting: Number(settings['RADIUS_ACCT_PORT']) }
  const gateway = await openGateway(ports, box)
  await ask(foyer, '/gateways-update', { id: made['id'], disconnect_port: gateway.port }, token)
  /** Signs a guest in by a new account; returns the attributes that all reports of the session share. */
  async function signIn(name: string, device: number) {
    const username = name.toLowerCase()
    await make('/accounts-create', { property_id, package_id, name, username, password })
    const known = { user_name: username, calling_station_id: mac(device) }
    const answer = await gateway.access({ ...known, password })
    const session = { ...known, class: textIn(answer, attribute.class) ?? '', acct_session_id: username }
    await gateway.report({ ...session, acct_status_type: 1, acct_session_time: 0 })
    return session
  }
  return { token, property_id, gateway, ports, signIn }
}

const rowOf = (page: Page, name: string): Locator => page.locator('tbody tr').filter({ hasText: name })

test('guests online are listed live, and disconnected with a reason', async ({ page, foyer, settings }) => {
  test.setTimeout(300_000)
  const { token, gateway, signIn } = await aPlace(foyer, settings)
  const [amelia, bruno] = [await signIn('Amelia', 1), await signIn('Bruno', 2)]
  await enter(page, token)
  const seen = watch(page)
  const hand = mouse(page)
  await page.clock.install()
  await page.goto('/customer/sessions')
  await expect(rowOf(page, 'Amelia')).toContainText('Online')
  await expect(rowOf(page, 'Amelia')).toContainText('5 GB')
  await expectAccessible(page)

  // Reports show by themselves; the focus stays, and new rows appear on request.
  await rowOf(page, 'Amelia').focus()
  await gateway.report({ ...amelia, acct_status_type: 3, acct_session_time: 1, acct_output_octets: 1_500_000_000 })
  await signIn('Clara', 3)
  await soon(page, () => expect(rowOf(page, 'Amelia')).toContainText('1.5 GB', at_once))
  await expect(rowOf(page, 'Amelia')).toBeFocused()
  await page.getByRole('button', { name: '1 new — show' }).click()
  await expect(rowOf(page, 'Clara')).toBeVisible()

  // One session, from its row; the dialog has an address.
  await rowOf(page, 'Amelia').getByRole('button', { name: 'Actions for Amelia' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Disconnect Amelia?')
  await expect(page).toHaveURL(/modal=disconnect-sessions&session_id=\d+/)
  await expectAccessible(page)
  await page.reload()
  await expect(dialog).toContainText('Disconnect Amelia?')
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('The guest has left')
  const asked = gateway.nextRequest()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Amelia is being disconnected')).toBeVisible()
  await expect(page).toHaveURL('/customer/sessions')
  expect(textIn(await asked, attribute.user_name)).toBe('amelia')
  await gateway.report({ ...amelia, acct_status_type: 2, acct_session_time: 700, acct_terminate_cause: 6 })
  await soon(page, () => expect(rowOf(page, 'Amelia')).toContainText('Disconnected at the desk', at_once))
  await expect(page.getByRole('checkbox', { name: 'Select Amelia' })).toBeDisabled()

  // Several sessions; Escape changes nothing, and they stay selected.
  await page.getByRole('checkbox', { name: 'Select Bruno' }).click()
  await page.getByRole('checkbox', { name: 'Select Clara' }).click()
  await hand.press('Disconnect')
  await expect(dialog).toContainText('Disconnect 2 sessions?')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/customer/sessions')
  await expect(page.getByRole('checkbox', { name: 'Select Bruno' })).toBeChecked()
  await hand.press('Disconnect')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The bar closes')
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('2 sessions being disconnected')).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Selected rows' })).toHaveCount(0)

  // With the filter for online sessions, one that has ended disappears.
  await hand.press('Online')
  await expect(page).toHaveURL(/filter\.online=true/)
  await gateway.report({ ...bruno, acct_status_type: 2, acct_session_time: 60, acct_terminate_cause: 1 })
  await soon(page, () => expect(rowOf(page, 'Bruno')).toHaveCount(0, at_once))
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(rowOf(page, 'Clara')).toBeVisible()
  await expectFitting(page)
  await gateway.close()
  seen.expectNothing()
})

test('before the desk frees a place, it reads when the guest is off where that is not at once', async ({
  page,
  foyer,
  settings,
}) => {
  test.setTimeout(300_000)
  const { token, property_id, gateway, signIn } = await aPlace(foyer, settings, { max_users: 1 })
  const own = { property_id, gateway_type_id: 3, name: 'Garden', settings: { level: '3' } }
  await ask(foyer, '/gateways-create', own, token)
  const { user_name } = await signIn('Erik', 6)
  await gateway.access({ user_name, password, calling_station_id: mac(7) })
  const { data } = await ask(foyer, '/accounts', { params: { property_id } }, token)
  const [{ id }] = data as unknown as [{ id: number }]
  await enter(page, token)
  const seen = watch(page)
  await page.goto(`/customer/guest-help?kind=account&id=${id}`)
  const dialog = page.getByRole('dialog')
  // Both where its devices stand, and as the fix for the one that was refused.
  for (const name of [`Disconnect ${mac(6)}`, `Free the place of ${mac(6)}`]) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(dialog).toContainText('Garden (openNDS) cannot disconnect guests early')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await gateway.close()
  seen.expectNothing()
})

test('a refused guest is shown with the reason, and an unknown gateway is noticed and registered', async ({
  page,
  foyer,
  settings,
}) => {
  test.setTimeout(300_000)
  const { token, property_id, gateway, ports, signIn } = await aPlace(foyer, settings)
  await signIn('Dora', 4)
  await gateway.access({ user_name: 'dora', password: 'wrong', calling_station_id: mac(5) })
  await enter(page, token)
  const seen = watch(page)
  const hand = mouse(page)
  await page.goto('/customer/sessions')
  await hand.follow('Sign-in attempts')
  await hand.press('Refused')
  await expect(rowOf(page, 'dora')).toContainText('The name, code or password is not right')
  await expectAccessible(page)

  // Noticed from the second packet on, once the address of the known gateway is known.
  const unregistered = await openGateway(ports, { nas_identifier: 'new-box', radius_secret: 'unknown' })
  const packet = () => unregistered.accessPacket({ user_name: 'somebody', calling_station_id: mac(6) })
  await page.goto(`/customer/properties/update?id=${String(property_id)}&tab=gateways`)
  await expect(rowOf(page, 'Cellar router')).toContainText('Heard now')
  const unknown = page.getByRole('list', { name: 'Gateways whose guests stay offline' })
  await expect(async () => {
    await unregistered.send(packet(), ports.access, 200)
    await page.reload()
    await expect(unknown).toContainText('new-box', { timeout: 2000 })
  }).toPass({ timeout: 90_000 })
  await expectAccessible(page)
  await unknown.getByRole('link', { name: 'Register new-box' }).click()
  await hand.type('Name', 'Attic router')
  await hand.choose('Type', 'Generic RADIUS (WISPr)')
  await hand.press('Continue')
  await expect(page.getByRole('textbox', { name: 'NAS identifier' })).toHaveValue('new-box')
  await expect(page.getByRole('textbox', { name: 'IP address' })).toHaveValue('127.0.0.1')
  await hand.press('Continue')
  await expect(page.getByRole('textbox', { name: 'Disconnect port' })).toHaveValue('3799')
  await hand.press('Create')
  await expect(page.getByText('The RADIUS secret is ready')).toBeVisible()
  await page.goto(`/customer/properties/update?id=${String(property_id)}&tab=gateways`)
  await expect(rowOf(page, 'Attic router')).toContainText('Never heard')
  await expect(unknown).toHaveCount(0)

  await page.goto('/customer/dashboard')
  await page.getByRole('link', { name: /^Guests online 1/ }).click()
  await expect(page).toHaveURL('/customer/sessions?filter.online=true')
  await expect(rowOf(page, 'Dora')).toBeVisible()
  await Promise.all([gateway.close(), unregistered.close()])
  seen.expectNothing()
})

test('who had an address at a given time is looked up, in the time zone of the property', async ({
  page,
  foyer,
  settings,
}) => {
  test.setTimeout(300_000)
  const { token, property_id, gateway, signIn } = await aPlace(foyer, settings)
  await ask(foyer, '/properties-update', { id: property_id, time_zone: 'Asia/Tokyo' }, token)
  const [greta, at] = [await signIn('Greta', 7), new Date()]
  const address = Buffer.from([10, 9, 0, 7])
  await gateway.report({ ...greta, acct_status_type: 3, acct_session_time: 60, framed_ip_address: address })
  await enter(page, token)
  const seen = watch(page)
  const hand = mouse(page)
  const dialog = page.getByRole('dialog', { name: 'Who had this address?' })
  const typed = dialog.getByLabel('Day and time')

  // From her row, with the known values filled in.
  await page.goto('/customer/sessions')
  await rowOf(page, 'Greta').getByRole('button', { name: 'Actions for Greta' }).click()
  await page.getByRole('menuitem', { name: 'Who had this address?' }).click()
  await expect(page).toHaveURL(/modal=whose-address&session_id=\d+/)
  await expect(dialog.getByRole('textbox', { name: 'IP address' })).toHaveValue('10.9.0.7')
  const inTokyo = new Date(at.getTime() + 9 * 3_600_000).toISOString()
  await expect(typed).toHaveValue(new RegExp(`^${inTokyo.slice(0, 10)}T`))
  await expect(dialog.getByRole('combobox', { name: 'In the time of' })).toHaveValue('Asia/Tokyo')
  await expectAccessible(page)
  await expectAtFoot(page, dialog.getByRole('button', { name: 'Look up' }))
  await hand.press('Look up')
  const holders = dialog.getByRole('region', { name: 'Who had it' })
  await expect(holders).toContainText('One session had 10.9.0.7')
  await expect(holders).toContainText('Still has it')
  await expect(holders.getByRole('link', { name: 'Lantern Quay' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectFitting(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await holders.getByRole('link', { name: 'Greta' }).click()
  await expect(page).toHaveURL(/\/customer\/accounts\/update\?id=\d+$/)

  // As for a written inquiry: an invalid address is refused, and the same time in another time zone has another result.
  await page.goto('/customer/sessions')
  await hand.follow('Who had this address?')
  await expect(page).toHaveURL('/customer/sessions?modal=whose-address')
  await hand.type('IP address', '10.9.0')
  await typed.fill(at.toISOString().slice(0, 16))
  await hand.press('Look up')
  await expect(dialog.getByText('Please enter an IP address')).toBeVisible()
  await hand.type('IP address', '10.9.0.7')
  await dialog.getByRole('combobox', { name: 'In the time of' }).fill('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await hand.press('Look up')
  await expect(dialog).toContainText('Nobody had it then')
  await dialog.getByRole('combobox', { name: 'In the time of' }).fill('UTC')
  await page.getByRole('option', { name: 'UTC', exact: true }).click()
  await expect(typed).toHaveValue(at.toISOString().slice(0, 16))
  await hand.press('Look up')
  await expect(holders).toContainText('Greta')
  await holders.getByRole('link', { name: 'Find in the list' }).click()
  await expect(page).toHaveURL(/\/customer\/sessions\?q=/)
  await expect(rowOf(page, 'Greta')).toBeVisible()
  await page.goto('/customer/user-profile?context=activity')
  await expect(page.getByRole('main')).toContainText('looked up who had an address')
  await gateway.close()
  seen.expectNothing()
})
