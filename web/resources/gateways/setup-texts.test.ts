// Setup texts: each type of gateway gets the RADIUS server and the secret, and the address of its guests' page.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { setupTextOf } from './setup-texts.ts'

/** The seeded gateway types. */
const types: [id: number, name: string, has: 'portal' | 'radius' | 'both'][] = [
  [1, 'MikroTik RouterOS', 'both'],
  [2, 'CoovaChilli', 'both'],
  [3, 'openNDS', 'portal'],
  [4, 'UniFi', 'radius'],
  [5, 'Omada', 'radius'],
  [6, 'Ruckus', 'radius'],
  [7, 'Aruba', 'radius'],
  [8, 'Cisco Meraki', 'radius'],
  [9, 'Cambium', 'radius'],
  [10, 'Nomadix', 'radius'],
  [11, 'pfSense', 'radius'],
  [12, 'OPNsense', 'radius'],
  [13, 'Generic RADIUS (WISPr)', 'both'],
]
const known = {
  host: 'radius.example',
  authentication_port: 11812,
  accounting_port: 11813,
  nas_identifier: 'lobby-4711',
  secret: 'THE-SECRET',
  portal: 'https://guests.example:8443/p/a1b2c3',
}
const textsOf = (id: number) => {
  const { where, lines = '', values = [], note = '' } = setupTextOf(id, known)
  return { settings: [lines, ...values.flat()].join('\n'), prose: `${where} ${note}` }
}

test('every seeded type has its own text under its id', () => {
  const seed = fs.readFileSync('server/db/migrations/0002-lookups.sql', 'utf8')
  const [, rows = ''] = /insert into gateway_types \(id, name\) values([^;]*);/.exec(seed) ?? []
  expect([...rows.matchAll(/\((\d+), '([^']+)'\)/g)].map(([, id, name]) => [Number(id), name])).toEqual(
    types.map(([id, name]) => [id, name]),
  )
  const wheres = types.map(([id]) => setupTextOf(id, known).where)
  expect(new Set(wheres).size).toBe(types.length)
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

test('openNDS gets the default port for an address without one', () => {
  const portOf = (portal: string) => /fasport='(\d+)'/.exec(setupTextOf(3, { ...known, portal }).lines ?? '')?.[1]
  expect([portOf('https://guests.example/p/a'), portOf('http://guests.example/p/a')]).toEqual(['443', '80'])
})
