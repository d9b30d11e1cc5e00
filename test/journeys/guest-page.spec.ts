// The page for guests, in a real browser: accessible in each layout and font, complete without a script, and showing as plain text
// whatever an operator types.
//
// `npm run proofs` runs axe for each font on each screen size; otherwise once for each screen size of a layout.
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { findings, watch } from '#test/journeys/watch.ts'
import { textsToTry } from '#test/hostile-texts.ts'
import { pngOf } from '#test/pictures.ts'
import { full } from '#test/proofs/proof.ts'
import { directionOf, languageCodes, textsOf } from '#portal/languages.ts'

const operator = { email: 'ida@pages.example', name: 'Ida Berg', company_name: 'Berg Stays' }

const layouts = { Horizontal: 1, Vertical: 2, 'Layout with image': 3 }
const fonts = { Inter: 1, Lato: 2, 'Open Sans': 3, Karla: 4, Montserrat: 5, Roboto: 6, 'PT Serif': 7 }
const screens = [
  { width: 320, height: 568 },
  { width: 568, height: 320 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
]

type Fields = Record<string, string | number | File | number[]>
interface Portal {
  id: number
  url: string
}

async function upload(foyer: Foyer, call: string, fields: Fields): Promise<Portal> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat())
      form.append(Array.isArray(value) ? `${name}[]` : name, typeof one === 'number' ? String(one) : one)
  const response = await fetch(`${foyer.url}/api/v1${call}`, {
    method: 'POST',
    headers: { 'App-Context': 'customer', Authorization: `Bearer ${await operatorToken(foyer, operator)}` },
    body: form,
  })
  const { data, ...refused } = (await response.json()) as { data: Portal }
  expect(refused).not.toHaveProperty('errors')
  return data
}

const picture = async (width: number, height: number) =>
  new File([new Uint8Array(await pngOf({ width, height, colour: '#345d7e' }))], 'picture.png', { type: 'image/png' })

let made = 0
async function portal(foyer: Foyer, fields: Fields = {}): Promise<Portal> {
  return upload(foyer, '/portals-create', {
    name: `Page ${++made} of ${process.pid}`,
    company_name: 'Berg Stays',
    auth_method_ids: [2],
    terms: 'Use it lawfully, and with regard for other guests.\n'.repeat(20),
    privacy_url: 'https://berg.example/privacy',
    marketing_text: 'Send me offers by e-mail, about once a month.',
    portal_footer: 'Berg Stays Ltd, Bath',
    logo: await picture(400, 100),
    portal_image: await picture(800, 1000),
    ...fields,
  })
}

/** Enables the form, as for a guest in the network: without a gateway it is disabled. */
const unlock = (page: Page) =>
  page.evaluate(() => {
    for (const fieldset of document.querySelectorAll('fieldset')) fieldset.disabled = false
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details.more')) details.open = true
  })

for (const [layout, portal_layout_id] of Object.entries(layouts))
  test(`${layout}: it is accessible in each font, in portrait and landscape`, async ({ page, foyer }) => {
    const { id, url } = await portal(foyer, { portal_layout_id })
    const seen = watch(page)
    for (const [index, [font, portal_font_id]] of Object.entries(fonts).entries()) {
      await upload(foyer, '/portals-update', { id, portal_font_id })
      await page.goto(url)
      await unlock(page)
      expect(
        await page.evaluate((family) => document.fonts.load(`16px "${family}"`).then((faces) => faces.length), font),
      ).toBe(1)
      for (const [number, screen] of screens.entries()) {
        await page.setViewportSize(screen)
        const where = `${font}, ${screen.width} × ${screen.height}`
        // Axe does not see fonts, so each screen size is checked with one of them.
        if (full || index === number) expect(await findings(page, undefined, undefined, ['light']), where).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), where).toBeLessThanOrEqual(
          0,
        )
      }
    }
    expect(await page.context().cookies()).toEqual([])
    seen.expectNothing()
  })

const windows = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

test('it is accessible in each language, light and dark, and nothing is wider than the window', async ({
  page,
  foyer,
}) => {
  for (const portal_layout_id of Object.values(layouts)) {
    const { url } = await portal(foyer, { portal_layout_id, auth_method_ids: [2, 4, 5] })
    for (const [index, language] of languageCodes.entries()) {
      if (!full && index % Object.keys(layouts).length !== portal_layout_id - 1) continue
      await page.goto(`${url}?lang=${language}`)
      await expect(page.locator('html')).toHaveAttribute('dir', directionOf(language))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(textsOf[language].headline)
      await unlock(page)
      for (const [number, window] of windows.entries()) {
        await page.setViewportSize(window)
        const where = `${language}, layout ${portal_layout_id}, ${window.width} px`
        if (full || index % windows.length === number) expect(await findings(page), where).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), where).toBeLessThanOrEqual(
          0,
        )
      }
    }
  }
})

