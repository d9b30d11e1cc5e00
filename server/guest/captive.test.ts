// Captive: a phone that asks for its state gets it if it is known by its own address or its pass, and no answer otherwise.
import { randomInt } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as sessions from '#contract/sessions.ts'
import { textsOf } from '#portal/languages.ts'
import { connect } from '#server/db/logins.ts'
import { code, status_type } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, openFoyer, type TestFoyer } from '#test/foyer.ts'
import { openGateway, type TestGateway } from '#test/radius-client.ts'

const portal_url = 'https://guests.foyer.test'
const host = 'hotspot.hotel.example'
const words = textsOf.en

let foyer: TestFoyer
let admin: Client
const opened: TestGateway[] = []
const openAt = (PORTAL_URL: string) => openFoyer({ env: { ROLES: 'api,guest,radius', PORTAL_URL } })
beforeAll(async () => {
  foyer = await openAt(portal_url)
  admin = await connect(foyer.database.adminUrl)
})
afterAll(async () => {
  await Promise.all(opened.map((gateway) => gateway.close()))
  await admin.end()
  await foyer.close()
})

/** Used by no other test in this file. */
const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
const bytesOf = (address: string) => Buffer.from(address.split('.').map(Number))

async function place(of = foyer) {
  const editor = await of.customer()
  const { id: portal_id, url } = await of.portal(editor, { auth_method_ids: [3] })
  const { id: package_id } = await of.package(editor, { session_time_hrs: 2, volume_gb: 1 })
  const { id: property_id } = await of.property(editor, { portal_id, package_id })
  await of.account(editor, { property_id, username: 'ada', password: 'quiet-harbour' })
  const made = await of.gateway(editor, { property_id, gateway_type_id: 13, dns_name: host })
  const ports = await of.radius?.listen('127.0.0.1', { access: 0, accounting: 0 })
  if (!ports) throw new Error('no role')
  const gateway = await openGateway(ports, made)
  opened.push(gateway)
  const page = new URL(url).pathname
  const ask = (path: string, from: string, form?: Record<string, string>) => {
    const body = form && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    }
    const answer = of.guest?.inject({ method: form ? 'POST' : 'GET', url: path, remoteAddress: from, ...body })
    if (!answer) throw new Error('no role')
    return answer
  }
  return {
    editor,
    property_id,
    package_id,
    made,
    gateway,
    page,
    ask,
    /** The answer for a phone at this address; only the HTTP status if it is not 200. */
    async stateFor(from: string, path = `${page}/captive/${made.id}`) {
      const { statusCode, headers, body } = await ask(path, from)
      if (statusCode !== 200) return statusCode
      expect([headers['content-type'], headers['cache-control']]).toEqual([
        'application/captive+json',
        'private, no-store',
      ])
      return JSON.parse(body) as Record<string, unknown>
    },
    /** Signs in at the portal, as a phone does. Returns the address of the status page. */
    async signIn(mac_address: string, from: string) {
      const redirect = `${page}?nasid=${made.nas_identifier}&client_mac=${mac_address}`
      const { body } = await ask(redirect, from, { username: 'ada', password: 'quiet-harbour', method: '3' })
      const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''
      const asked = { calling_station_id: mac_address, user_name: valueOf('username'), password: valueOf('password') }
      expect((await gateway.access(asked)).code).toBe(code.access_accept)
      const back = new URL(valueOf('userurl'))
      return back.pathname + back.search
    },
    report: (mac_address: string, acct_status_type: number, more: object = {}) =>
      gateway.report({ calling_station_id: mac_address, acct_session_id: mac_address, acct_status_type, ...more }),
  }
}

test('by the address of a session: online with what is left, then captive with a link back to the gateway', async () => {
  const { made, page, stateFor, ask, signIn, report } = await place()
  const [mac_address, address] = [aMacAddress(), anAddress()]
  expect(await stateFor(address)).toBe(404)
  await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  await report(mac_address, status_type.interim, { framed_ip_address: bytesOf(address), acct_input_octets: 4e8 })
  const sign_in = `${page}/captive/${made.id}/sign-in`
  const online = await stateFor(address)
  expect(online).toEqual({
    captive: false,
    'user-portal-url': `${portal_url}${sign_in}`,
    'can-extend-session': true,
    'seconds-remaining': expect.any(Number) as number,
    'bytes-remaining': 6e8,
  })
  expect((online as Record<string, number>)['seconds-remaining']).toBeGreaterThan(7000)
  expect((online as Record<string, number>)['seconds-remaining']).toBeLessThanOrEqual(7200)
  // As a dual-stack socket reports it.
  expect(await stateFor(`::ffff:${address}`)).toMatchObject({ captive: false })

  const { body } = await ask(sign_in, address)
  expect(body).toContain(words.status_title)
  expect(body).toContain('600 MB')
  expect(body).not.toContain('<form')

  await report(mac_address, status_type.stop, { framed_ip_address: bytesOf(address) })
  expect(await stateFor(address)).toEqual({ captive: true, 'user-portal-url': portal_url + sign_in })
  const { statusCode, headers } = await ask(sign_in, address)
  expect([statusCode, headers.location]).toEqual([303, `http://${host}/`])
})

