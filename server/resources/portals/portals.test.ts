// Portals: what a guests' page must have, the versions that it keeps, and what may be removed.
import { describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as activity from '#contract/activity.ts'
import * as groups from '#contract/groups.ts'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import { removeUnusedFiles } from '#server/files/unused.ts'
import { forbidden, invalid, notFound } from '#server/errors/refused.ts'
import { unique, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aPicture, photoOf, pngOf } from '#test/pictures.ts'
import { aFile } from '#test/uploads.ts'
import { expectRefused } from '#test/refused.ts'
import { slugOf } from './portal-record.ts'

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const open = async (address: string | null) => {
  if (!foyer.guest || !address?.startsWith(`${portal_url}/`)) throw new Error(`not at the guests' origin: ${address}`)
  return foyer.guest.inject({ method: 'GET', url: address.slice(portal_url.length) })
}

describe('a new portal', () => {
  test('has the defaults of the specification, an address for guests and a short name', async () => {
    const editor = await foyer.customer()
    const portal = await foyer.portal(editor, { name: 'Café du Port, Bath' })
    expect(portal).toMatchObject({
      slug: 'cafe-du-port-bath',
      headline: 'Sign in to join WiFi',
      headline_text_colour: '#1A1A1A',
      background_colour: '#FFFFFF',
      button_fill_colour: '#2671FF',
      button_text_colour: '#FFFFFF',
      body_text_colour: '#000000',
      input_outline_colour: '#000000',
      form_container_colour: '#FFFFFF',
      form_field_colour: '#FFFFFF',
      redirect_url: '',
      portal_layout_id: 1,
      portal_font_id: 1,
      is_custom: false,
      terms: null,
      terms_version: 0,
      property_ids: [],
      number_of_properties: 0,
      status: 'active',
    })
    expect(portal.url).toMatch(new RegExp(`^${portal_url}/p/[0-9a-f]{32}$`))
  })

  test('has a slug of its name, in whatever alphabet that is', () => {
    expect(slugOf('  The Lantern -- Bath  ')).toBe('the-lantern-bath')
    expect(slugOf('Ångström & Söhne')).toBe('angstrom-sohne')
    expect(slugOf('東京ホテル')).toMatch(/^portal-[0-9a-f]{6}$/)
    expect(slugOf('a'.repeat(59) + ' b')).toBe('a'.repeat(59))
  })

  test('takes two pictures, re-encodes both and shows them to guests', async () => {
    const editor = await foyer.customer()
    const portal = await foyer.portal(editor, {
      logo: aFile('logo.png', await pngOf({ width: 1600, height: 400 })),
      portal_image: aFile('beach.jpg', await photoOf({ width: 900, height: 600 })),
    })
    expect(portal.logo).toEqual({ name: 'logo.png', width: 800, height: 200 })
    // A photo with a rotated orientation is turned upright.
    expect(portal.portal_image).toEqual({ name: 'beach.jpg', width: 600, height: 900 })
    const [logo, image] = [await open(portal.logo_preview_url), await open(portal.side_image_preview_url)]
    expect([logo.statusCode, logo.headers['content-type']]).toEqual([200, 'image/png'])
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(image.rawPayload.toString('latin1')).not.toContain('hunter2')
  })

  test('reports for each picture what is wrong with it', async () => {
    const editor = await foyer.customer()
    const ask = { name: unique('Portal'), auth_method_ids: [2], logo: aPicture() }
    const answer = await foyer.ask(portals.create, { ...ask, portal_image: aFile('a.png', '<svg/>') }, editor)
    expectRefused(
      answer,
      invalid({ portal_image: ['This is not a picture that can be shown. Choose a .jpg, .jpeg or .png file.'] }),
    )
    expect((await foyer.get(portals.list, {}, editor)).data.map(({ name }) => name)).not.toContain(ask.name)
  })

  test.each([
    ['a name', { name: '' }, 'name'],
    ['a way in', { auth_method_ids: [] }, 'auth_method_ids'],
    ['a logo', { logo: null }, 'logo'],
    ['an address where it is elsewhere', { portal_type_id: 3, logo: null }, 'custom_portal_url'],
    ['a zip where it is custom', { portal_type_id: 2 }, 'portal_type_id'],
    ['a colour that is one', { background_colour: 'red;} body{display:none' }, 'background_colour'],
    ['an address of the web to send guests to', { redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
    ['an address of the web for its privacy page', { privacy_url: 'data:text/html,x' }, 'privacy_url'],
  ])('needs %s', async (_, values, field) => {
    const editor = await foyer.customer()
    const ask = { name: unique('Portal'), auth_method_ids: [2], logo: aPicture(), ...values }
    const answer = await foyer.ask(portals.create, ask, editor)
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(`"${field}"`)])
    if (field === 'auth_method_ids') expect(answer.text).toContain(messages.portal.authMethodMinimum)
  })

  test('whose name yields the short name of another one, made at once, gets one of its own', async () => {
    const who = await foyer.customer()
    const answers = await Promise.all(
      ['!', '?', '.', ','].map((sign) =>
        foyer.send(portals.create, { name: `Quay ${sign}`, auth_method_ids: [2], draft: true }, who),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  })

  test('of a name or short name that is taken exists already', async () => {
    const editor = await foyer.customer()
    await foyer.portal(editor, { name: 'Lobby', slug: 'front' })
    for (const [field, values] of Object.entries({ name: { name: 'LOBBY' }, slug: { name: 'Bar', slug: 'front' } })) {
      const answer = await foyer.ask(portals.create, { auth_method_ids: [2], logo: aPicture(), ...values }, editor)
      expect(answer.text).toContain(`"${field}":["${messages.portal.exists}"]`)
    }
    // Another customer's names do not count.
    await foyer.portal(await foyer.customer(), { name: 'Lobby', slug: 'front' })
  })
})

test('the portal that every customer begins with serves without a logo; only saving it asks for one', async () => {
  const editor = await foyer.customer()
  const [starter] = (await foyer.get(portals.list, {}, editor)).data
  expect(starter).toMatchObject({ name: 'Welcome', status: 'active', logo_preview_url: null })
  const id = starter?.id ?? 0
  expect((await foyer.ask(portals.update, { id, headline: 'Hello' }, editor)).text).toContain('"logo"')
  const saved = await foyer.get(portals.update, { id, headline: 'Hello', logo: aPicture() }, editor)
  expect(saved.data).toMatchObject({ headline: 'Hello', logo: { width: 8, height: 8 } })
})

test('an absent picture stays, null removes it, and a draft may lack what an active portal must have', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.portal(editor, { portal_image: aPicture('side.png') })
  const renamed = (await foyer.get(portals.update, { id, company_name: 'Harbour' }, editor)).data
  expect([renamed.logo?.name, renamed.portal_image?.name]).toEqual(['footer.png', 'side.png'])
  const bare = (await foyer.get(portals.update, { id, portal_image: null }, editor)).data
  expect([bare.logo?.name, bare.portal_image]).toEqual(['footer.png', null])
  expectRefused(
    await foyer.ask(portals.update, { id, logo: null }, editor),
    invalid({ logo: [messages.fields.required] }),
  )
  expect((await foyer.get(portals.update, { id, logo: null, draft: true }, editor)).data.status).toBe('draft')
  expect((await foyer.ask(portals.activate, { id }, editor)).text).toContain('"logo"')
})

test('it is assigned to properties, shown with them, and cannot be removed while one needs it', async () => {
  const editor = await foyer.customer()
  const [one, other] = [await foyer.property(editor), await foyer.property(editor)]
  const portal = await foyer.portal(editor, { property_ids: [one.id, other.id] })
  expect(portal).toMatchObject({ number_of_properties: 2, property_ids: [one.id, other.id] })
  expect((await foyer.get(properties.get, { id: one.id }, editor)).data.portal).toEqual({
    id: portal.id,
    name: portal.name,
  })
  const refused = await foyer.ask(portals.remove, { id: portal.id }, editor)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(one.name)])
  await foyer.get(portals.update, { id: portal.id, property_ids: [] }, editor)
  const group = await foyer.group(editor, { portal_id: portal.id })
  expect((await foyer.ask(portals.remove, { id: portal.id }, editor)).text).toContain(group.name)
  await foyer.get(groups.update, { id: group.id, portal_id: null }, editor)
  expect((await foyer.get(portals.remove, { id: portal.id }, editor)).data).toEqual({ ids: [portal.id] })
})

