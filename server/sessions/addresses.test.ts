// Addresses: those a session has and when it had each, as its gateway reports them, for IPv4 and IPv6.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as sessions from '#contract/sessions.ts'
import { status_type } from '#server/radius-codec/dictionary.ts'
import { addressOf, bytesOf, bytesOfPrefix, prefixOf } from '#server/radius-codec/ipv6.ts'
import { forbidden, invalid } from '#server/errors/refused.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { showClock, withRadius, type TestRadius } from '#test/radius.ts'
import { expectRefused } from '#test/refused.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

const ipv4 = (address: string) => Buffer.from(address.split('.').map(Number))

async function reporting() {
  const property = await foyer.property(editor)
  const { gateway } = await radius.gatewayAt(property.id)
  await showClock(gateway)
  const session = { calling_station_id: aMacAddress(), acct_session_id: 'one', acct_status_type: status_type.interim }
  const read = async () => {
    const { data } = await foyer.get(sessions.list, { params: { property_id: property.id } }, editor)
    return data[0]
  }
  const held = async () => {
    const { rows } = await admin.query<{ address: string; for_s: number; until_s: number | null }>(
      `select abbrev(a.address) as address, extract(epoch from a.since - s.started_at)::integer as for_s,
         extract(epoch from a.until - s.started_at)::integer as until_s
       from session_addresses a join radius_sessions s on s.id = a.radius_session_id and s.customer_id = a.customer_id
       where s.property_id = $1 order by a.since, a.id`,
      [property.id],
    )
    return rows
  }
  return { gateway, session, read, held }
}

test('the first address counts from the beginning, and each later one from the report that brings it', async () => {
  const { gateway, session, read, held } = await reporting()
  const began_at = Math.floor(Date.now() / 1000) - 600
  const at = (online_s: number) => ({ acct_session_time: online_s, event_timestamp: began_at + online_s })
  await gateway.report({ ...session, ...at(60), framed_ip_address: ipv4('10.0.0.5') })
  await gateway.report({ ...session, ...at(120), framed_ip_address: ipv4('10.0.0.5') })
  await gateway.report({
    ...session,
    ...at(180),
    framed_ip_address: ipv4('10.0.0.6'),
    framed_ipv6_address: [bytesOf('2001:db8::7'), bytesOf('2001:db8::8')],
    framed_ipv6_prefix: bytesOfPrefix('2001:db8:1::/64'),
    delegated_ipv6_prefix: bytesOfPrefix('2001:db8:2:30::/60'),
  })
  // What a report leaves out is kept; a late report does not change the present addresses.
  await gateway.report({ ...session, ...at(240) })
  await gateway.report({ ...session, ...at(150), framed_ip_address: ipv4('10.0.0.5') })
  expect(await read()).toMatchObject({
    ip: '10.0.0.6',
    ipv6: ['2001:db8::7', '2001:db8::8', '2001:db8:1::/64', '2001:db8:2:30::/60'],
  })
  await gateway.report({ ...session, ...at(300), framed_ipv6_address: bytesOf('2001:db8::8') })
  expect(await held()).toEqual([
    { address: '10.0.0.5', for_s: 0, until_s: 180 },
    { address: '10.0.0.6', for_s: 180, until_s: null },
    { address: '2001:db8::7', for_s: 180, until_s: 300 },
    { address: '2001:db8::8', for_s: 180, until_s: null },
    { address: '2001:db8:1::/64', for_s: 180, until_s: 300 },
    { address: '2001:db8:2:30::/60', for_s: 180, until_s: 300 },
  ])
})

test('editors can look up who had an address at a time, and the look-up is logged', async () => {
  const { gateway, session, read } = await reporting()
  const began_at = Math.floor(Date.now() / 1000) - 3600
  const at = (online_s: number) => ({ acct_session_time: online_s, event_timestamp: began_at + online_s })
  const [first, second] = [ipv4('10.9.0.5'), ipv4('10.9.0.6')]
  await gateway.report({ ...session, ...at(60), framed_ip_address: first })
  await gateway.report({
    ...session,
    ...at(1800),
    framed_ip_address: second,
    delegated_ipv6_prefix: bytesOfPrefix('2001:db8:9::/56'),
  })
  const id = (await read())?.id
  const ask = async (address: string, online_s: number) => {
    const moment = new Date((began_at + online_s) * 1000).toISOString()
    const { data } = await foyer.get(sessions.whoseAddress, { ip_address: address, at: moment }, editor)
    return data.map((one) => [one.session_id, one.address, one.mac_address, one.until !== null])
  }
  const mac = session.calling_station_id
  expect(await ask('10.9.0.5', 600)).toEqual([[id, '10.9.0.5', mac, true]])
  expect(await ask('10.9.0.5', 3000)).toEqual([])
  expect(await ask('10.9.0.6', 600)).toEqual([])
  expect(await ask('10.9.0.6', 3000)).toEqual([[id, '10.9.0.6', mac, false]])
  expect(await ask('10.9.0.7', 3000)).toEqual([])
  expect(await ask('2001:db8:9:ff::1', 3000)).toEqual([[id, '2001:db8:9::/56', mac, false]])
  expect(await ask('2001:db8:9:100::1', 3000)).toEqual([])
  // The time in an enquiry comes from another clock.
  expect(await ask('10.9.0.6', 1700)).toEqual([[id, '10.9.0.6', mac, false]])

  const log = await foyer.get(activity.list, { filters: { action: 'looked_up' } }, editor)
  expect(log.data[0]).toMatchObject({ object_type: 'session_addresses', after: { ip_address: '10.9.0.6' } })
  const asked = { ip_address: '10.9.0.5', at: new Date().toISOString() }
  for (const who of [await foyer.viewer(editor), await foyer.invited(editor, { user_type_id: 3 })])
    expectRefused(await foyer.ask(sessions.whoseAddress, asked, who), forbidden())
  expectRefused(
    await foyer.ask(sessions.whoseAddress, { ...asked, ip_address: '10.9.0' }, editor),
    invalid({ ip_address: ['Please enter an IP address'] }),
  )
  const stranger = await foyer.customer()
  expect((await foyer.get(sessions.whoseAddress, { ...asked, ip_address: '10.9.0.6' }, stranger)).data).toEqual([])
})

test('malformed addresses and prefixes are ignored', () => {
  expect(addressOf(Buffer.alloc(4))).toBeNull()
  expect(prefixOf(Buffer.of(0))).toBeNull()
  expect(prefixOf(Buffer.of(0, 129, 1))).toBeNull()
  expect(prefixOf(Buffer.alloc(30))).toBeNull()
  expect(prefixOf(Buffer.of(0, 0))).toBe('::/0')
  // Bits after the prefix are not part of it.
  expect(prefixOf(Buffer.of(0, 20, 0x20, 0x01, 0xff))).toBe('2001:f000::/20')
  for (const address of ['::', '::1', '2001:db8::', '2001:db8:0:1:2:3:4:5', 'fe80::1:0:0:1', '::ffff:a00:1'])
    expect(addressOf(bytesOf(address))).toBe(address)
  for (const text of ['', '10.0.0.1', 'fe80::1%eth0', 'nonsense']) expect(bytesOf(text)).toHaveLength(0)
  expect(addressOf(bytesOf('2001:DB8:0:0:0:0:0:10'))).toBe('2001:db8::10')
})