test('guests, phones and the desk are told the same while a session keeps the terms that it was let in on', async () => {
  const { editor, made, property_id, package_id, page, stateFor, ask, signIn, report } = await place()
  const [mac_address, address] = [aMacAddress(), anAddress()]
  const status = await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  await report(mac_address, status_type.interim, { framed_ip_address: bytesOf(address), acct_input_octets: 4e8 })
  // From the next sign-in on.
  await foyer.get(packages.update, { id: package_id, volume_gb: 5 }, editor)
  const { id: other } = await foyer.package(editor, { volume_gb: 3 })
  await foyer.get(properties.update, { id: property_id, package_id: other }, editor)
  const { data } = await foyer.get(sessions.list, { params: { property_id } }, editor)
  expect(data).toMatchObject([{ left: { bytes: 6e8 } }])
  expect(await stateFor(address)).toMatchObject({ 'bytes-remaining': 6e8 })
  expect(await stateFor(address, `${page}/captive${new URL(status, portal_url).search}`)).toMatchObject({
    'bytes-remaining': 6e8,
  })
  for (const path of [status, `${page}/captive/${made.id}/sign-in`])
    expect((await ask(path, address)).body).toContain('600 MB')
})

test('there is no answer for unknown addresses, nor while a session without an address may be theirs', async () => {
  const [here, there] = [await place(), await place()]
  const [mac_address, address] = [aMacAddress(), anAddress()]
  await here.signIn(mac_address, address)
  await here.report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  for (const path of [
    `${there.page}/captive/${here.made.id}`,
    `${here.page}/captive/${there.made.id}`,
    `${here.page}/captive/0`,
    `${here.page}/captive/x`,
    `${here.page}/captive`,
    `${here.page}/captive?online=${'A'.repeat(22)}`,
  ])
    expect(await here.stateFor(address, path), path).toBe(404)
  expect(await here.stateFor(anAddress())).toBe(404)

  await here.report(mac_address, status_type.stop, { framed_ip_address: bytesOf(address) })
  expect(await here.stateFor(address)).toMatchObject({ captive: true })
  const silent = aMacAddress()
  await here.signIn(silent, address)
  await here.report(silent, status_type.start)
  expect(await here.stateFor(address), 'a session without an address may be theirs').toBe(404)
})

test('by the key of their status page, from any address', async () => {
  const { ask, page, stateFor, signIn, report } = await place()
  const [mac_address, address] = [aMacAddress(), anAddress()]
  const back = await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  const key = back.slice(back.indexOf('?'))
  const said = { 'user-portal-url': portal_url + back }
  const its = { captive: false, 'bytes-remaining': 1e9 }
  expect(await stateFor('192.0.2.7', `${page}/captive${key}`)).toMatchObject({ ...its, ...said })
  expect((await ask(back, '192.0.2.7')).body).toContain(words.online_title)
  await report(mac_address, status_type.stop, { framed_ip_address: bytesOf(address) })
  expect(await stateFor('192.0.2.7', `${page}/captive${key}`)).toEqual({ captive: true, ...said })
  expect((await ask(back, '192.0.2.7')).body).toContain(`href="http://${host}/">${words.sign_in_again}`)
})

test('a property without a portal of its own answers at its group’s', async () => {
  const { editor, made, page, ask, stateFor, signIn, report } = await place()
  const { data: property } = await foyer.get(properties.get, { id: made.property_id }, editor)
  const { id: group_id } = await foyer.group(editor, { portal_id: property.portal_id })
  await foyer.get(properties.update, { id: property.id, portal_id: null, group_id }, editor)
  const [mac_address, address] = [aMacAddress(), anAddress()]
  const back = await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  expect(await stateFor(address)).toMatchObject({ captive: false })
  await ask(back, address)
  const { captive_url } = (await foyer.get(gateways.get, { id: made.id }, editor)).data
  expect(captive_url).toBe(`${portal_url}${page}/captive/${made.id}`)
})

test('the address that a network announces still answers once its property has another portal', async () => {
  const { editor, made, stateFor, signIn, report } = await place()
  const [mac_address, address] = [aMacAddress(), anAddress()]
  await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  const { id: portal_id } = await foyer.portal(editor, { auth_method_ids: [3] })
  await foyer.get(properties.update, { id: made.property_id, portal_id }, editor)
  expect(await stateFor(address)).toMatchObject({ captive: false })
})

test('the gateway’s set-up shows the URL once a guest was seen at their own address, and not if guests come from another', async () => {
  const { editor, made, page, ask, signIn, report } = await place()
  const [mac_address, address] = [aMacAddress(), anAddress()]
  const back = await signIn(mac_address, address)
  await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
  const named = async () => (await foyer.get(gateways.get, { id: made.id }, editor)).data.captive_url
  await ask(back, '192.0.2.7')
  expect(await named()).toBeNull()
  await ask(back, address)
  expect(await named()).toBe(`${portal_url}${page}/captive/${made.id}`)
  await admin.query(`update gateways set guests_seen_at = now() - interval '31 days' where id = $1`, [made.id])
  expect(await named()).toBeNull()
})

test('a portal without TLS does not answer', async () => {
  const plain = await openAt('http://guests.foyer.test')
  try {
    const { made, editor, ask, signIn, stateFor, report } = await place(plain)
    const [mac_address, address] = [aMacAddress(), anAddress()]
    const back = await signIn(mac_address, address)
    await report(mac_address, status_type.start, { framed_ip_address: bytesOf(address) })
    await ask(back, address)
    expect(await stateFor(address)).toBe(404)
    expect((await plain.get(gateways.get, { id: made.id }, editor)).data.captive_url).toBeNull()
  } finally {
    await plain.close()
  }
})