test('it is dark if the phone is, and a dark design is not changed', async ({ page, foyer }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const grounds = async (url: string) => {
    await page.goto(url)
    const seen = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      seen.push(await ground())
    }
    return seen
  }
  const [light, dark] = await grounds((await portal(foyer)).url)
  expect(light).toBe('rgb(255, 255, 255)')
  expect(dark).toMatch(/^rgb\(\d{1,2}, \d{1,2}, \d{1,2}\)$/)
  const own = { background_colour: '#202830', form_container_colour: '#2A333D', body_text_colour: '#FFFFFF' }
  expect(await grounds((await portal(foyer, own)).url)).toEqual(['rgb(32, 40, 48)', 'rgb(32, 40, 48)'])
})

const onAPhone = (browser: Browser) =>
  browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    locale: 'fr-FR',
  })

test('without a script it opens in the language of the phone, and can be changed to another', async ({
  browser,
  foyer,
}) => {
  const { url } = await portal(foyer, { headline: 'Welcome' })
  const context = await onAPhone(browser)
  const page = await context.newPage()
  await page.goto(url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.getByText('Rejoignez d’abord le Wi-Fi invité')).toBeVisible()
  await page.getByText('Lire les conditions d’utilisation').tap()
  await expect(page.getByText('Use it lawfully').first()).toBeVisible()
  await page.getByText('Français').first().tap()
  await page.getByRole('link', { name: 'Deutsch' }).tap()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('button', { name: 'Verbinden' })).toBeDisabled()
  expect(await context.cookies()).toEqual([])
  await context.close()
})

test('of several ways in only the selected one shows its fields', async ({ page, foyer }) => {
  const { id, url } = await portal(foyer)
  await page.goto(url)
  await expect(page.getByLabel('Voucher code')).toBeVisible()
  await upload(foyer, '/portals-update', { id, auth_method_ids: [4, 2] })
  await page.reload()
  await unlock(page)
  await expect(page.getByLabel('Room number', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Voucher code')).toBeHidden()
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await expect(page.getByLabel('Voucher code')).toBeVisible()
  await expect(page.getByLabel('Room number', { exact: true })).toBeHidden()
})

test('whatever an operator types is shown as plain text', async ({ page, foyer }) => {
  if (full) test.setTimeout(1_200_000)
  const fields = ['company_name', 'headline', 'portal_footer', 'terms', 'marketing_text']
  // A headline holds 120 characters, and a form sends each line break as two.
  const fit = (text: string) => text.slice(0, 100)
  const all = (text: string) => Object.fromEntries(fields.map((field) => [field, fit(text)]))
  const { id, url } = await portal(foyer, all('plain'))
  const elements = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')].map((one) => `${one.tagName} ${one.getAttributeNames().join(' ')}`),
    )
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).host))
  await page.goto(url)
  const plain = await elements()
  for (const text of textsToTry) {
    await upload(foyer, '/portals-update', { id, ...all(text) })
    await page.goto(url)
    expect(await elements(), text).toEqual(plain)
    expect((await page.locator('h1').textContent())?.trim(), text).toBe(fit(text).trim())
    expect(await page.title(), text).not.toBe('taken')
  }
  expect([...asked]).toEqual([new URL(url).host])
})

test('a guest from a gateway is sent back to it with a pass: by a script, or by a button', async ({
  browser,
  foyer,
}) => {
  const token = await operatorToken(foyer, operator)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data
  const { id: portal_id, url } = await portal(foyer, { auth_method_ids: [1], terms: 'Be kind.' })
  const { id: property_id } = await make('/properties-create', {
    name: 'The Lantern',
    address: 'Quay 1',
    city: 'Bath',
    country_id: 1,
    property_type_id: 1,
    connectivity_type_id: 1,
    portal_id,
  })
  const gateway = { gateway_type_id: 13, property_id, dns_name: 'hotspot.berg.example' }
  const { nas_identifier } = await make('/gateways-create', gateway)
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    const sent: string[] = []
    await page.route('http://hotspot.berg.example/**', (route) => {
      sent.push(route.request().postData() ?? '')
      return route.fulfill({ body: 'The gateway has it.' })
    })
    await page.goto(`${url}?nasid=${String(nas_identifier)}&client_mac=02-00-00-00-00-02&login_url=http://x.example/in`)
    await expect(page.getByText('The Lantern')).toBeVisible()
    await page.getByLabel('I agree to the terms of use').check()
    await page.getByRole('button', { name: 'Connect' }).click()
    if (!javaScriptEnabled) {
      await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await expect(page.getByText('The gateway has it.')).toBeVisible()
    expect(page.url()).toBe('http://hotspot.berg.example/in')
    expect(sent).toEqual([expect.stringMatching(/^username=pass-[\w-]{22}&password=[\w-]{22}&userurl=/)])
    await context.close()
  }
})
