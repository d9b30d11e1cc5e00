// Gateway kinds: what is the same for all of them. Those that let guests in from the portal are tried with the simulation of their box.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { simulationsOf } from '#scripts/simulation/gateway-kinds.ts'
import { arrivalIn, dialectOf, kindOf, saysNothing } from './find-kind.ts'
import type { PortalSignIn, Query, Redirect } from './kind.ts'
import { kinds } from './kinds.ts'
import { wanted, type Simulation } from './simulated.ts'

const box = { nas_identifier: 'gw-1', radius_secret: 's3cret', mac_address: '02:00:00:00:00:01' }
const portal_url = 'http://portal.example/p/1'
const back = `${portal_url}?online=key`
const pass = { username: 'pass-1', password: 'once', back }
const gateway = {
  host: 'hotspot.hotel.example',
  secret: box.radius_secret,
  settings: {},
  login_method: 'post',
  portal_is_https: false,
} as const

const redirectTo = (address: string): Redirect => ({
  address,
  query: Object.fromEntries(new URL(address).searchParams),
})
const sentBy = (simulation: Simulation) =>
  simulation.redirect({ gateway: box, mac_address: '02:00:00:00:00:02', portal_url })

/** The parameters by which redirects say where their guests sign in. */
const targets = [
  'base_grant_url',
  'login_url',
  'loginurl',
  'switch_url',
  'switchip',
  'post',
  'sip',
  'target',
  'ga_srvr',
  'apurl',
  'url',
  'switchip',
]
/** By their browser: those that are let in by a call have tests of their own. */
function onwardOf(portal: PortalSignIn, redirect: Redirect, host: string) {
  const onward = portal.letIn(redirect, { ...gateway, host }, pass)
  if (onward.by !== 'form' && onward.by !== 'address') throw new Error('no browser is sent on')
  return onward
}
const hostFor = ({ hostOf }: PortalSignIn, query: Query) => (hostOf ? hostOf(query, gateway.host) : gateway.host) ?? ''

const served = kinds.flatMap(({ portal, ...kind }) =>
  simulationsOf(kind.definition.id).flatMap((simulation) => {
    const { settings = {}, is_called, own_host } = simulation
    const name = [kind.definition.name, ...Object.values(settings)].join(', ')
    return portal && !is_called ? [{ ...kind, portal, name, settings, own_host, sent: sentBy(simulation) }] : []
  }),
)

test('each has an id and a name of its own, and its own words to set it up with', () => {
  const known = {
    host: 'r',
    authentication_port: 1,
    accounting_port: 2,
    nas_identifier: 'n',
    disconnect_port: 3,
    secret: 's',
    settings: {},
  }
  const setUps = kinds.map(({ definition }) => definition.setUp({ ...known, portal: 'https://p.example/p/1' }).where)
  const numbers = new Set(kinds.map(({ definition }) => definition.id))
  const names = new Set(kinds.map(({ definition }) => definition.name))
  expect([numbers.size, names.size, new Set(setUps).size]).toEqual(Array(3).fill(kinds.length))
})

test('what every RADIUS client may need is asked of each', () => {
  for (const { definition, radius } of kinds)
    expect([definition.name, definition.fields.includes('counts_from_gateway_side')]).toEqual([
      definition.name,
      radius !== null,
    ])
})

/** Of a property that is tried as a guest: nobody registers one. */
const trial = 'trial'

