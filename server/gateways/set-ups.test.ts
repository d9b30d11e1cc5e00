// Set-ups: each make of gateway gets the RADIUS server and the secret, and the address of its guests' page.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import type { SetUpOf } from './definition.ts'
import { gatewayTypes, kindOf } from './find-kind.ts'

/** The seeded gateway types. */
const types: [id: number, name: string, has: 'portal' | 'radius' | 'both'][] = [
  [1, 'MikroTik RouterOS', 'both'],
  [2, 'CoovaChilli', 'both'],
  [3, 'openNDS', 'portal'],
  [4, 'UniFi', 'both'],
  [5, 'Omada', 'both'],
  [6, 'Ruckus', 'both'],
  [7, 'Aruba', 'both'],
  [8, 'Cisco Meraki', 'both'],
  [9, 'Cambium', 'both'],
  [10, 'Nomadix', 'both'],
  [11, 'pfSense', 'both'],
  [12, 'OPNsense', 'both'],
  [13, 'Generic RADIUS (WISPr)', 'both'],
  [14, 'Cisco wireless controllers', 'both'],
  [15, 'Extreme', 'both'],
  [16, 'Fortinet', 'both'],
  [17, 'Ruijie', 'both'],
  [18, 'Huawei', 'both'],
  [19, 'Grandstream', 'both'],
  [20, 'Zyxel', 'both'],
  [21, 'D-Link', 'both'],
  [22, 'DrayTek', 'both'],
  [23, 'Alcatel-Lucent', 'both'],
  [24, 'SonicWall', 'both'],
  [25, 'Alta', 'radius'],
  [26, 'Arista', 'both'],
]
/** Their rows are in the first migration; those of the others come from the definitions. */
const first_seeded = 13
const known: SetUpOf = {
  host: 'radius.example',
  authentication_port: 11812,
  accounting_port: 11813,
  nas_identifier: 'lobby-4711',
  disconnect_port: 11700,
  secret: 'THE-SECRET',
  portal: 'https://guests.example:8443/p/a1b2c3',
  // An openNDS opens a portal on https at such a level alone.
  settings: { level: '4' },
}
function textsOf(id: number, of = known) {
  const definition = kindOf(id)?.definition
  if (!definition) throw new Error(`there is no kind ${id}`)
  const { where, lines, values } = definition.setUp(of)
  const settings = [lines ?? '', ...values.flatMap(({ name, value }) => [name, value])].join('\n')
  return { settings, prose: `${where} ${definition.note ?? ''}` }
}

