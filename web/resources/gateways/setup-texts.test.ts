// Setup texts: each type of gateway is told where RADIUS answers and with which secret, and where its guests' page is.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { setupTextOf } from './setup-texts.ts'

/** As the look-up is seeded. */
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
const wordsOf = (id: number) => {
  const { where, lines = '', values = [], note = '' } = setupTextOf(id, known)
  return { what: [lines, ...values.flat()].join('\n'), told: `${where} ${note}` }
}

test('every type that is seeded has its text, under its own id', () => {
  const seed = fs.readFileSync('server/db/migrations/0002-lookups.sql', 'utf8')
  const [, rows = ''] = /insert into gateway_types \(id, name\) values([^;]*);/.exec(seed) ?? []
  expect([...rows.matchAll(/\((\d+), '([^']+)'\)/g)].map(([, id, name]) => [Number(id), name])).toEqual(
    types.map(([id, name]) => [id, name]),
  )
  const wheres = types.map(([id]) => setupTextOf(id, known).where)
  expect(new Set(wheres).size).toBe(types.length)
})

test.each(types)(
  '%i, %s: its name and the secret stand in it, and where it asks and sends guests: %s',
  (id, _, has) => {
    const { what, told } = wordsOf(id)
    expect(what).toContain(known.nas_identifier)
    expect(what).toContain(known.secret)
    expect(what.includes(known.host)).toBe(has !== 'portal')
    expect(what.includes('guests.example')).toBe(has !== 'radius')
    expect(told.includes('the gateway’s own page')).toBe(has === 'radius')
  },
)

test('the whole address of the page, and what guests must be let open before', () => {
  for (const id of [1, 2, 13]) expect(wordsOf(id).what).toContain(known.portal)
  for (const part of [`faspath='/p/a1b2c3'`, `fasport='8443'`, `fasremotefqdn='guests.example'`])
    expect(wordsOf(3).what).toContain(part)
  for (const line of ['walled-garden add dst-host="guests.example"', 'radius add service=hotspot'])
    expect(wordsOf(1).what).toContain(line)
  expect(wordsOf(2).what).toContain('HS_UAMALLOW="guests.example"')
})

test('openNDS is told the usual port of an address that names none', () => {
  const portOf = (portal: string) => /fasport='(\d+)'/.exec(setupTextOf(3, { ...known, portal }).lines ?? '')?.[1]
  expect([portOf('https://guests.example/p/a'), portOf('http://guests.example/p/a')]).toEqual(['443', '80'])
})
