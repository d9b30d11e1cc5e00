// Gateways: one is registered step by step; the RADIUS secret is shown once, in the lines to paste, and can be renewed.
import { expect, test } from '#test/journeys/fixtures.ts'
import { mouse } from '#test/journeys/hands.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting, watch } from '#test/journeys/watch.ts'

test('a gateway is registered, and its secret is shown only once', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Gateway House', draft: true }, token)
  await enter(page, token)
  const seen = watch(page)
  const hand = mouse(page)
  await page.goto(`/customer/properties/update?id=${String(property['id'])}&tab=gateways`)
  await expect(page.getByText('No gateways yet')).toBeVisible()
  await hand.follow('New gateway')
  await hand.type('Name', 'Cellar router')
  await hand.choose('Type', 'MikroTik RouterOS')
  await hand.press('Continue')
  await hand.type('IP address', '10.0.0.1')
  await expectAccessible(page)
  await hand.press('Continue')
  await hand.press('Create')
  await expect(page.getByText('The RADIUS secret is ready')).toBeVisible()
  const lines = page.getByRole('region', { name: 'Lines to paste' })
  await expect(lines).toContainText(/secret="[A-Za-z2-9]{24}"/)
  await page.setViewportSize({ width: 390, height: 900 })
  await expectAccessible(page)
  await expectFitting(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.reload()
  await expect(lines).toContainText('secret="THE-RADIUS-SECRET"')
  await expect(page.getByText('The RADIUS secret is ready')).toHaveCount(0)
  await hand.press('Make a new secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
  await expect(lines).toContainText(/secret="[A-Za-z2-9]{24}"/)
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('list', { name: 'What needs doing' })).toContainText('Never heard')
  await expectAccessible(page)

  await page.goto(`/customer/properties/update?id=${String(property['id'])}&tab=gateways`)
  await page.getByRole('checkbox', { name: 'Select Cellar router' }).click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('1 gateway disabled')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Cellar router' })).toContainText('disabled')
  seen.expectNothing()
})

test('a kind is asked for what it uses, and what is wrong stands at its setting', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'House of makes', draft: true }, token)
  await enter(page, token)
  // No kind has settings yet: the browser is told that one has, and the server, which knows better, refuses them.
  await page.route('**/api/v1/gateway-kinds', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: { id: number; parameters: object[] }[] }
    const parameter = { choices: [], required: false, once: false, help: null }
    data
      .find(({ id }) => id === 13)
      ?.parameters.push(
        {
          ...parameter,
          key: 'controller_url',
          label: 'Controller',
          kind: 'url',
          required: true,
          help: 'Where it listens.',
        },
        { ...parameter, key: 'api_key', label: 'API key', kind: 'secret' },
        { ...parameter, key: 'role', label: 'Role', kind: 'choice', choices: [{ value: 'guest', label: 'Guests' }] },
        { ...parameter, key: 'vlan', label: 'VLAN', kind: 'number' },
        { ...parameter, key: 'tls', label: 'Checks the certificate', kind: 'switch' },
      )
    await route.fulfill({ json: { data } })
  })
  const seen = watch(page, [422])
  const hand = mouse(page)
  await page.goto(`/customer/gateways/update?property_id=${String(property['id'])}`)
  const access = async (type: string) => {
    await hand.choose('Type', type)
    await hand.press('Continue')
    await hand.press('Continue')
    await expect(page.getByRole('heading', { name: 'Access' })).toBeVisible()
  }
  const back = async () => {
    await page.goBack()
    await page.goBack()
  }
  await access('openNDS')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveCount(0)
  await back()
  await access('OPNsense')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAccessibleDescription(
    /signs in to the controller/,
  )
  await expect(page.getByRole('textbox', { name: 'Zone' })).toBeVisible()
  await back()
  await access('Generic RADIUS (WISPr)')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveCount(0)
  await expectAccessible(page)
  await hand.press('Create')
  const controller = page.getByRole('textbox', { name: 'Controller' })
  await expect(controller).toHaveAccessibleDescription(/This field is required/)
  await controller.fill('https://wifi.example')
  await page.getByLabel('API key').fill('a key')
  await hand.press('Create')
  await expect(controller).toHaveAccessibleDescription(/This field is not known/)
  await page.setViewportSize({ width: 390, height: 900 })
  await expectAccessible(page)
  await expectFitting(page)
  seen.expectNothing()
})

test('the lamps of a gateway say what was heard, and what to do', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'House of lamps', draft: true }, token)
  const settings = { controller_url: 'https://10.0.0.2:8443' }
  const its = { property_id: property['id'], gateway_type_id: 4, username: 'foyer', password: 'a password', settings }
  const { data: gateway } = await ask(foyer, '/gateways-create', its, token)
  await enter(page, token)
  const seen = watch(page)
  await page.goto(`/customer/gateways/update?id=${String(gateway['id'])}&tab=setup`)
  const lamps = page.getByRole('list', { name: 'Check it' }).getByRole('listitem')
  await expect(lamps).toHaveCount(5)
  await expect(lamps.nth(0)).toContainText('Join its guest network with a phone')
  // Without another press: the controller has been called meanwhile.
  await expect(lamps.nth(1)).toContainText('Needs fixing', { timeout: 30_000 })
  await expect(lamps.nth(1)).toContainText('ALLOWED_HOSTS')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 900 })
  await expectAccessible(page)
  await expectFitting(page)
  seen.expectNothing()
})