test('the definitions are those of the seeded types', () => {
  const seed = fs.readFileSync('server/db/migrations/0002-lookups.sql', 'utf8')
  const [, rows = ''] = /insert into gateway_types \(id, name\) values([^;]*);/.exec(seed) ?? []
  const seeded = [...rows.matchAll(/\((\d+), '([^']+)'\)/g)].map(([, id, name]) => [Number(id), name])
  const named = types.map(([id, name]) => [id, name])
  expect(named.slice(0, first_seeded)).toEqual(seeded)
  expect(gatewayTypes().map(({ id, name }) => [id, name])).toEqual(named)
})

test.each(types)('%i, %s: contains the NAS identifier and the secret, and the addresses of: %s', (id, _, has) => {
  const { settings, prose } = textsOf(id)
  expect(settings).toContain(known.nas_identifier)
  expect(settings).toContain(known.secret)
  expect(settings.includes(known.host)).toBe(has !== 'portal')
  expect(settings.includes('guests.example')).toBe(has !== 'radius')
  expect(prose.includes('the gateway’s own page')).toBe(has === 'radius')
})

test('the full address of the page, and the host that guests may open before signing in', () => {
  for (const id of [1, 2, 13]) expect(textsOf(id).settings).toContain(known.portal)
  for (const part of [`faspath='/p/a1b2c3'`, `fasport='8443'`, `fasremotefqdn='guests.example'`])
    expect(textsOf(3).settings).toContain(part)
  for (const line of ['walled-garden add dst-host="guests.example"', 'radius add service=hotspot'])
    expect(textsOf(1).settings).toContain(line)
  expect(textsOf(2).settings).toContain('HS_UAMALLOW="guests.example"')
})

test('what is pasted has the gateway listen where it is registered to', () => {
  expect(textsOf(1).settings).toContain('/radius incoming set accept=yes port=11700')
  expect(textsOf(2).settings).toContain('HS_COAPORT=11700')
  expect(textsOf(14, { ...known, settings: { redirect_acl: 'GUESTS' } }).settings).toContain(' port 11700')
})

test('makes that send guests to a host alone say by which ports they come', () => {
  for (const id of [4, 17]) expect(textsOf(id).prose).toContain('port 80 of')
})

test('openNDS gets the default port for an address without one', () => {
  const portOf = (portal: string, level: string) =>
    /fasport='(\d+)'/.exec(textsOf(3, { ...known, portal, settings: { level } }).settings)?.[1]
  expect(portOf('https://guests.example/p/a', '4')).toBe('443')
  expect(portOf('http://guests.example/p/a', '1')).toBe('80')
})

test('openNDS opens https at the levels 3 and 4 and http below, so lines are given where the portal is on what it opens', () => {
  const levels = [{}, ...['1', '2', '3', '4'].map((level) => ({ level }))]
  const givenAt = (portal: string) => levels.map((settings) => textsOf(3, { ...known, portal, settings }))
  const https = givenAt('https://guests.example/p/a')
  const http = givenAt('http://guests.example/p/a')
  expect(https.map(({ settings }) => settings !== '')).toEqual([false, false, false, true, true])
  expect(http.map(({ settings }) => settings !== '')).toEqual([true, true, true, false, false])
  expect(https[0]?.prose).toContain('Choose level 4')
  expect(http[4]?.prose).toContain('Choose level 1')
})

/** What the lines set where the portal's host has an address, in a shell whose `ping` says it as that of a box does. */
function setIn(lines: string, ping: string): Record<string, string> {
  const shell = `ping() { ${ping}; }\nuci() { [ "$1" = set ] && echo "\${2#*.*.}"; }\nservice() { :; }\n${lines}`
  const { stdout } = spawnSync('sh', ['-i'], {
    input: `${shell}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  return Object.fromEntries(stdout.split('\n').flatMap((line) => (line.includes('=') ? [line.split('=', 2)] : [])))
}

test('openNDS lets guests open the portal at its address, which the box finds out', () => {
  const { settings } = textsOf(3)
  const set = { fasremoteip: '203.0.113.7', fasremotefqdn: 'guests.example', fas_secure_enabled: '4' }
  expect(setIn(settings, "echo 'PING guests.example (203.0.113.7): 56 data bytes'")).toMatchObject(set)
  expect(setIn(settings, "echo 'PING guests.example (203.0.113.7) 56(84) bytes of data.'")).toMatchObject(set)
  // Without one, the box would take its own for it.
  expect(setIn(settings, "echo 'ping: bad address' >&2; return 1")).not.toHaveProperty('fasremoteip')
  const at = textsOf(3, { ...known, portal: 'https://203.0.113.8/p/a' }).settings
  expect(setIn(at, 'return 1')).toMatchObject({ fasremoteip: '203.0.113.8', fasremotefqdn: '203.0.113.8' })
})

test('Cisco with central web authentication: the list, and who may tell it to ask again', () => {
  const central = { ...known, settings: { redirect_acl: 'GUESTS; no aaa' } }
  const { settings, prose } = textsOf(14, central)
  for (const line of [
    'address ipv4 radius.example auth-port 11812 acct-port 11813',
    'client radius.example server-key THE-SECRET',
    'ip access-list extended GUESTSnoaaa',
    'deny ip any host guests.example',
    'mac-filtering FOYER',
    // By which both its questions and its reports are known.
    'radius-server attribute 32 include-in-access-req format lobby-4711',
    'radius-server attribute 32 include-in-accounting-req format lobby-4711',
  ])
    expect(settings).toContain(line)
  expect(prose).toContain('client of dynamic authorisation')
  // Its guests are told the address of the portal with each Accept.
  expect(settings).not.toContain(known.portal)
  expect(textsOf(14).settings).toContain(known.portal)
})

test.each([
  [5, 'Omada', { controller_url: 'https://10.0.0.3:8043' }, 'External Portal Server and this page'],
  [8, 'Cisco Meraki', { splash: 'click_through' }, 'It does not use RADIUS'],
])('%i, %s: has nothing of RADIUS to set up where it asks none', (id, _, settings, says) => {
  const asksNone = textsOf(id, { ...known, settings })
  expect(asksNone.prose).toContain(says)
  expect(asksNone.settings).toContain(known.portal)
  for (const of_radius of [known.host, known.secret, known.nas_identifier])
    expect(asksNone.settings).not.toContain(of_radius)
  expect(textsOf(id).settings).toContain(known.secret)
})

test('the address of a controller is said to be needed where it is', () => {
  const saidAt = (id: number) => kindOf(id)?.definition.parameters.find(({ key }) => key === 'controller_url')?.help
  expect(saidAt(4)).toContain('guests are not let in from the portal.')
  expect(saidAt(6)).toContain('those of Unleashed and ZoneDirector need none.')
  expect(saidAt(5)).not.toContain('not let in')
})
