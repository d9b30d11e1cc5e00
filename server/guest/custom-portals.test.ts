// Custom portals for guests: pages filled in and files unchanged, each in a sandbox, and only those of the present zip.
import { beforeAll, expect, test } from 'vitest'
import * as customPortals from '#contract/custom-portals.ts'
import { placeholders, stepPages } from '#contract/custom-pages.ts'
import * as portals from '#contract/portals.ts'
import { samplePortal } from '#server/files/portal-zips/sample.ts'
import { unique, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aFile } from '#test/uploads.ts'
import { aPage, aPortalZip, type ZipEntry } from '#test/zips.ts'
import { expectRefused, nothingHere } from '#test/refused.ts'

let foyer: TestFoyer
let editor: Person
openGuestPages((pages) => ({ foyer } = pages))
beforeAll(async () => {
  editor = await foyer.customer()
})

const ask = (address: string, headers: Record<string, string> = {}) => {
  if (!foyer.guest) throw new Error('there is no guest app')
  return foyer.guest.inject({ method: 'GET', url: address.replace(portal_url, ''), headers })
}
const bring = async (content: Buffer) =>
  (
    await foyer.get(
      customPortals.createCustom,
      { name: unique('Portal'), auth_method_ids: [2], portal: aFile('portal.zip', content) },
      editor,
    )
  ).data
const made = (...more: ZipEntry[]) => bring(aPortalZip(...more))

test('the address of a custom portal redirects to its first page, with the query', async () => {
  const { url } = await made()
  const { statusCode, headers } = await ask(`${url}?lang=de&mac=1`)
  expect([statusCode, headers.location]).toEqual([302, `${url.replace(portal_url, '')}/?lang=de&mac=1`])
  const page = await ask(String(headers.location))
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.body).toContain('name="voucher_code"')
  expect(page.body).not.toContain('{{')
})

