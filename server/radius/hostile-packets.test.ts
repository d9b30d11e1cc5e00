// Hostile packets: whatever arrives on the ports, the server keeps working and unknown senders get no answer. Random noise is sent
// by test/proofs/radius.test.ts.
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as gateways from '#contract/gateways.ts'
import type { RadiusPorts } from '#server/apps/radius.ts'
import { attribute, code } from '#server/radius-codec/dictionary.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'
import { openGateway, packetOf, type TestGateway } from '#test/radius-client.ts'

let foyer: TestFoyer
let editor: Person
let ports: RadiusPorts
let made: Awaited<ReturnType<TestFoyer['gateway']>>
let gateway: TestGateway
const known = { user_name: 'amelia', password: 'a guest password', calling_station_id: aMacAddress() }
beforeAll(async () => {
  foyer = await openFoyer({ env: { ROLES: 'api,radius' } })
  if (!foyer.radius) throw new Error('no role')
  ports = await foyer.radius.listen('127.0.0.1', { access: 0, accounting: 0 })
  editor = await foyer.customer()
  const property = await foyer.property(editor)
  made = await foyer.gateway(editor, { property_id: property.id, gateway_type_id: 13 })
  await foyer.account(editor, { property_id: property.id, username: known.user_name, password: known.password })
  gateway = await openGateway(ports, made)
})
afterAll(async () => {
  await gateway.close()
  await foyer.close()
})

/** A second is long compared with the milliseconds that an answer takes; a slow answer fails the tests that expect one. */
const unanswered_ms = 1000
const isAnswered = async (packet: Buffer, port = ports.access) =>
  (await gateway.send(packet, port, unanswered_ms)) !== null

test('an unknown gateway, a wrong secret and a missing signature get no answer; an old gateway needs no signature', async () => {
  expect(await isAnswered(gateway.accessPacket({ ...known, nas_identifier: 'nobody' }))).toBe(false)
  expect(await isAnswered(gateway.accessPacket(known, { secret: 'another secret' }))).toBe(false)
  expect(await isAnswered(gateway.accessPacket(known, { signed: false }))).toBe(false)
  const twice = { ...known, message_authenticator: Buffer.alloc(16) }
  expect(await isAnswered(gateway.accessPacket(twice))).toBe(false)
  await expect
    .poll(async () => (await foyer.get(gateways.get, { id: made.id }, editor)).data.refused_for)
    .toMatch(/^(unsigned|wrong_secret)$/)

  const old = await foyer.gateway(editor, { property_id: made.property_id, gateway_type_id: 13, takes_unsigned: true })
  const box = await openGateway(ports, old)
  const answer = await box.send(box.accessPacket(known, { signed: false }), ports.access)
  expect(answer?.code).toBe(code.access_accept)
  expect(answer?.attributes[0]?.type).toBe(attribute.message_authenticator)
  expect(await box.send(box.accessPacket(known, { secret: 'another secret' }), ports.access, unanswered_ms)).toBeNull()
  await box.close()
})

test('a packet on the wrong port, or of another kind, gets no answer', async () => {
  expect(await isAnswered(gateway.accessPacket(known), ports.accounting)).toBe(false)
  expect(
    await isAnswered(
      packetOf({ ...known, nas_identifier: made.nas_identifier }, { secret: made.radius_secret, kind: 40 }),
    ),
  ).toBe(false)
})

const hasRadclient = (() => {
  try {
    execFileSync('radclient', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(hasRadclient)('radclient, a third-party client, signs in by PAP and CHAP and reports', async () => {
  const run = async (kind: 'auth' | 'acct', port: number, attributes: string) => {
    const radclient = promisify(execFile)('radclient', [
      '-x',
      '-r',
      '3',
      '-t',
      '20',
      `127.0.0.1:${port}`,
      kind,
      made.radius_secret,
    ])
    radclient.child.stdin?.end(`${attributes},NAS-Identifier="${made.nas_identifier}"\n`)
    return (await radclient).stdout
  }
  const device = `Calling-Station-Id="${aMacAddress()}",Message-Authenticator=0x00`
  for (const credential of ['User-Password', 'CHAP-Password']) {
    const accepted = await run('auth', ports.access, `User-Name="amelia",${credential}="${known.password}",${device}`)
    expect(accepted).toMatch(/Received Access-Accept[^\n]*\n\tMessage-Authenticator/)
    expect(accepted).toContain('Acct-Interim-Interval = 300')
  }
  const refused = await run('auth', ports.access, `User-Name="amelia",User-Password="guess",${device}`).catch(
    (error: { stdout: string }) => error.stdout,
  )
  expect(refused).toMatch(/Received Access-Reject[^\n]*\n\tMessage-Authenticator[^\n]*\n\tReply-Message/)
  const stored = await run(
    'acct',
    ports.accounting,
    'User-Name="amelia",Acct-Status-Type=Start,Acct-Session-Id="radclient"',
  )
  expect(stored).toContain('Received Accounting-Response')
})
