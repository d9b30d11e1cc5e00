// Steps on a custom portal: from signing in to being offline again, a guest sees the pages that the zip has for each step, and
// Foyer's own where it has none.
import { expect, test } from 'vitest'
import type { Client } from 'pg'
import * as customPortals from '#contract/custom-portals.ts'
import { stepPages } from '#contract/custom-pages.ts'
import { authMethods } from '#contract/portals.ts'
import { textsOf } from '#portal/languages.ts'
import { samplePortal } from '#server/files/portal-zips/sample.ts'
import { aMacAddress, unique, type TestFoyer } from '#test/foyer.ts'
import { openGuestPages, portal_url } from '#test/guest-pages.ts'
import { aFile } from '#test/uploads.ts'
import { aPage, aZip } from '#test/zips.ts'
import { codesOf } from '#test/voucher-codes.ts'

const words = textsOf.en
let foyer: TestFoyer
let admin: Client
openGuestPages((pages) => ({ foyer, admin } = pages))

const open_nds = 3
const names = Object.keys(stepPages)
/** Shows its own name and step, and everything that is known of the guest. */
const marked = (name: string) =>
  aPage(
    `<i>${name}</i><b>{{error}}|{{time_left}}|{{data_left}}|{{redirect_url}}</b><a href="more.html{{query}}"></a>` +
      '<script src="foyer/v1.js"></script>',
  )
const zipOf = (...pages: string[]) => aZip(pages.map((name) => ({ name, content: marked(name) })))

/** A property whose guests come through an openNDS, which reports no sessions, to a portal with these pages. */
async function site(zip: Buffer) {
  const editor = await foyer.customer()
  const auth_method_ids = [authMethods.voucher, authMethods.sms]
  const asked = { name: unique('Steps'), auth_method_ids, portal: aFile('portal.zip', zip) }
  const { data: portal } = await foyer.get(customPortals.createCustom, asked, editor)
  const { id: package_id } = await foyer.package(editor)
  const { id: property_id } = await foyer.property(editor, { portal_id: portal.id, package_id })
  const dns_name = 'spot.example'
  const gateway = await foyer.gateway(editor, { property_id, gateway_type_id: open_nds, dns_name })
  const { id } = await foyer.voucherBatch(editor, { property_id, package_id, quantity: 1 })
  const codes = await codesOf(admin, id)
  const queryFrom = (nas_identifier: string) => {
    const fas = `hid=d9b3fcb8a1c2, clientmac=${aMacAddress()}, gatewayname=${nas_identifier}, originurl=x`
    return `?fas=${encodeURIComponent(Buffer.from(fas).toString('base64'))}`
  }
  return { ...portal, voucher_code: codes[0] ?? '', nas_identifier: gateway.nas_identifier, queryFrom }
}

/** What a browser ends up with, following redirects within the portal. */
async function look(address: string, fields?: Record<string, string>) {
  if (!foyer.guest) throw new Error('there is no guest app')
  let url = address.replace(portal_url, '')
  let answer = await foyer.guest.inject(
    fields
      ? {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(fields).toString(),
        }
      : { method: 'GET', url },
  )
  for (
    let times = 0;
    times < 3 && answer.headers.location?.toString().replace(portal_url, '').startsWith('/p/');
    times++
  ) {
    url = answer.headers.location.replace(portal_url, '')
    answer = await foyer.guest.inject({ method: 'GET', url })
  }
  const { statusCode, headers, body } = answer
  const [, page] = /<i>([^<]*)<\/i>/.exec(body) ?? []
  const [, block = '{}'] = /id="foyer-context">([^<]*)</.exec(body) ?? []
  return {
    statusCode,
    url,
    location: String(headers.location),
    policy: String(headers['content-security-policy']),
    body,
    page,
    context: JSON.parse(block) as Record<string, unknown>,
  }
}

