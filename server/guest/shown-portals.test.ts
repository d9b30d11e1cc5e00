// Shown portals: an arriving guest sees, and may do, what the portal of their property offers, at whatever portal's address of the customer
// the gateway's redirect leads.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Client } from 'pg'
import * as customPortals from '#contract/custom-portals.ts'
import { authMethods, portalTypes } from '#contract/portals.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import { textsOf } from '#portal/languages.ts'
import { aMacAddress, unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aFile } from '#test/uploads.ts'
import { codesOf } from '#test/voucher-codes.ts'
import { aPage, aZip } from '#test/zips.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

const words = textsOf.en
const { free, voucher } = authMethods
const types = { coovaChilli: 2, generic: 13 }
const host = 'spot.example'

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

async function ask(address: string, form?: Record<string, string>) {
  const answer = await foyer.guest?.inject({
    method: form ? 'POST' : 'GET',
    url: address.replace(portal_url, ''),
    headers: form ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  if (!answer) throw new Error('there is no guest app')
  return answer
}

/** A hotel whose guests need a voucher, and another portal of the customer, which anybody passes. */
async function town(gateway_type_id = types.generic) {
  const editor = await foyer.customer()
  const hotel = await foyer.portal(editor, { company_name: 'The Hotel', auth_method_ids: [voucher] })
  const cafe = await foyer.portal(editor, { company_name: 'The Café', auth_method_ids: [free] })
  const { id: property_id } = await foyer.property(editor, { portal_id: hotel.id })
  const gateway = await foyer.gateway(editor, { gateway_type_id, property_id, dns_name: host })
  const { id } = await foyer.voucherBatch(editor, { property_id, quantity: 1 })
  const [code = ''] = await codesOf(admin, id)
  const query = `?nasid=${gateway.nas_identifier}&client_mac=${aMacAddress()}`
  const move = (portal_id: number | null) => foyer.get(properties.update, { id: property_id, portal_id }, editor)
  return { editor, hotel, cafe, property_id, gateway, code, query, move }
}

async function customPortal(editor: Person) {
  const page = aPage('<i>own</i>{{form}}')
  const auth_method_ids = [free, voucher]
  const zip = aFile('portal.zip', aZip([{ name: 'index.html', content: page }]))
  return (await foyer.get(customPortals.createCustom, { name: unique('Own'), auth_method_ids, portal: zip }, editor))
    .data
}

test('at the address of another portal, a guest gets the one of their property, before, while and after signing in', async () => {
  const { hotel, cafe, code, query } = await town()
  const at = cafe.url + query
  const page = await ask(at)
  expect(page.body).toContain('The Hotel')
  expect(page.body).toContain('name="voucher_code"')
  const without: Record<string, string>[] = [{}, { method: String(free) }]
  for (const form of without) {
    const { body } = await ask(at, form)
    expect(body).toContain(words.refused.incomplete)
    expect(body).toContain('The Hotel')
  }
  const { body } = await ask(at, { method: String(voucher), voucher_code: code })
  expect(body).toContain(`action="http://${host}/login"`)
  const [, back = ''] = /name="userurl" value="([^"]*)"/.exec(body) ?? []
  expect(back).toContain(cafe.url)
  expect((await ask(back)).body).toContain('The Hotel')
  // Whoever comes from nowhere sees the page whose address it is.
  expect((await ask(cafe.url)).body).toContain('The Café')
  expect((await ask(hotel.url)).body).toContain('The Hotel')
})

test('a property’s other portal serves at once, though its gateway still leads to the former one, even once that is disabled', async () => {
  const { editor, hotel, cafe, query, move } = await town()
  await move(cafe.id)
  const handsOver = async () => (await ask(hotel.url + query, { method: String(free) })).body.includes('id="hand-over"')
  expect((await ask(hotel.url + query)).body).toContain('The Café')
  expect(await handsOver()).toBe(true)
  await foyer.get(portals.deactivate, { ids: [hotel.id] }, editor)
  expect(await handsOver()).toBe(true)
  expectRefused(await ask(hotel.url), nothingHere)
})

test('a property without a portal is served by its group’s, else at the address to which its gateway leads', async () => {
  const { editor, hotel, cafe, property_id, query, move } = await town()
  await move(null)
  const { id: group_id } = await foyer.group(editor, { portal_id: hotel.id })
  await foyer.get(properties.update, { id: property_id, group_id }, editor)
  expect((await ask(cafe.url + query)).body).toContain('The Hotel')
  expect((await ask(cafe.url + query, { method: String(free) })).body).toContain(words.refused.incomplete)
  await foyer.get(properties.update, { id: property_id, group_id: null }, editor)
  expect((await ask(cafe.url + query)).body).toContain('The Café')
  expect((await ask(cafe.url + query, { method: String(free) })).body).toContain('id="hand-over"')
})

test('a portal that is disabled lets nobody in at another’s address', async () => {
  const { editor, hotel, cafe, code, query } = await town()
  await foyer.get(portals.deactivate, { ids: [hotel.id] }, editor)
  const forms: Record<string, string>[] = [{ method: String(free) }, { method: String(voucher), voucher_code: code }]
  for (const form of [undefined, ...forms]) expectRefused(await ask(cafe.url + query, form), nothingHere)
})

test('an external portal of the property is where guests are sent from another’s address', async () => {
  const { editor, cafe, query, move } = await town()
  const custom_portal_url = 'https://pages.example/join'
  const external = await foyer.portal(editor, { portal_type_id: portalTypes.external, custom_portal_url })
  await move(external.id)
  expect((await ask(cafe.url + query)).headers.location).toBe(custom_portal_url)
  expectRefused(await ask(cafe.url + query, { method: String(free) }), nothingHere)
  await move(cafe.id)
  expect((await ask(external.url + query)).body).toContain('The Café')
})

test.each(Object.entries(types))(
  '%s: a custom portal of the property has its pages in its own folder, and the signed address still counts',
  async (name, gateway_type_id) => {
    const { editor, hotel, gateway, query, move } = await town(gateway_type_id)
    const signed = () => {
      const address =
        `${hotel.url}?res=notyet&uamip=10.1.0.1&uamport=3990&challenge=00112233445566778899aabbccddeeff` +
        `&called=02-00-00-00-00-01&mac=${aMacAddress()}&nasid=${gateway.nas_identifier}`
      return `${address}&md=${createHash('md5').update(`${address}${gateway.radius_secret}`).digest('hex').toUpperCase()}`
    }
    const address = name === 'generic' ? hotel.url + query : signed()
    const own = await customPortal(editor)
    await move(own.id)
    const { location = '' } = (await ask(address)).headers
    expect(location).toContain(`${new URL(own.url).pathname}/`)
    const page = await ask(location)
    expect(page.body).toContain('<i>own</i>')
    expect(page.body).not.toContain(words.unregistered_title)
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.body) ?? []
    const sent = await ask(action.replaceAll('&amp;', '&'), { method: String(free) })
    expect(sent.body.includes('id="hand-over"') || sent.headers.location?.includes('/logon')).toBe(true)
    // A page that was opened before the change sends its form to the former address.
    expect((await ask(address, { method: String(voucher), voucher_code: 'x' })).headers.location).toBe(location)

    await move(hotel.id)
    const back = new URL(location, portal_url)
    expect((await ask(back.href)).headers.location).toBe(address.replace(portal_url, ''))
    const standard = await ask(own.url + query)
    if (name === 'generic') expect(standard.body).toContain('The Hotel')
  },
)