test('each folder is in the list, but the trial', () => {
  const folders = fs.readdirSync('server/gateways', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const list = fs.readFileSync('server/gateways/kinds.ts', 'utf8')
  expect(folders.map(({ name }) => name).filter((name) => !list.includes(`'./${name}/kind.ts'`))).toEqual([trial])
})

test.each(served)('$name: its redirect names the gateway, the device and what the guest wanted', (kind) => {
  const found = arrivalIn(redirectTo(portal_url + kind.sent.query))
  expect(found?.kind.definition).toBe(kind.definition)
  expect(found?.arrival).toMatchObject({ mac_address: '02:00:00:00:00:02', outcome: null })
  expect(found?.arrival.wanted ?? wanted).toBe(wanted)
  const { nas_identifier, gateway_mac, host } = found?.arrival ?? {}
  expect([nas_identifier === 'gw-1', gateway_mac === box.mac_address, host === gateway.host]).toContain(true)
  expect(found?.arrival.isGenuine?.(gateway) ?? true).toBe(true)
  expect(found?.arrival.isGenuine?.({ ...gateway, secret: 'another' }) ?? false).toBe(false)
})

test.each(served)('$name: its box takes what the guest brings back', ({ sent, settings, ...kind }) => {
  const { portal } = kind
  const redirect = redirectTo(portal_url + sent.query)
  const { fields, address } = onwardOf(portal, redirect, hostFor(portal, redirect.query))
  const asked = sent.ask(fields, new URL(address))
  expect(asked === null).toBe(saysNothing(kind, settings))
  if (asked) expect(asked.user_name).toBe('pass-1')
})

test.each(served)(
  '$name: guests are sent to the registered host or a name of the make, whatever the redirect says',
  (kind) => {
    const { portal, sent, own_host } = kind
    const query: Query = {
      ...redirectTo(portal_url + sent.query).query,
      uamip: 'evil.example',
      'link-login-only': 'http://evil.example/x',
      ...Object.fromEntries(targets.map((name) => [name, 'http://evil.example/x'])),
    }
    const host = hostFor(portal, query)
    const { address } = onwardOf(portal, { address: portal_url, query }, host)
    expect([gateway.host, own_host]).toContain(host)
    expect(new URL(address).hostname).toBe(host)
  },
)

test.each(served)('$name: guests sign in and out at the registered host', ({ portal }) => {
  for (const host of ['hotspot.hotel.example', '192.168.77.1:2050', '[fd00::1]']) {
    const { sign_in, sign_out } = portal.pagesOf(host)
    for (const address of [sign_in, ...(sign_out === null ? [] : [sign_out])])
      expect(new URL(address).hostname).toBe(new URL(`http://${host}`).hostname)
  }
})

test('a Cambium gets its query back as it came, also one with a second question mark', () => {
  const { portal } = served.find(({ definition }) => definition.name === 'Cambium') ?? {}
  if (!portal) throw new Error('no such make')
  const query = '?ga_orig_url=http://shop.example/?id=7&ga_ap_mac=02-00-00-00-00-01&ga_cmac=02-00-00-00-00-02'
  const { address } = onwardOf(portal, redirectTo(`${portal_url}${query}&lang=de`), gateway.host)
  expect(address.slice(address.indexOf('?'))).toBe(query)
})

test('queries of no gateway give null, and hostile ones do no harm', () => {
  const queries: Query[] = [
    {},
    { lang: 'de' },
    { mac: 'x' },
    { fas: '%%%' },
    { fas: 'aGVsbG8' },
    { fas: 'A'.repeat(5000) },
    { fas: Buffer.from('hid=, clientmac=%').toString('base64') },
  ]
  for (const query of queries) expect(arrivalIn({ query, address: 'http://portal.example/p' })).toBeNull()
  const hostile = { nasid: 'x', url: 'javascript:alert(1)', mac: '<script>', login_url: '//evil.example' }
  expect(arrivalIn({ query: hostile, address: '' })?.arrival).toMatchObject({ wanted: null, mac_address: null })
})

test('from a portal on https nothing is sent to a gateway on http as a form, where its kind or its field allows another way', () => {
  const from = { ...gateway, portal_is_https: true }
  const ways = (kind: PortalSignIn | null | undefined, query: Query, registered: typeof from = from) =>
    kind?.letIn({ address: '', query }, registered, pass).by
  const [router, generic] = [kindOf(1)?.portal, kindOf(13)?.portal]
  const login = { 'link-login-only': 'http://10.0.0.1/login' }
  expect(router?.letIn({ address: '', query: login }, gateway, pass).by).toBe('form')
  expect(ways(router, login)).toBe('address')
  expect(ways(router, { 'link-login-only': 'https://10.0.0.1/login' })).toBe('form')
  expect(ways(generic, {})).toBe('form')
  expect(generic?.letIn({ address: '', query: {} }, { ...from, login_method: 'get' }, pass)).toMatchObject({
    by: 'address',
    fields: { username: 'pass-1', password: 'once' },
  })
})

test('what a later release knows, and what has no RADIUS, is answered in WISPr and takes no change', () => {
  const limits = { seconds: 60, idle_seconds: null, bytes: null, speed_mbps: 1 }
  const values = (id: number) => dialectOf(id).accept(limits, { attributes: [] }, {})
  expect(values(999)).toEqual(values(13))
  expect([999, 3].map((id) => dialectOf(id).change)).toEqual([null, null])
})
