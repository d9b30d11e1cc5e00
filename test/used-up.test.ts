// Used up: a guest who has used up a package's data or time is disconnected over UDP, through each kind of gateway, and both their
// page and their next attempt say why.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Client } from 'pg'
import { authMethods } from '#contract/portals.ts'
import * as sessions from '#contract/sessions.ts'
import * as vouchers from '#contract/vouchers.ts'
import { textsOf } from '#portal/languages.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { endSessions } from '#server/sessions/end-sessions.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'
import { backIn, heading, kinds, look, openNds, openOnlineSites, type OnlineSites } from '#test/online-sites.ts'
import { numberIn, textIn } from '#test/radius-client.ts'
import { letInEarlier } from '#test/radius.ts'
import { codesOf, withCode } from '#test/voucher-codes.ts'

const words = textsOf.en

let foyer: TestFoyer
let admin: Client
let site: OnlineSites['site']
openOnlineSites((sites) => ({ foyer, admin, site } = sites))
type Site = Awaited<ReturnType<typeof site>>

const voucherOf = ({ vouchers: [voucher] }: Site) => {
  if (!voucher) throw new Error('no vouchers')
  return voucher
}
/** A guest who signed in an hour and some ago, as long as the gateway reports. */
async function signInEarlier(its: Site, holder: Parameters<Site['signIn']>[0]) {
  const guest = await its.signIn(holder)
  await letInEarlier(admin, textIn(guest.verdict, attribute.class), 3700)
  return guest
}
const anAccount = async ({ editor, property_id }: Site) => {
  await foyer.account(editor, { property_id, username: 'ada', password: 'the password' })
  return { method: authMethods.account, typed: { username: 'ada', password: 'the password' } }
}

/** The gateway was asked to disconnect, and did; the desk, the guest's page and the next attempt give the same reason. */
async function expectEnded(
  its: Site,
  guest: { device: string; back: string },
  expected: { cause: string; refused: string },
) {
  const ended = { online: false, termination_cause: expected.cause }
  await expect.poll(() => its.sessionOf(guest.device), { timeout: 20_000 }).toMatchObject(ended)
  expect(its.gateway.isOnline(guest.device)).toBe(false)
  const { data } = await foyer.get(sessions.list, { params: { property_id: its.property_id } }, its.editor)
  const row = data.find(({ mac_address }) => mac_address === guest.device)
  expect(row?.termination_reason).toBe(sessions.terminationReason(expected.cause))
  const page = await look(guest.back)
  expect(page.querySelector('h2')?.text).toBe(words.ended_title)
  expect(page.text).toContain(words.refused.used_up)
  const user_name = guest.device
  const refused = await its.gateway.admit(user_name, { user_name, password: user_name })
  expect([refused.code, textIn(refused, attribute.reply_message)]).toEqual([code.access_reject, expected.refused])
}

