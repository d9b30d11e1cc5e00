// Outages: a gateway falls silent. The dashboard, the list, the property's page and a phone say so within a minute, without a press; one
// mail by a real mail server says so within two, and one says that it is over. How soon Foyer finds it is waited for; the half minute after
// which a screen asks again passes on the clock of its page. Other time passes in what is stored, and no wait is guessed.

import { devices, type Browser, type Page } from '@playwright/test'
import { PgBoss } from 'pg-boss'
import { connect } from '#server/db/logins.ts'
import { openMailServer } from '#test/mail-server.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, onceOnline, operator, operatorToken } from '#test/journeys/people.ts'

const subjects: string[] = []
const mail_server = await openMailServer(({ to, text }) => {
  const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? ''
  if (to.includes(operator.email) && subject.startsWith('Guests ')) subjects.push(subject.trim())
})
test.use({ settings: { SIGNUP: 'first', SMTP_URL: mail_server.url } })
test.afterAll(() => mail_server.close())

const minute_ms = 60_000
const screens_ask_again_ms = 30_000
/** By the third packet that does not come. */
const silent_after = '15 minutes'

test('a gateway that falls silent is seen within a minute and mailed within two, once, and once when it is over', async ({
  page,
  browser,
  foyer,
}) => {
  test.setTimeout(4 * minute_ms)
  const token = await operatorToken(foyer)
  const make = async (call: string, body: object) => Number((await ask(foyer, call, body, token)).data['id'])
  const { data: users } = await ask(foyer, '/users', {}, token)
  const [me] = users as unknown as { id: number }[]
  await ask(foyer, '/users-update', { id: me?.id, outage_mails: true }, token)
  const package_id = await make('/packages-create', { name: 'Day' })
  const { data: portals } = await ask(foyer, '/portals', {}, token)
  const [portal] = portals as unknown as { id: number }[]
  const complete = { address: '1 Quay', city: 'Porto', country_id: 1, property_type_id: 1, connectivity_type_id: 1 }
  const place = { name: 'Harbour', package_id, portal_id: portal?.id, ...complete }
  const property_id = await make('/properties-create', place)
  const gateway_id = await make('/gateways-create', { property_id, gateway_type_id: 13, name: 'Lobby' })

  await onceOnline(foyer, property_id)
  const admin = await connect(foyer.database())
  const run = async (text: string, values: unknown[]) => (await admin.query<Record<string, unknown>>(text, values)).rows
  const heard = (ago: string) =>
    run('update gateways set last_seen_at = now() - $2::interval where id = $1', [gateway_id, ago])
  const queue = new PgBoss({ connectionString: foyer.database(), migrate: false, supervise: false, schedule: false })
  await queue.start()
  /** The job of each minute, ahead of its time: it has begun and ended since now. */
  const reckoned = async () => {
    const [from] = await run('select now() as at', [])
    await queue.send('property_states', {})
    const ran = `select 1 from pgboss.job where name = 'property_states' and state = 'completed' and started_on > $1`
    await expect.poll(async () => (await run(ran, [from?.['at']])).length).toBeGreaterThan(0)
  }
  const told = async () => {
    const { data } = await ask(foyer, '/properties', {}, token)
    return (data as unknown as { state: { word: string } }[])[0]?.state.word
  }
  const phone = await onPhone(browser, foyer.url)
  try {
    await heard('0 minutes')
    // Somebody is online there.
    await run(
      `insert into radius_sessions (customer_id, gateway_id, property_id, session_key, acct_session_id, started_at, last_seen_at)
       select customer_id, id, property_id, 's', 's', now(), now() from gateways where id = $1`,
      [gateway_id],
    )
    await reckoned()
    const [list, overview] = [await page.context().newPage(), await page.context().newPage()]
    const screens: [Page, string][] = [
      [page, '/customer/dashboard'],
      [list, '/customer/properties'],
      [overview, `/customer/properties/update?id=${property_id}`],
      [phone, '/mobile'],
    ]
    for (const [screen, address] of screens) {
      await screen.clock.install()
      await enter(screen, token)
      await screen.goto(address)
    }
    await expect(overview.getByText('Guests can get online.').first()).toBeVisible()

    const began = Date.now()
    const left = (whole: number) => Math.max(1, began + whole - Date.now())
    await heard(silent_after)
    await expect.poll(told, { timeout: minute_ms - screens_ask_again_ms, intervals: [200] }).toBe('silent')
    await Promise.all(
      screens.map(async ([screen]) => {
        await screen.clock.fastForward(screens_ask_again_ms)
        const said = screen
          .getByText(/^Gateway silent$|The gateway Lobby has not been heard from/)
          .filter({ visible: true })
          .last()
        await expect(said).toBeVisible({ timeout: left(minute_ms - screens_ask_again_ms) })
      }),
    )
    await expect.poll(() => subjects, { timeout: left(2 * minute_ms) }).toEqual(['Guests cannot get online: Harbour'])
    test.info().annotations.push({ type: 'mailed after', description: `${Math.round((Date.now() - began) / 1000)} s` })
    await reckoned()

    await heard('0 minutes')
    await reckoned()
    await overview.clock.fastForward(screens_ask_again_ms)
    await expect(overview.getByText('Guests can get online.').first()).toBeVisible()
    // Half an hour without trouble passes.
    await run(`update outages set calm_since = calm_since - interval '31 minutes' where property_id = $1`, [
      property_id,
    ])
    await reckoned()
    const both = ['Guests cannot get online: Harbour', 'Guests can get online again: Harbour']
    await expect.poll(() => subjects).toEqual(both)
    await reckoned()
    expect(subjects).toEqual(both)
  } finally {
    await phone.context().close()
    await queue.stop()
    await admin.end()
  }
})

async function onPhone(browser: Browser, baseURL: string) {
  const { userAgent, isMobile, hasTouch } = devices['iPhone 15']
  const context = await browser.newContext({
    baseURL,
    userAgent,
    isMobile,
    hasTouch,
    viewport: { width: 390, height: 844 },
  })
  return context.newPage()
}
