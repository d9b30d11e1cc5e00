// Portal pages: served at a random address in the guest's language, with nothing from other hosts and no cookie; portals that
// are not active are not found.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import * as footers from '#contract/portal-footers.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import { fontAddress, fonts } from '#portal/fonts.ts'
import { languageCodes, textsOf } from '#portal/languages.ts'
import { hostileTexts } from '#test/hostile-texts.ts'
import { type Person, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aPicture } from '#test/pictures.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const ask = (address: string, headers: Record<string, string> = {}) => {
  if (!foyer.guest) throw new Error('there is no guest app')
  return foyer.guest.inject({ method: 'GET', url: address.replace(portal_url, ''), headers })
}
const heading = (body: string) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1]
const stylesOf = (body: string) => /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? ''
const showAt = async (who: Person, portal_id: number, ...places: Partial<{ name: string; network_name: string }>[]) => {
  for (const place of places) await foyer.property(who, { ...place, portal_id })
}

test("a slip's code is filled into the form: outside, with the network to join; behind a gateway, ready to be sent", async () => {
  const editor = await foyer.customer()
  const portal = await foyer.portal(editor, { auth_method_ids: [1, 2] })
  const property = await foyer.property(editor, { portal_id: portal.id, network_name: 'Lantern Guest' })
  const gateway = await foyer.gateway(editor, {
    property_id: property.id,
    gateway_type_id: 13,
    dns_name: 'hotspot.example',
  })
  const filled = 'value="ABCD-EFGH-JKMN"'
  const away = (await ask(`${portal.url}?code=ABCDEFGHJKMN`)).body
  expect(away).toContain(filled)
  expect(away).toContain(textsOf.en.away_network('Lantern Guest'))
  expect(away).toContain('href="?code=ABCDEFGHJKMN&amp;lang=de"')
  expect((await ask(portal.url)).body).not.toContain(filled)
  for (const nothing of ['?code=ABC', '?code=<script>alert(1)</script>', '?code=ABCDEFGHJKM%22', '?code=1&code=2'])
    expect((await ask(portal.url + nothing)).body).not.toMatch(
      /<input(?=[^>]*name="voucher_code")[^>]* value=|<script>/,
    )
  const redirect = `${portal.url}?nasid=${gateway.nas_identifier}&client_mac=02:00:00:00:00:02`
  for (const sent of [`&code=abcd-efgh-jkmn`, `&orig_url=${encodeURIComponent(`${portal.url}?code=ABCDEFGHJKMN`)}`]) {
    const { body } = await ask(redirect + sent)
    expect(body).toContain(filled)
    expect(body).toMatch(/<input(?=[^>]*name="method")(?=[^>]*value="2")[^>]*checked/)
    expect(body).not.toContain('disabled=""')
  }
})

