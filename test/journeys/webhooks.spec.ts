// Webhooks: an editor makes one, copies its secret, tests it, sees what was answered, and finds what waits under due work.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, operatorToken } from '#test/journeys/people.ts'
import { expectAccessible, watch } from '#test/journeys/watch.ts'

interface Post {
  headers: Record<string, string>
  text: string
}
const received: Post[] = []
let status = 204
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push({ headers: request.headers as Record<string, string>, text: Buffer.concat(chunks).toString() })
    response.writeHead(status).end(status === 204 ? undefined : 'Closed for today')
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`

test.use({ settings: { SIGNUP: 'first', ALLOWED_HOSTS: host } })
test.afterAll(() => void receiver.close())

test('a webhook is made, tested, and what it was told stands in its log', async ({ page, foyer }) => {
  test.setTimeout(60_000)
  const { expectNothing } = watch(page)
  const token = await operatorToken(foyer)
  await enter(page, token)
  await page.goto('/customer/user-profile?context=integrations')
  await page.getByRole('link', { name: 'Open webhooks' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New webhook' }).first().click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Fields not valid').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Address' }).fill(`http://${host}/foyer`)
  await page.getByLabel('A guest account was made (account.created)').check()
  await page.getByLabel('A guest checked in (stay.began)').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('The webhook is ready')).toBeVisible()
  const secret = (await page.getByText(/^whsec_/).textContent())?.trim() ?? ''

  await page.getByRole('link', { name: 'Open and test it' }).click()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
  const [post] = received
  expect(new Webhook(secret).verify(post?.text ?? '', post?.headers ?? {})).toMatchObject({ type: 'webhook.test' })
  await page.getByRole('tab', { name: 'Deliveries' }).click()
  await expect(page.getByRole('row', { name: /webhook.test/ })).toContainText('Delivered')
  await expectAccessible(page)

  // It does not listen: what happens waits, with why.
  status = 503
  const { data: property } = await ask(foyer, '/properties-create', { name: 'Harbour Hotel', draft: true }, token)
  const made = await ask(foyer, '/accounts-create', { name: 'Ada Lovelace', property_id: property['id'] }, token)
  expect(made.status).toBe(201)
  await page.reload()
  await expect(page.getByRole('row', { name: /account.created/ })).toContainText('Closed for today', {
    timeout: 30_000,
  })
  await page.goto('/customer/due-work')
  await expect(page.getByRole('row', { name: /account.created to http/ })).toContainText('It answered 503.')
  await expectAccessible(page)
  status = 204
  await page
    .getByRole('row', { name: /account.created to http/ })
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Try now' }).click()
  await expect.poll(() => received.at(-1)?.text ?? '', { timeout: 30_000 }).toContain('account.created')
  await expect(page.getByText('Nothing waits')).toBeVisible({ timeout: 30_000 })
  expectNothing()
})

test('a new secret whose answer was lost is shown when it is asked for again', async ({ page, foyer }) => {
  const token = await operatorToken(foyer)
  const asked = { url: `http://${host}/foyer`, events: ['account.created'] }
  const { data: webhook } = await ask(foyer, '/webhooks-create', asked, token)
  await enter(page, token)
  await page.goto(`/customer/webhooks/update?id=${String(webhook['id'])}`)
  const renew = async () => {
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make a new one' }).click()
  }
  let made = ''
  await page.route('**/api/v1/webhooks-secret', async (route) => {
    made = await (await route.fetch()).text()
    await route.abort()
  })
  await renew()
  await expect.poll(() => made).toContain('whsec_')
  await page.unroute('**/api/v1/webhooks-secret')
  await renew()
  const shown = (await page.getByText(/^whsec_/).textContent())?.trim() ?? ''
  expect(made).toContain(shown)
})
