// Disconnect: the attributes of the request, and what becomes of a session that the gateway says it does not have.
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import * as sessions from '#contract/sessions.ts'
import { openControllers } from '#server/gateways/controllers.ts'
import { disconnect } from '#server/radius/disconnect.ts'
import { attribute, code, error_cause, status_type } from '#server/radius-codec/dictionary.ts'
import { openGateways } from '#server/radius/gateways.ts'
import { aMacAddress, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, textIn } from '#test/radius-client.ts'
import { withRadius, type TestRadius } from '#test/radius.ts'

let radius: TestRadius
let foyer: TestFoyer
let admin: Client
let editor: Person
withRadius((opened) => {
  radius = opened
  ;({ foyer, admin, editor } = radius)
})

/** A gateway, and an account that signs in through it. */
async function site() {
  const property = await foyer.property(editor)
  const { made, gateway } = await radius.gatewayAt(property.id)
  await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, gateway.port])
  const account = async (username: string) => {
    const { id: package_id } = await foyer.package(editor)
    return foyer.account(editor, { property_id: property.id, username, password: 'guest password', package_id })
  }
  const markOf = async (user_name: string, calling_station_id: string) => {
    const answer = await gateway.access({ user_name, password: 'guest password', calling_station_id })
    expect(answer.code).toBe(code.access_accept)
    return textIn(answer, attribute.class) ?? ''
  }
  const read = async () => {
    const { data } = await foyer.get(sessions.list, { params: { property_id: property.id } }, editor)
    return data
  }
  const askToEnd = async () => {
    const [session] = await read()
    const session_ids = [session?.id ?? 0]
    await foyer.get(sessions.disconnect, { ids: session_ids, reason: 'The guest has left' }, editor)
    return session_ids
  }
  return { property, made, gateway, account, markOf, read, askToEnd }
}
const ask = (session_ids: number[]) =>
  disconnect(
    { ...foyer.services, controllers: openControllers(foyer.services, () => Promise.resolve('silent')) },
    openGateways(foyer.services),
    {
      customer_id: editor.user.customer.id,
      session_ids,
    },
  )

test.each([
  (mac: string) => mac.toUpperCase().replaceAll(':', '-'),
  (mac: string) => mac.replaceAll(':', ''),
  (mac: string) => mac.replaceAll(':', '').replace(/(....)(....)(....)/, '$1.$2.$3'),
])('a Disconnect repeats the device as its gateway wrote it: %s', async (written) => {
  const { gateway, account, markOf, askToEnd } = await site()
  await account('ada')
  const calling_station_id = written(aMacAddress())
  const mark = await markOf('ada', calling_station_id)
  const session = { user_name: 'ada', class: mark, acct_session_id: 'one' }
  // A later report adds what the session began without.
  await gateway.report({ ...session, acct_status_type: status_type.start, acct_session_time: 0 })
  await gateway.report({
    ...session,
    calling_station_id,
    acct_status_type: status_type.interim,
    acct_session_time: 60,
  })
  await ask(await askToEnd())
  expect(gateway.requests.map((one) => textIn(one, attribute.calling_station_id))).toEqual([calling_station_id])
})

test('a further Accept of the same device and holder keeps its Class; that of another device or holder has its own', async () => {
  const { gateway, account, markOf } = await site()
  await account('ada')
  await account('ben')
  const [device, other] = [aMacAddress(), aMacAddress()]
  const mark = await markOf('ada', device)
  expect(await markOf('ada', device)).toBe(mark)
  expect(await markOf('ada', device.toUpperCase().replaceAll(':', '-'))).toBe(mark)
  const others = [await markOf('ada', other), await markOf('ben', device)]
  expect(new Set([mark, ...others]).size).toBe(3)
  await gateway.report({
    user_name: 'ada',
    class: mark,
    calling_station_id: device,
    acct_session_id: 'two',
    acct_status_type: status_type.start,
  })
  const { rows } = await admin.query<{ username: string }>(
    `select a.username from radius_sessions s join accounts a on a.id = s.account_id and a.customer_id = s.customer_id
     where s.acct_session_id = 'two' and s.mac_address = $1`,
    [device],
  )
  expect(rows).toEqual([{ username: 'ada' }])
  // Once the allowed time is over, a new session begins.
  await admin.query("update radius_authorisations set ends_at = now() - interval '1 second' where mac_address = $1", [
    device,
  ])
  expect(await markOf('ada', device)).not.toBe(mark)
})