describe('a portal', () => {
  test('is a page with its own design, with pictures and fonts of this origin and no cookie', async () => {
    const editor = await foyer.customer()
    const portal = await foyer.portal(editor, {
      company_name: 'Northwind',
      headline: 'Welcome to Northwind',
      button_fill_colour: '#123456',
      portal_layout_id: 3,
      portal_font_id: 7,
      portal_image: aPicture(),
      terms: 'Be kind.',
      marketing_text: 'Send me offers',
    })
    const { statusCode, headers, body } = await ask(portal.url)
    expect(statusCode).toBe(200)
    expect(heading(body)).toBe('Welcome to Northwind')
    expect(body).toContain('#123456')
    expect(body).toContain('name="terms" value="1"')
    expect(body).not.toMatch(/<script|\son\w+=|(src|href)="https?:|url\(http/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const hash = createHash('sha256').update(stylesOf(body)).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none';style-src 'sha256-${hash}';img-src 'self' data:;font-src 'self';form-action 'self';` +
        `base-uri 'none';frame-ancestors 'none'`,
    )
    for (const [, address = ''] of body.matchAll(/(?:src="|url\()(\/[^")]+)/g))
      expect((await ask(address)).statusCode, address).toBe(200)
  })

  test('changes as soon as it is saved', async () => {
    const editor = await foyer.customer()
    const { id, url } = await foyer.portal(editor, { headline: 'Before' })
    expect(heading((await ask(url)).body)).toBe('Before')
    await foyer.get(portals.update, { id, headline: 'After' }, editor)
    expect(heading((await ask(url)).body)).toBe('After')
  })

  test('has the footer of its customer, for as long as that is active', async () => {
    const editor = await foyer.customer()
    const { url } = await foyer.portal(editor)
    expect((await ask(url)).body).not.toContain('portal-footer')
    const { data } = await foyer.get(footers.create, { image: aPicture(), url: 'https://offers.example/' }, editor)
    const { body } = await ask(url)
    expect(body).toContain('href="https://offers.example/"')
    expect(body).toContain(`src="${data.image_url.replace(portal_url, '')}"`)
    await foyer.get(footers.deactivate, { id: data.id }, editor)
    expect((await ask(url)).body).not.toContain('portal-footer')
  })

  test('shows what is typed as text', async () => {
    const editor = await foyer.customer()
    const tagsOf = (body: string) => body.replace(/<style>[^<]*<\/style>/, '').match(/<[a-z/!][^\s>]*/gi)
    const fields = ['company_name', 'headline', 'portal_footer', 'terms', 'marketing_text'] as const
    const all = (text: string) => Object.fromEntries(fields.map((field) => [field, text.slice(0, 120)]))
    const { id, url } = await foyer.portal(editor, all('plain'))
    const plain = tagsOf((await ask(url)).body)
    for (const text of hostileTexts) {
      await foyer.get(portals.update, { id, ...all(text) }, editor)
      expect(tagsOf((await ask(url)).body), text).toEqual(plain)
    }
  })
})

describe('opened without a gateway', () => {
  test('it names the network and the property if there is one, and the form is disabled', async () => {
    const editor = await foyer.customer()
    const { id, url } = await foyer.portal(editor)
    expect((await ask(url)).body).toContain(textsOf.en.away)
    await showAt(editor, id, { name: 'The Lantern', network_name: 'Lantern Guest' })
    const { body } = await ask(url)
    expect(body).toContain(textsOf.en.away_network('Lantern Guest'))
    expect(body).toContain('The Lantern')
    expect(body).toMatch(/<fieldset[^>]* disabled=""/)
  })

  test('with several properties it names only the network, and only if they share it', async () => {
    const editor = await foyer.customer()
    const { id, url } = await foyer.portal(editor)
    await showAt(editor, id, { name: 'North', network_name: 'Stay' }, { name: 'South', network_name: 'Stay' })
    const { body } = await ask(url)
    expect(body).toContain(textsOf.en.away_network('Stay'))
    expect(body).not.toMatch(/North|South/)
    await showAt(editor, id, { name: 'West', network_name: 'Stay West' })
    expect((await ask(url)).body).toContain(textsOf.en.away)
  })
})

describe('the language', () => {
  let url: string
  beforeAll(async () => void ({ url } = await foyer.portal(await foyer.customer())))
  const languageOf = async (query: string, accepted?: string) => {
    const { body } = await ask(`${url}${query}`, accepted === undefined ? {} : { 'accept-language': accepted })
    return /<html lang="(\w+)" /.exec(body)?.[1]
  }

  test.each(languageCodes)('%s is used if the browser asks for it, or the guest chooses it', async (code) => {
    expect(await languageOf('', `${code}-XX,en;q=0.5`)).toBe(code)
    expect(await languageOf(`?lang=${code}`, 'en')).toBe(code)
    expect((await ask(`${url}?lang=${code}`)).body).toContain(textsOf[code].away_title)
  })

  test('is the one that the browser prefers of those available, else English', async () => {
    expect(await languageOf('', 'da, it;q=0.8, nl;q=0.9')).toBe('nl')
    for (const accepted of [undefined, '', 'da', '*', ';;q=x', 'x'.repeat(4000)])
      expect(await languageOf('', accepted), accepted).toBe('en')
    for (const query of ['?lang=da', '?lang=', '?lang=constructor', '?lang=de&lang=fr', '?lang[]=de'])
      expect(await languageOf(query, 'fr'), query).toBe('fr')
  })
})