test('every answer is in a sandbox that allows only the portal’s own files', async () => {
  const { url } = await made({ name: 'a.svg', content: '<svg/>' }, { name: 'a.js', content: '1' })
  for (const name of ['', 'index.html', 'a.svg', 'a.js', 'foyer/v1.js', 'nothing.html']) {
    const answer = await ask(`${url}/${name}`)
    const { headers } = answer
    if (name === 'nothing.html') expectRefused(answer, nothingHere)
    else expect(answer.statusCode, name).toBe(200)
    const policy = String(headers['content-security-policy'])
    expect(policy.split(';')).toEqual([
      'sandbox allow-forms allow-scripts',
      "default-src 'none'",
      `script-src ${url}/`,
      `style-src ${url}/ 'unsafe-inline'`,
      `img-src ${url}/ data:`,
      `font-src ${url}/`,
      `form-action ${url}/`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test('a file is served unchanged with the type of its ending, and can be cached', async () => {
  const content = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('<script>alert(1)</script>')])
  const { url } = await made({ name: 'pictures/größe 1.png', content })
  const address = `${url}/pictures/${encodeURIComponent('größe 1.png')}`
  const { statusCode, headers, rawPayload } = await ask(address)
  expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
  expect(rawPayload).toEqual(content)
  expect((await ask(address, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
})

test.each([
  '../../index.html',
  '..%2f..%2findex.html',
  '%2e%2e/%2e%2e/etc/passwd',
  'a.txt%00.html',
  'a.txt/',
  'A.TXT',
  'foyer/',
  'foyer/context.json',
  '%',
  'a'.repeat(5000),
])('%s names no file', async (name) => {
  const { url } = await made({ name: 'a.txt', content: 'x' })
  expectRefused(await ask(`${url}/${name}`), nothingHere)
})

test('no script of it can be a service worker', async () => {
  const { url } = await made({ name: 'worker.js', content: 'self.onfetch = () => {}' })
  expectRefused(await ask(`${url}/worker.js`, { 'service-worker': 'script' }), nothingHere)
})

test('files that are disabled, deleted, of an earlier zip, or of another portal are not found', async () => {
  const { id, url } = await made({ name: 'old.txt', content: 'old' })
  const other = await made({ name: 'new.txt', content: 'new' })
  expectRefused(await ask(`${url}/new.txt`), nothingHere)
  expect((await ask(`${other.url}/new.txt`)).body).toBe('new')
  await foyer.get(customPortals.updateCustom, { id, portal: aFile('portal.zip', aPortalZip()) }, editor)
  expectRefused(await ask(`${url}/old.txt`), nothingHere)
  await foyer.get(portals.deactivate, { ids: [id] }, editor)
  for (const name of ['', 'index.html']) expectRefused(await ask(`${url}/${name}`), nothingHere)
  await foyer.get(portals.activate, { id }, editor)
  expect((await ask(`${url}/`)).statusCode).toBe(200)
  await foyer.get(portals.remove, { id }, editor)
  expectRefused(await ask(`${url}/`), nothingHere)
  const { url: standard } = await foyer.portal(editor)
  expectRefused(await ask(`${standard}/`), nothingHere)
})

test('the sample works unchanged, with a page for each step, and documents these and every placeholder', async () => {
  const { statusCode, headers, rawPayload } = await foyer.app.inject('/files/portal.zip')
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip'])
  expect(rawPayload).toEqual(await samplePortal())
  const { url } = await bring(rawPayload)
  const page = await ask(`${url}/`)
  expect(page.body).not.toContain('{{')
  expect(page.body).toContain('id="foyer-context"')
  const { body } = await ask(`${url}/read-me.txt`)
  for (const name of Object.keys(placeholders)) expect(body).toContain(`{{${name}}}`)
  for (const [name, shows] of Object.entries(stepPages)) {
    expect(body).toMatch(new RegExp(`${name} +${shows}`))
    expect((await ask(`${url}/${name}`)).statusCode).toBe(200)
  }
})

test('a page shows the texts of the portal, in the language of the guest', async () => {
  const { id, url } = await bring(aPortalZip({ name: 'more.html', content: aPage('{{terms}}|{{language}}') }))
  await foyer.get(portals.update, { id, terms: 'Be <kind> & "brief".', headline: 'Ahoy' }, editor)
  const { body } = await ask(`${url}/more.html`, { 'accept-language': 'fr' })
  expect(body).toContain('<h1>Ahoy</h1>')
  expect(body).toContain('Be &#60;kind&#62; &#38; &#34;brief&#34;&#46;|fr')
})

test('a guest whom a gateway redirected signs in at a page of the customer, and reads there why not', async () => {
  const { id, url } = await bring(
    aPortalZip({ name: 'own.html', content: '<p>{{error}}</p><a href="{{action}}"></a>' }),
  )
  const property = await foyer.property(editor, { name: 'The Lantern', portal_id: id })
  const gateway = await foyer.gateway(editor, {
    gateway_type_id: 13,
    property_id: property.id,
    dns_name: 'spot.example',
  })
  const query = `?nasid=${gateway.nas_identifier}&client_mac=02:00:00:00:00:02&login_url=http://spot.example/login`
  const first = await ask(`${url}${query}`)
  expect(first.headers.location).toBe(`${url.replace(portal_url, '')}/${query}`)
  const page = await ask(String(first.headers.location))
  expect(page.body).toContain('name="voucher_code"')
  expect(page.body).not.toContain('disabled=""')
  expect(page.body).toContain(`action="${`/p/${url.slice(-32)}/${query}`.replaceAll('&', '&amp;')}"`)
  expect(page.headers['content-security-policy']).toContain(
    `form-action ${url}/ http://spot.example:* https://spot.example:*`,
  )

  const answer = await foyer.guest?.inject({
    method: 'POST',
    url: `${url.replace(portal_url, '')}/${query}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ method: '2', voucher_code: 'ABCDEFGHJKMN' }).toString(),
  })
  expect(answer?.statusCode).toBe(200)
  expect(answer?.headers['content-security-policy']).toMatch(/^sandbox allow-forms allow-scripts;/)
  expect(answer?.body).toContain('role="alert"')
  expect(answer?.body).toContain('value="ABCDEFGHJKMN"')
})
