// The desk's keys: Enter in a field that finds guests chooses what is found, however often it is pressed, and nothing is written.
// Of each kind that can be found, in a state in which the first button next to it would write.
import type { Page } from '@playwright/test'
import { kinds, type Kind } from '#contract/guest-help.ts'
import { connect } from '#server/db/logins.ts'
import { dayFrom, openDesk, openHouse } from '#test/journeys/desk-house.ts'
import { expect, test } from '#test/journeys/fixtures.ts'
import { ask, enter, type Foyer } from '#test/journeys/people.ts'

type Admin = Awaited<ReturnType<typeof connect>>
type House = Awaited<ReturnType<typeof openHouse>>
interface Place extends House {
  foyer: Foyer
  admin: Admin
  make: (call: string, body: object) => Promise<Record<string, unknown>>
}

/** Creates one of a kind, and returns what the desk types to find it and, of the vacant room, what is shown. */
const seeds: Record<Kind | 'vacant room', (at: Place) => Promise<string>> = {
  account: () => Promise.resolve('zinnia'),
  stay: () => Promise.resolve('birtwistle'),
  async device({ make, property_id }) {
    const device = { name: 'Pump 7', mac_address: '02:00:00:aa:bb:07', property_id, active: false }
    await make('/devices-create', device)
    return 'pump 7'
  },
  async voucher({ make, property_id, token, foyer }) {
    const { id: package_id } = await make('/packages-create', { name: `Keys ${property_id}` })
    const { id } = await make('/voucher-batches-create', { quantity: 1, property_id, package_id })
    const { data } = await ask(foyer, '/vouchers', { params: { voucher_batch_id: id } }, token)
    await ask(foyer, '/voucher-batches-deactivate', { ids: [id] }, token)
    return (data as unknown as { code: string }[])[0]?.code ?? ''
  },
  async guest({ admin, property_id }) {
    // Last refused for want of messages: the desk would give out a code.
    const { rows } = await admin.query<{ id: number }>(
      `insert into guests (customer_id, property_id, auth_method_id, name, email)
       select customer_id, id, 5, 'Orla Quist', 'orla@guests.example' from properties where id = $1 returning id`,
      [property_id],
    )
    await refuse(admin, property_id, { identifier: 'orla@guests.example', guest_id: rows[0]?.id })
    return 'orla'
  },
  async attempt({ admin, property_id }) {
    await refuse(admin, property_id, { identifier: 'Xanthippe' })
    return 'xanthippe'
  },
  async 'vacant room'({ make, token, foyer, property_id }) {
    const { data } = await ask(foyer, '/rooms', { params: { property_id }, searchValue: '204' }, token)
    const [room] = data as unknown as { id: number }[]
    const television = { name: 'Television 204', mac_address: '02:00:00:aa:bb:04', property_id, active: false }
    await make('/devices-create', { ...television, room_id: room?.id })
    return '204'
  },
}

const refuse = (admin: Admin, property_id: number, who: { identifier: string; guest_id?: number | undefined }) =>
  admin.query(
    `insert into radius_authorisations (customer_id, property_id, identifier, guest_id, mac_address, accepted, reason)
     select customer_id, id, $2, $3, '02:00:00:aa:bb:99', false, $4 from properties where id = $1`,
    [property_id, who.identifier, who.guest_id, who.guest_id === undefined ? 'unknown_user' : 'no_more_messages'],
  )

/** What signing in, reading and the clock write by themselves. */
const ownWrites = /^(sessions|used_quotas|failed_jobs|hour_ledgers|night_ledgers|property_states|.*_(hours|nights))$/

/** A fingerprint of each table with rows of a customer. */
async function contents(admin: Admin): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns as c
     join information_schema.tables as t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'customer_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !ownWrites.test(table.name))) {
    const { rows } = await admin.query<{ hash: string }>(
      `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as hash from public.${name} as t`,
    )
    found[name] = rows[0]?.hash ?? ''
  }
  return found
}

/** Waits until what was asked for before, such as mails, is done. */
async function settled(admin: Admin) {
  let last = await contents(admin)
  await expect(async () => {
    const before = last
    last = await contents(admin)
    expect(last).toEqual(before)
  }).toPass({ intervals: [1500] })
  return last
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? '')

const fields = [
  { at: 'the desk', path: '/property/dashboard', label: 'Guest, room or code' },
  { at: 'guest help', path: '/property/guest-help', label: 'Who cannot get online?' },
]
for (const { at, path, label } of fields)
  test(`Enter twice at ${at} writes nothing, whatever is found`, async ({ page, foyer }) => {
    test.setTimeout(240_000)
    const house = await openHouse(foyer)
    const admin = await connect(foyer.database())
    const make = async (call: string, body: object) => {
      const { status, data } = await ask(foyer, call, body, house.token)
      expect(status, `${call} ${JSON.stringify(data)}`).toBeLessThan(300)
      return data
    }
    try {
      await enter(page, house.desk)
      for (const kind of [...kinds, 'vacant room'] as const)
        await test.step(kind, async () => {
          const word = await seeds[kind]({ ...house, foyer, admin, make })
          const before = await settled(admin)
          await page.goto(path)
          const field = page.getByLabel(label, { exact: true })
          await expect(field).toBeFocused()
          await page.keyboard.type(word)
          await page.keyboard.press('Enter')
          await page.keyboard.press('Enter')
          // Also once what was found is there.
          const verdict = page.getByRole('region', { name: 'What is in the way' })
          if (kind === 'vacant room' && at === 'the desk') {
            // Of a vacant room Enter chooses the form, in which nothing has been entered: at once, or by the link that has the focus.
            const link = page.getByRole('link', { name: 'Check in to room 204' })
            const isFocused = () => link.evaluate((one) => one === document.activeElement, null, { timeout: 500 })
            await expect
              .poll(async () => page.url().includes('room-guests/update') || (await isFocused().catch(() => false)))
              .toBe(true)
          } else {
            await expect(verdict.getByRole('button').first()).toBeVisible()
            expect(['BUTTON', 'A']).not.toContain(await focused(page))
          }
          await page.keyboard.press('Enter')
          await page.keyboard.press('Enter')
          await page.waitForTimeout(300)
          expect(await settled(admin), `${kind}: “${word}”`).toEqual(before)
        })
    } finally {
      await admin.end()
    }
  })

test('the television of a room never speaks for its guest', async ({ page, foyer }) => {
  const { token, desk, property_id, day } = await openHouse(foyer)
  const { data } = await ask(foyer, '/rooms-create', { property_id, numbers: ['1'] }, token)
  const [room_id] = data['ids'] as number[]
  const television = { name: '1', mac_address: '02:00:00:aa:bb:05', property_id, room_id, active: false }
  await ask(foyer, '/devices-create', television, token)
  const stay = { room_id, last_name: 'Zuckerman', arrives_on: dayFrom(day, -1), departs_on: dayFrom(day, 1) }
  await ask(foyer, '/room-guests-create', stay, token)
  await openDesk(page, desk)
  await page.keyboard.type('1')
  await expect(page.getByRole('heading', { name: 'Zuckerman' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Zuckerman' })).toBeFocused()
})