describe('a portal that is not active', () => {
  test('is the same not-found page in every case', async () => {
    const editor = await foyer.customer()
    const disabled = await foyer.portal(editor)
    await foyer.get(portals.deactivate, { ids: [disabled.id] }, editor)
    const removed = await foyer.portal(editor)
    await foyer.get(portals.remove, { id: removed.id }, editor)
    const draft = await foyer.portal(editor, { draft: true })
    const unknown = `${portal_url}/p/${'0'.repeat(32)}`
    const pages = await Promise.all([unknown, disabled.url, removed.url, draft.url].map((url) => ask(url)))
    for (const page of pages) {
      expectRefused(page, nothingHere)
      expect(page.body).toBe(pages[0]?.body)
    }
    await foyer.get(portals.activate, { id: disabled.id }, editor)
    expect((await ask(disabled.url)).statusCode).toBe(200)
  })

  test('is that of a disabled customer, too', async () => {
    const editor = await foyer.customer()
    const { url } = await foyer.portal(editor)
    await admin.query(
      'update customers set active = false where id = (select customer_id from portals where public_id = $1)',
      [url.slice(-32)],
    )
    expectRefused(await ask(url), nothingHere)
  })
})

test('a portal at another address sends guests there', async () => {
  const custom_portal_url = 'https://guests.example.net/hotel?from=foyer'
  const { url } = await foyer.portal(await foyer.customer(), { portal_type_id: 3, custom_portal_url })
  const { statusCode, headers } = await ask(url)
  expect(statusCode).toBe(302)
  expect(headers['location']).toBe(custom_portal_url)
})

test('the network of a property is stored with it', async () => {
  const editor = await foyer.customer()
  const { id } = await foyer.property(editor, { network_name: 'Lantern Guest' })
  expect((await foyer.get(properties.get, { id }, editor)).data.network_name).toBe('Lantern Guest')
})

describe('fonts', () => {
  const all = Object.values(fonts).flatMap((font) =>
    font.faces.map((face) => ({ address: fontAddress(font, face), face })),
  )

  test.each(all)(
    '$address matches the hash in its name, on both origins, and is cached for ever',
    async ({ address, face }) => {
      for (const answer of [await ask(address), await foyer.app.inject(address)]) {
        expect(answer.statusCode).toBe(200)
        expect(createHash('sha256').update(answer.rawPayload).digest('hex').slice(0, 12)).toBe(face.hash)
        expect(answer.headers).toMatchObject({
          'content-type': 'font/woff2',
          'cache-control': 'public, max-age=31536000, immutable',
          'access-control-allow-origin': '*',
        })
      }
    },
  )

  test('a page with any of them is at most 60 KiB, without its pictures', async () => {
    const editor = await foyer.customer()
    for (const [id, font] of Object.entries(fonts)) {
      const { url } = await foyer.portal(editor, {
        portal_font_id: Number(id),
        auth_method_ids: [1, 2, 3, 4, 5, 6, 7],
        portal_layout_id: 3,
        terms: 'Use it lawfully, and with regard for other guests. '.repeat(40),
        marketing_text: 'Send me offers by e-mail, about once a month.',
      })
      const { body } = await ask(url)
      const { rawPayload } = await ask(url, { 'accept-encoding': 'gzip, deflate' })
      const preloaded = [...body.matchAll(/href="(\/fonts\/[^"]+)"/g)].map(([, address = '']) => ask(address))
      const bytes = (await Promise.all(preloaded)).reduce(
        (sum, answer) => sum + answer.rawPayload.length,
        rawPayload.length,
      )
      expect(bytes, font.family).toBeLessThanOrEqual(60 * 1024)
      expect(preloaded.length, font.family).toBe(font.bold === 400 ? 1 : 2)
    }
  })
})