test('a session that its gateway does not know is closed with that reason; once it is reported again, it stays online', async () => {
  const { gateway, account, markOf, read, askToEnd } = await site()
  await account('ada')
  const calling_station_id = aMacAddress()
  const known = { user_name: 'ada', calling_station_id, class: await markOf('ada', calling_station_id) }
  const session = { ...known, acct_session_id: 'x' }
  await gateway.report({ ...session, acct_status_type: status_type.start, acct_session_time: 0 })
  gateway.refuses = () => error_cause.session_context_not_found
  await ask(await askToEnd())
  const unknown = sessions.terminationReason('Session-Unknown')
  expect((await read())[0]).toMatchObject({ online: false, termination_reason: unknown })

  await gateway.report({ ...session, acct_status_type: status_type.interim, acct_session_time: 60 })
  expect((await read())[0]).toMatchObject({ online: true })
  await ask(await askToEnd())
  expect((await read())[0]).toMatchObject({ online: true })
  expect(gateway.requests).toHaveLength(2)
  // It gives this answer again, and nothing has been reported since.
  await ask(await askToEnd())
  expect((await read())[0]).toMatchObject({ online: false, termination_reason: unknown })
})

test('a session that was reported since the request is not closed', async () => {
  const { gateway, account, markOf, read, askToEnd } = await site()
  await account('ada')
  const calling_station_id = aMacAddress()
  const known = { user_name: 'ada', calling_station_id, class: await markOf('ada', calling_station_id) }
  await gateway.report({ ...known, acct_session_id: 'x', acct_status_type: status_type.start, acct_session_time: 0 })
  gateway.refuses = () => error_cause.session_context_not_found
  const ids = await askToEnd()
  await admin.query("update radius_sessions set disconnect_asked_at = now() - interval '5 minutes' where id = $1", ids)
  await ask(ids)
  expect((await read())[0]).toMatchObject({ online: true })
})

test('a session that the gateway ended at our request, but whose answer was lost, was ended by the desk', async () => {
  const { gateway, account, markOf, read, askToEnd } = await site()
  await account('ada')
  const calling_station_id = aMacAddress()
  const known = { user_name: 'ada', calling_station_id, class: await markOf('ada', calling_station_id) }
  await gateway.report({ ...known, acct_session_id: 'x', acct_status_type: status_type.start, acct_session_time: 0 })
  gateway.loses_answers = 1
  gateway.refuses = () => (gateway.requests.length === 0 ? null : error_cause.session_context_not_found)
  await ask(await askToEnd())
  const reason = sessions.terminationReason('Admin-Reset')
  expect((await read())[0]).toMatchObject({ online: false, termination_reason: reason })
})

test('a Disconnect goes to the box that reported the session last, and what another box says of it closes nothing', async () => {
  const { made, account, markOf, read, askToEnd } = await site()
  await account('ada')
  const calling_station_id = aMacAddress()
  const known = { user_name: 'ada', calling_station_id, class: await markOf('ada', calling_station_id) }
  const session = { ...known, acct_session_id: 'x' }
  const lastAddress = async () =>
    (await admin.query('select host(last_address) as at from gateways where id = $1', [made.id])).rows
  const heardFrom = async (at: string) => {
    await expect.poll(lastAddress).toEqual([{ at }])
  }
  const guests = await openGateway(radius.ports, made, undefined, undefined, { host: '127.0.0.2', port: 0 })
  const other = await openGateway(radius.ports, made, undefined, undefined, { host: '127.0.0.3', port: guests.port })
  try {
    await admin.query('update gateways set disconnect_port = $2 where id = $1', [made.id, guests.port])
    other.refuses = () => error_cause.session_context_not_found
    await guests.report({ ...session, acct_status_type: status_type.start, acct_session_time: 0 })
    await heardFrom('127.0.0.2')
    await other.access({ user_name: 'nobody', password: 'no password' })
    await heardFrom('127.0.0.3')
    const ids = await askToEnd()
    await ask(ids)
    expect(guests.requests.map((one) => textIn(one, attribute.acct_session_id))).toEqual(['x'])
    expect(other.requests).toEqual([])

    await admin.query('update radius_sessions set reported_from = null where id = any($1)', [ids])
    await ask(ids)
    expect(other.requests).toHaveLength(1)
    expect(await read()).toMatchObject([{ online: true }])
  } finally {
    await Promise.all([guests.close(), other.close()])
  }
})