test('each step has the page that the zip has for it', async () => {
  const its = await site(zipOf(...names, 'more.html'))
  const query = its.queryFrom(its.nas_identifier)

  const first = await look(its.url + query)
  expect([first.page, first.context]).toMatchObject(['index.html', { step: 'sign-in', preview: false, error: '' }])
  expect(first.body).toContain(`<a href="more.html${query.replace(/[^\w]/g, (sign) => `&#${sign.charCodeAt(0)};`)}">`)
  const more = await look(`${its.url}/more.html${query}`)
  expect([more.page, more.context]).toMatchObject(['more.html', { step: 'sign-in', preview: false }])
  // Wherever in its folder a page is, its form is sent to the folder.
  expect(more.context['action']).toBe(`${new URL(its.url).pathname}/${query}`)

  const refused = await look(first.url, { method: '2', voucher_code: 'ABCDEFGHJKMN' })
  expect(refused).toMatchObject({ statusCode: 200, page: 'error.html' })
  expect(refused.context).toMatchObject({ step: 'sign-in', error: words.refused.unknown })
  expect(refused.body).toContain('value="ABCDEFGHJKMN"')

  const unknown = await look(its.url + its.queryFrom('nobody'))
  expect([unknown.page, unknown.context]).toMatchObject([
    'error.html',
    { step: 'unregistered', error: words.unregistered },
  ])

  const asked = await look(first.url, { method: '6', mobile_number: '+447700900123' })
  expect([asked.page, asked.context]).toMatchObject(['code.html', { step: 'code', error: '' }])
  expect(asked.body).toContain('name="code"')
  expect((await look(first.url, { method: '6', code: '000000' })).context).toMatchObject({
    step: 'code',
    error: words.refused.wrong_code,
  })

  const other = its.queryFrom(its.nas_identifier)
  const handed = await look(its.url + other, { method: '2', voucher_code: its.voucher_code })
  const back = new URL(new URL(handed.location).searchParams.get('redir') ?? '').href
  expect(back).toMatch(/\?online=[\w-]{22}$/)
  const success = await look(back)
  expect(success).toMatchObject({ page: 'success.html', context: { step: 'online', preview: false } })
  expect(success.body).toContain('name="sign_out"')
  expect(success.policy).toMatch(/^sandbox allow-forms allow-scripts;/)
  expect(success.policy).toContain('http://spot.example:*')

  await admin.query(`update access_passes set created_at = created_at - interval '2 minutes'`)
  expect((await look(back)).page).toBe('status.html')
  expect((await look(`${its.url}/more.html${new URL(back).search}`)).context).toMatchObject({ step: 'status' })
  expect((await look(success.url, { sign_out: '1' })).location).toBe('http://spot.example/opennds_deny/')
  const over = await look(back)
  expect([over.page, over.context]).toMatchObject(['signed-out.html', { step: 'signed-out' }])
  expect(String(over.context['action'])).toContain('http://spot.example')
})

test('a step without a page in the zip is shown on one of ours, and a refusal on the first page', async () => {
  const its = await site(zipOf('index.html'))
  const query = its.queryFrom(its.nas_identifier)
  const first = await look(its.url + query)
  const refused = await look(first.url, { method: '2', voucher_code: 'ABCDEFGHJKMN' })
  expect([refused.page, refused.context]).toMatchObject(['index.html', { error: words.refused.unknown }])
  const unknown = await look(its.url + its.queryFrom('nobody'))
  expect(unknown.body).toContain(words.unregistered_title)
  expect(unknown.policy).toMatch(/^default-src 'none'/)

  // Its form is sent to the folder: the answer may be a page of the zip, whose files are relative to it.
  const asked = await look(first.url, { method: '6', mobile_number: '+447700900124' })
  expect(asked.page).toBeUndefined()
  expect(asked.body).toContain(`action="/p/${its.url.slice(-32)}/?fas=`)
  const again = await look(its.url + query)
  expect(again.body).toContain(`action="/p/${its.url.slice(-32)}/?fas=`)
  expect((await look(again.url, { method: '6', change: '1' })).page).toBe('index.html')

  const handed = await look(its.url + its.queryFrom(its.nas_identifier), {
    method: '2',
    voucher_code: its.voucher_code,
  })
  const back = new URL(handed.location).searchParams.get('redir') ?? ''
  expect((await look(back)).body).toContain(words.online_title)
})

test('a page that is opened by its name outside of any step shows an example, and nothing can be sent', async () => {
  const its = await site(await samplePortal())
  for (const [name, title] of [
    ['success.html', words.online_title],
    ['status.html', words.status_title],
    ['signed-out.html', words.signed_out_title],
    ['code.html', words.code.sms_title],
    ['error.html', words.refused.unknown],
  ] as const) {
    const { statusCode, body } = await look(`${its.url}/${name}`)
    expect([name, statusCode]).toEqual([name, 200])
    expect(body).toContain(title)
    expect(body).toContain('<fieldset disabled="" style="display:contents">')
    expect(body).not.toContain('{{')
  }
})
