// Hostile texts: records are named with markup and scripts, and every screen shows these names as typed. `npm run proofs` opens each
// record; otherwise one of each kind is opened.

import type { Page } from '@playwright/test'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { hostileTexts, textsToTry } from '#test/hostile-texts.ts'
import { full } from '#test/proofs/proof.ts'

type Values = Record<string, unknown>
interface Kind {
  call: string
  /** The list of these records, and the screen of one. */
  list: string
  one?: string
  /** False if the list does not show the text. */
  shows?: false
  values: (text: string, nth: number) => Values
}

/** A new customer with a record of each kind for each text; a few may be refused. */
async function furnish(foyer: Foyer) {
  const person = { email: 'hostile@harbour.example', name: 'Ana Silva', company_name: 'Hostile Texts' }
  const token = await operatorToken(foyer, person)
  const make = async (call: string, body: Values) => (await ask(foyer, call, body, token)).data['id']
  const where = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const property_id = await make('/properties-create', { name: 'Quay House', ...where })
  const package_id = await make('/packages-create', { name: 'Day' })
  const room_id = await make('/rooms-create', { property_id, number: '12' })
  const mac = (first: string, nth: number) => `${first}:00:5e:00:53:${nth.toString(16).padStart(2, '0')}`
  const kinds: Kind[] = [
    { call: '/groups-create', list: 'groups', one: 'groups/update', values: (name) => ({ name }) },
    {
      call: '/properties-create',
      list: 'properties',
      one: 'properties/update',
      values: (name) => ({
        name,
        ...where,
        city: name.slice(0, 40),
        address: name,
        external_reference: name.slice(0, 60),
      }),
    },
    { call: '/packages-create', list: 'packages', one: 'packages/update', values: (name) => ({ name }) },
    { call: '/collections-create', list: 'collections', one: 'collections/update', values: (name) => ({ name }) },
    { call: '/teams-create', list: 'user-profile?context=team', values: (name) => ({ name }) },
    { call: '/categories-create', list: 'mac-categories', one: 'mac-categories/update', values: (name) => ({ name }) },
    {
      call: '/accounts-create',
      list: 'accounts',
      one: 'accounts/update',
      values: (name, nth) => ({ name, username: `hostile-${nth}`, password: 'quay-2345', property_id }),
    },
    {
      call: '/room-guests-create',
      list: `rooms/update?id=${String(room_id)}`,
      one: 'room-guests/update',
      values: (text) => ({ room_id, first_name: text, last_name: text }),
    },
    {
      call: '/devices-create',
      list: 'devices',
      one: 'devices/update',
      values: (name, nth) => ({
        name,
        mac_address: mac('00', nth),
        property_id,
        external_reference: name.slice(0, 60),
      }),
    },
    {
      call: '/gateways-create',
      list: `properties/update?id=${String(property_id)}&tab=gateways`,
      one: 'gateways/update',
      values: (name, nth) => ({ name, mac_address: mac('02', nth), property_id, gateway_type_id: 1 }),
    },
    {
      call: '/users-invite',
      list: 'users',
      one: 'users/update',
      values: (name, nth) => ({ name, email: `hostile-${nth}@harbour.example`, user_type_id: 1 }),
    },
    {
      call: '/voucher-batches-create',
      list: 'vouchers',
      shows: false,
      one: 'vouchers/update',
      values: (text) => ({ quantity: 1, package_id, property_id, password: text.slice(0, 30) }),
    },
  ]
  const made = new Map<Kind, unknown[]>()
  for (const kind of kinds) {
    const ids: unknown[] = []
    for (const [nth, text] of textsToTry.entries()) {
      const { status, data } = await ask(foyer, kind.call, kind.values(text, nth), token)
      if (status < 300) ids.push(data['id'])
    }
    expect(ids.length, `${kind.call} takes most texts`).toBeGreaterThan(textsToTry.length / 2)
    made.set(kind, ids)
  }
  return { token, made }
}

/** A text that every kind accepts, and that is visible wherever it is shown. */
const plain = '<style>body { display: none }</style>'

/** Records what a text could do if it were interpreted: dialogs, requests, errors and foreign elements. */
function watchForHarm(page: Page, foyer: Foyer) {
  const harm: string[] = []
  page.on('dialog', (dialog) => {
    harm.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(foyer.url)) harm.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => harm.push(`an error: ${error.message}`))
  return async (where: string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[class*=skeleton]')).toHaveCount(0)
    await expect(page, where).toHaveTitle(/Foyer/)
    const foreign = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')]
        .filter(
          (element) =>
            element.matches(
              'script, base, meta, object, embed, iframe[srcdoc], form[action*="evil"], link[href*="evil"]',
            ) || [...element.attributes].some(({ name }) => name.startsWith('on')),
        )
        .map((element) => element.outerHTML.slice(0, 200)),
    )
    expect(foreign, where).toEqual([])
    expect(harm, where).toEqual([])
  }
}

// The full proof opens more screens in a minute than a user may.
if (full) test.use({ settings: { REQUESTS_PER_MINUTE: '1000000' } })

test('markup and scripts in names are shown as plain text', async ({ page, foyer }) => {
  test.setTimeout(full ? 7_200_000 : 300_000)
  const { token, made } = await furnish(foyer)
  const noHarm = watchForHarm(page, foyer)
  await enter(page, token)
  for (const [nth, [{ list, one, shows }, ids]] of [...made].entries()) {
    await page.goto(`/customer/${list}`)
    await noHarm(list)
    if (shows !== false) await expect(page.getByRole('main').getByText(plain).first(), list).toBeVisible()
    const opened = full ? ids : ids.slice(nth % ids.length, (nth % ids.length) + 1)
    for (const id of one ? opened : []) {
      await page.goto(`/customer/${one}?id=${String(id)}`)
      await noHarm(`${one} ${String(id)}`)
    }
  }
  for (const screen of ['dashboard', 'user-profile?context=activity', 'vouchers/create', 'accounts/update']) {
    await page.goto(`/customer/${screen}`)
    await noHarm(screen)
  }
  // A record is found by its text in a list, and in the palette.
  const [first = ''] = hostileTexts
  await page.goto('/customer/groups')
  await page.getByRole('textbox', { name: 'Search groups' }).fill(first)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: first, exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('document.title')
  await expect(page.getByRole('option').filter({ hasText: 'document.title' }).first()).toBeVisible()
  await noHarm('the palette')
})