test('users of a group see how many of their own properties show it, and users of a property cannot change it', async () => {
  const editor = await foyer.customer()
  const group = await foyer.group(editor)
  const [own, others] = [await foyer.property(editor, { group_id: group.id }), await foyer.property(editor)]
  const portal = await foyer.portal(editor, { property_ids: [own.id, others.id] })
  const colleague = await foyer.invited(editor, { owner_type: 'Group', owner_id: group.id })
  expect((await foyer.get(portals.get, { id: portal.id }, colleague)).data).toMatchObject({
    number_of_properties: 1,
    property_ids: [own.id],
  })
  const desk = await foyer.invited(editor, { owner_type: 'Property', owner_id: own.id })
  for (const who of [colleague, desk]) {
    expect((await foyer.get(portals.list, {}, who)).data.map(({ id }) => id)).toContain(portal.id)
    expectRefused(await foyer.ask(portals.update, { id: portal.id, headline: 'Mine' }, who), forbidden())
  }
})

describe('of its designs', () => {
  test('each that was saved can be restored, with its pictures; a save that changes nothing adds none', async () => {
    const editor = await foyer.customer()
    const { id } = await foyer.portal(editor, { headline: 'Spring', terms: 'Be kind.' })
    const change = (values: object) => foyer.get(portals.update, { id, ...values }, editor)
    await change({
      headline: 'Summer',
      background_colour: '#FFEEDD',
      logo: aPicture('summer.png'),
      terms: 'Be kinder.',
    })
    await change({ headline: 'Summer' })
    await change({ name: unique('Renamed') })
    const { data: versions } = await foyer.get(portals.versions, { id }, editor)
    expect(versions.map(({ number, saved_by }) => [number, saved_by])).toEqual([
      [2, editor.user.name],
      [1, editor.user.name],
    ])
    const before = (await foyer.get(portals.get, { id }, editor)).data
    expect(before.terms_version).toBe(2)
    const { design, number } = (await foyer.get(portals.version, { id, number: 1 }, editor)).data
    expect(number).toBe(1)
    expect(design).toMatchObject({ headline: 'Spring', logo: { name: 'footer.png' }, portal_image: null })
    expect((await open(design.logo_preview_url)).statusCode).toBe(200)
    expectRefused(await foyer.ask(portals.version, { id, number: 9 }, editor), notFound())
    expect((await foyer.get(portals.get, { id }, editor)).data).toEqual(before)
    const restored = (await foyer.get(portals.restore, { id, number: 1 }, editor)).data
    expect(restored).toMatchObject({
      name: before.name,
      headline: 'Spring',
      background_colour: '#FFFFFF',
      logo: { name: 'footer.png' },
      terms: 'Be kind.',
      // Guests who agree from now on agree to another wording.
      terms_version: 3,
    })
    expect((await open(restored.logo_preview_url)).statusCode).toBe(200)
    expectRefused(await foyer.ask(portals.restore, { id, number: 9 }, editor), notFound())
    const lines = (await foyer.get(activity.list, { filters: { object_type: 'portals' } }, editor)).data
    expect(lines[0]).toMatchObject({ action: 'update', after: { headline: 'Spring' } })
  })

  test('pictures are kept as long as a version shows them, and are removed with the portal', async () => {
    const editor = await foyer.customer()
    const { id } = await foyer.portal(editor, { logo: aPicture('first.png') })
    await foyer.get(portals.update, { id, logo: aFile('second.png', await pngOf()) }, editor)
    const cleanUp = async () => {
      await admin.query(`update files set created_at = now() - interval '2 days'`)
      await removeUnusedFiles(foyer.services.tenancy, foyer.services.storage)
      const { rows } = await admin.query('select 1 from files where customer_id = $1', [editor.user.customer.id])
      return rows.length
    }
    expect(await cleanUp()).toBe(2)
    await foyer.get(portals.remove, { id }, editor)
    expect(await cleanUp()).toBe(0)
  })

  test('one can be copied into a new portal, a draft that nobody sees yet', async () => {
    const editor = await foyer.customer()
    const { id } = await foyer.portal(editor, { headline: 'Spring', property_ids: [(await foyer.property(editor)).id] })
    const name = unique('Copy')
    const copy = (await foyer.get(portals.duplicate, { id, name }, editor)).data
    expect(copy).toMatchObject({ name, headline: 'Spring', status: 'draft', property_ids: [], logo: { width: 8 } })
    expect(copy.id).not.toBe(id)
    // From now on each has its own pictures.
    await foyer.get(portals.remove, { id: copy.id }, editor)
    expect((await foyer.get(portals.get, { id }, editor)).data.logo).not.toBeNull()
    const again = await foyer.ask(portals.duplicate, { id, name: (await foyer.portal(editor)).name }, editor)
    expect(again.text).toContain(messages.portal.exists)
  })
})