describe.each(Object.entries(kinds))('through %s', (_name, gateway_type_id) => {
  test("a voucher's data is used up", async () => {
    const its = await site(gateway_type_id)
    const voucher = voucherOf(its)
    const { device, brought } = await its.signIn(voucher)
    await its.gateway.reportAll(() => ({ bytes_up: 1e8, bytes_down: 1e9 }))
    const expected = { cause: 'Data-Used-Up', refused: 'The data is used up.' }
    await expectEnded(its, { device, back: backIn(brought) }, expected)
    await expect(its.signIn(voucher, device)).rejects.toThrow(words.refused.used_up)
  })

  test("a voucher's clock has run out, while its gateway counts on", async () => {
    const its = await site(gateway_type_id)
    const voucher = voucherOf(its)
    const { device, brought } = await its.signIn(voucher)
    await admin.query(`update vouchers set expires_at = now() where ${withCode()}`, [voucher.typed.voucher_code])
    await endSessions(foyer.services.tenancy, foyer.services.queue)
    const expected = { cause: 'Time-Used-Up', refused: 'The time is used up.' }
    await expectEnded(its, { device, back: backIn(brought) }, expected)
    await expect(its.signIn(voucher, device)).rejects.toThrow(words.refused.used_up)
  })

  test("an account's hours are used up, on whichever device", async () => {
    const its = await site(gateway_type_id)
    const account = await anAccount(its)
    const [first, second] = [await signInEarlier(its, account), await signInEarlier(its, account)]
    await its.gateway.reportAll(() => ({ bytes_up: 1000, bytes_down: 1000, seconds: 3700 }))
    const expected = { cause: 'Time-Used-Up', refused: 'The time is used up.' }
    for (const { device, brought } of [first, second])
      await expectEnded(its, { device, back: backIn(brought) }, expected)
    await expect(its.signIn(account, first.device)).rejects.toThrow(words.refused.used_up)
  })

  test('a gateway that ends a session at the limit we gave reports that the time is over, and we say whose', async () => {
    const its = await site(gateway_type_id, { session_time_hrs: 1 })
    const { device, brought } = await signInEarlier(its, await anAccount(its))
    await its.gateway.reportAll(() => ({ bytes_up: 1000, bytes_down: 1000, seconds: 3600 }))
    const expected = { cause: 'Time-Used-Up', refused: 'The time is used up.' }
    await expectEnded(its, { device, back: backIn(brought) }, expected)
  })
})

test('a code of an event is good until its end on all its devices, however long they are online', async () => {
  const its = await site(kinds.generic)
  const { editor, property_id } = its
  const { id: package_id } = await foyer.package(editor, { session_time_hrs: 1 })
  const expires_at = new Date(Date.now() + 36 * 3600_000).toISOString()
  const { id } = await foyer.voucherBatch(editor, { quantity: 1, devices: 4, property_id, package_id, expires_at })
  const [event = ''] = await codesOf(admin, id)
  const holder = { method: authMethods.voucher, typed: { voucher_code: event } }
  const first = await signInEarlier(its, holder)
  await signInEarlier(its, holder)
  await its.gateway.reportAll(() => ({ bytes_up: 1000, bytes_down: 1000, seconds: 3700 }))
  const third = await its.signIn(holder)
  expect(numberIn(third.verdict, attribute.session_timeout)).toBeGreaterThan(3600)
  const { data } = await foyer.get(sessions.list, { params: { property_id } }, editor)
  expect(data.map(({ online }) => online)).toEqual([true, true, true])
  for (const { left } of data) expect(left?.seconds).toBeGreaterThan(35 * 3600)
  expect((await look(backIn(first.brought))).querySelector('h2')?.text).toBe(words.online_title)
  const found = await foyer.get(vouchers.validate, { code: event }, editor)
  expect(found.data).toMatchObject({ state: 'valid', redeemed: true })
})

// openNDS reports nothing, so no data is counted. It has its own limit of time; a guest who signs in again is checked again.
test("through openNDS: once a voucher's time is over, the page refuses it", async () => {
  const its = await site(openNds)
  const voucher = voucherOf(its)
  const device = aMacAddress()
  const arrive = async () => {
    const hid = createHash('sha256').update(`${device}${Math.random()}`).digest('hex')
    const fas = `hid=${hid}, clientmac=${device}, gatewayname=${its.box.nas_identifier}, originurl=x`
    const page = await openPage(`${its.url}?fas=${encodeURIComponent(Buffer.from(fas).toString('base64'))}`)
    return {
      answer: await signIn(page, voucher, false),
      token: createHash('sha256').update(`${hid}${its.box.radius_secret}`).digest('hex'),
    }
  }
  const first = await arrive()
  if ('page' in first.answer) throw new Error('another page')
  expect(first.answer.brought).toMatchObject({ tok: first.token })
  expect(await heading(backIn(first.answer.brought))).toBe(words.online_title)

  await admin.query(`update vouchers set expires_at = now() where ${withCode()}`, [voucher.typed.voucher_code])
  const { answer } = await arrive()
  expect('page' in answer && answer.page.html.querySelector('[role=alert]')?.text).toContain(words.refused.used_up)
})