test('a new password that was saved is no longer unsaved', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'House of keys', draft: true }, token)
  const settings = { controller_url: 'https://10.0.0.2:8443' }
  const its = { property_id: property['id'], gateway_type_id: 4, username: 'foyer', password: 'a password', settings }
  const { data: gateway } = await ask(foyer, '/gateways-create', its, token)
  await enter(page, token)
  await page.goto(`/customer/gateways/update?id=${String(gateway['id'])}&tab=details`)
  const password = page.getByLabel('New password', { exact: true })
  await password.fill('another password')
  const update = page.getByRole('button', { name: 'Update', exact: true })
  await update.click()
  await expect(page.getByText('The gateway has been updated')).toBeVisible()
  await expect(password).toHaveValue('')
  await expect(update).toBeDisabled()
})

test('limits that a gateway does not keep are said where a package is chosen, and when guests are off where they are put off', async ({
  page,
  foyer,
}) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data
  const { id: property_id } = await make('/properties-create', { name: 'House of limits', draft: true })
  await make('/packages-create', { name: 'Fast day', speed_mbps: 20, session_time_hrs: 24 })
  const settings = { splash: 'click_through' }
  await make('/gateways-create', { property_id, gateway_type_id: 8, name: 'Roof', settings })
  await make('/gateways-create', { property_id, gateway_type_id: 3, name: 'Lobby', settings: { level: '3' } })
  await make('/devices-create', { property_id, name: 'Television', mac_address: '02:00:00:00:00:77' })
  await enter(page, token)
  const seen = watch(page)
  const hand = mouse(page)
  await page.goto(`/customer/properties/update?id=${String(property_id)}&tab=details`)
  const unkept = page.getByText('The speed limit of “Fast day” is not enforced by Roof (Cisco Meraki).')
  await expect(page.getByLabel('Package', { exact: true })).toBeVisible()
  await expect(unkept).toHaveCount(0)
  await hand.choose('Package', 'Fast day')
  await expect(unkept).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 900 })
  await expectFitting(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto(`/customer/properties/update?id=${String(property_id)}&tab=devices`)
  await page.getByRole('checkbox', { name: 'Select Television' }).click()
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('stay online until their granted time is over, 15 minutes at most')
  await expect(dialog).toContainText('Lobby (openNDS) cannot disconnect guests early')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('1 device disabled')).toBeVisible()
  seen.expectNothing()
})

test('another certificate of a controller is accepted in the form, with its password', async ({ page, foyer }) => {
  test.setTimeout(240_000)
  const token = await operatorToken(foyer)
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Certified House', draft: true }, token)
  const { data: gateway } = await ask(
    foyer,
    '/gateways-create',
    {
      property_id: property['id'],
      gateway_type_id: 4,
      username: 'foyer',
      password: 'of the controller',
      settings: { controller_url: 'https://controller.example', tls_fingerprint: 'AA:BB' },
    },
    token,
  )
  const id = String(gateway['id'])
  // The controller is nowhere: the browser is told that it has shown another certificate.
  await page.route(`**/api/v1/gateways-check/${id}`, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: object }
    await route.fulfill({ json: { ...rest, data: { ...data, certificate: 'CC:DD' } } })
  })
  await enter(page, token)
  const seen = watch(page, [422])
  const hand = mouse(page)
  await page.goto(`/customer/gateways/update?id=${id}&tab=setup`)
  await hand.press('Accept this certificate')
  await expect(page.getByText('enter the secrets under Access again')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Accepted certificate' })).toHaveValue('CC:DD')
  await hand.press('Update')
  const password = page.getByLabel('New password')
  await expect(password).toHaveAccessibleDescription(/the accepted certificate has changed/)
  await password.fill('of the controller')
  await hand.press('Update')
  await expect(page.getByRole('button', { name: 'Update' })).toBeDisabled()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Accepted certificate' })).toHaveValue('CC:DD')
  seen.expectNothing()
})

test('what is off is said: the portal where a gateway is set up, and that there is no active property to try', async ({
  page,
  foyer,
}) => {
  const token = await operatorToken(foyer)
  const { data } = await ask(foyer, '/portals', {}, token)
  const [portal] = data as unknown as { id: number; name: string }[]
  const draft = { name: 'House to come', draft: true, portal_id: portal?.id }
  const { data: property } = await ask(foyer, '/properties-create', draft, token)
  const made = { property_id: property['id'], gateway_type_id: 13, ip_address: '10.0.0.1' }
  const { data: gateway } = await ask(foyer, '/gateways-create', made, token)
  await ask(foyer, '/portals-deactivate', { ids: [portal?.id] }, token)
  await enter(page, token)
  const seen = watch(page)
  await page.goto(`/customer/gateways/update?id=${String(gateway['id'])}&tab=setup`)
  const off = page.getByRole('alert').filter({ hasText: 'Guests who are sent to the portal see no page' })
  await expect(off.getByRole('link', { name: portal?.name ?? '' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/customer/dashboard?modal=trial')
  const dialog = page.getByRole('dialog', { name: 'Try it as a guest' })
  await expect(dialog.getByText('No property is active yet')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Properties' })).toBeVisible()
  await expectAccessible(page)
  seen.expectNothing()
})
