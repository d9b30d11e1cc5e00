// Portal hosts: each gateway's own host for guests' pages: what comes there is of that gateway, whatever path its make has; and a host that
// is no gateway's, or another customer's, shows no more than everybody's does.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as gatewayKinds from '#contract/gateway-kinds.ts'
import * as gateways from '#contract/gateways.ts'
import { authMethods } from '#contract/portals.ts'
import { textsOf } from '#portal/languages.ts'
import { simulation as coova } from '#server/gateways/coova-chilli/simulation.ts'
import { aMacAddress, openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

const everybodys = 'https://guests.example.net:8443'
const words = textsOf.en
const unifi = { gateway_type_id: 4, settings: { controller_url: 'https://203.0.113.9:8443' } }

let foyer: TestFoyer
let editor: Person
beforeAll(async () => {
  const env = { ROLES: 'api,guest', PORTAL_URL: everybodys, PORTAL_HOSTS: '*.portal.example' }
  foyer = await openFoyer({ env })
  editor = await foyer.customer()
})
afterAll(() => foyer.close())

const ask = async (address: string, form?: Record<string, string>) => {
  const { host, pathname, search } = new URL(address)
  const answer = await foyer.guest?.inject({
    method: form ? 'POST' : 'GET',
    url: pathname + search,
    headers: { host, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  if (!answer) throw new Error('there is no guest app')
  return answer
}

type Registered = Partial<Parameters<TestFoyer['gateway']>[1]> & { gateway_type_id: number }
async function place(registered: Registered, who = editor, of: 'property' | 'group' = 'property') {
  const { id: portal_id, url } = await foyer.portal(who, { auth_method_ids: [authMethods.free], company_name: null })
  const owned = of === 'group' ? { group_id: (await foyer.group(who, { portal_id })).id } : { portal_id }
  const { id: property_id, name: property_name } = await foyer.property(who, owned)
  const mac_address = aMacAddress()
  const { id, radius_secret } = await foyer.gateway(who, {
    property_id,
    mac_address,
    dns_name: 'hotspot.example',
    ...registered,
  })
  const { data: gateway } = await foyer.get(gateways.get, { id }, who)
  const own = gateway.portal_url ?? ''
  return {
    own,
    origin: new URL(own).origin,
    path: new URL(url).pathname,
    url,
    property_name,
    gateway: { ...gateway, mac_address, radius_secret },
  }
}
const query = (ap: string) => `?ap=${ap}&id=${aMacAddress()}&t=1&url=http%3A%2F%2Fx.example%2F&ssid=g`

test('a gateway’s portal_url and its set-up name a host of its own, which stays the same', async () => {
  const [one, other] = [await place(unifi), await place(unifi)]
  expect(one.own).toMatch(/^https:\/\/[\da-f]{20}\.portal\.example:8443\/p\/[\da-f]{32}$/)
  expect(one.origin).not.toBe(other.origin)
  expect(one.path).toBe(new URL(one.own).pathname)
  const { data } = await foyer.get(gatewayKinds.setUp, { id: one.gateway.id }, editor)
  expect(data.values).toContainEqual({ name: 'Pre-authorisation access', value: new URL(one.own).hostname })
  await foyer.get(gateways.update, { id: one.gateway.id, name: 'Renamed' }, editor)
  expect((await foyer.get(gateways.get, { id: one.gateway.id }, editor)).data.portal_url).toBe(one.own)
})

test('a property without a portal of its own has its group’s: for its gateways, their hosts, paths, access points and name', async () => {
  const { own, origin, url, path, property_name, gateway } = await place(unifi, editor, 'group')
  expect(new URL(own).pathname).toBe(path)
  expect((await ask(`${origin}/guest/s/anywhere/${query(aMacAddress())}`)).headers.location).toMatch(`${own}?ap=`)
  expect((await ask(`${everybodys}/guest/s/default/${query(gateway.mac_address)}`)).headers.location).toContain(path)
  expect((await ask(url)).body).toContain(property_name)
  // Access points that ask at the portal are claims of the gateways that show it.
  const ap = aMacAddress()
  await ask(url + query(ap))
  await expect
    .poll(async () => (await foyer.get(gateways.get, { id: gateway.id }, editor)).data.access_points)
    .toContainEqual(expect.objectContaining({ mac_address: ap, state: 'claimed' }))
})

test('what comes to its host is of that gateway: any access point, any site; and the access point is learnt as a claim', async () => {
  const { own, url, gateway } = await place(unifi)
  const ap = aMacAddress()
  expect((await ask(url + query(ap))).body).toContain(words.unregistered_title)
  expect((await ask(own + query(ap))).body).toContain('name="method"')
  await expect
    .poll(async () => (await foyer.get(gateways.get, { id: gateway.id }, editor)).data.access_points)
    .toMatchObject([{ mac_address: ap, state: 'claimed' }])
})

test.each(['/guest/s/somewhere/', '/login', '/login/', '/'])(
  'a make’s own path %s leads to the gateway’s portal',
  async (path) => {
    const { own, origin } = await place(unifi)
    const answer = await ask(`${origin}${path}${query(aMacAddress())}`)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toMatch(`${own}?ap=`)
    expect((await ask(answer.headers.location ?? '')).body).toContain('name="method"')
  },
)

test('what another gateway of the customer names in words is that one’s, wherever it comes', async () => {
  const [here, there] = [await place({ gateway_type_id: 13 }), await place({ gateway_type_id: 13 })]
  const named = `?nasid=${there.gateway.nas_identifier}&client_mac=${aMacAddress()}&login_url=http://x.example/`
  const address = `${here.origin}${there.path}${named}`
  expect((await ask(address, { method: String(authMethods.free) })).statusCode).toBe(200)
  const [pass] = await foyer.query<{ gateway_id: number }>(
    'select gateway_id from access_passes order by id desc limit 1',
    [],
  )
  expect(pass?.gateway_id).toBe(there.gateway.id)
})

test('a redirect that signs its whole address is checked with the host it came to, and the guest returns there', async () => {
  const { own, url, gateway } = await place({ gateway_type_id: 2 })
  const mac_address = aMacAddress()
  const signed = coova.redirect({ gateway, mac_address, portal_url: own }).query
  expect((await ask(url + signed)).body).toContain(words.unregistered_title)
  const answer = await ask(own + signed, { method: String(authMethods.free) })
  expect(answer.statusCode).toBe(303)
  expect(new URL(answer.headers.location ?? '').searchParams.get('userurl')).toContain(`${own}?online=`)
})

test('a foreign host shows what everybody’s does: no gateway is found by it, and nobody learns whose it is', async () => {
  const stranger = await foyer.customer()
  const theirs = await place(unifi, stranger)
  const mine = await place(unifi)
  const ap = query(aMacAddress())
  const plain = await ask(`${everybodys}/guest/s/default/${ap}`)
  expect(plain.body).toContain(words.unregistered_title)
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 20)
  const unknown = `https://${hashOf('nobody')}.portal.example:8443`
  const others = [
    unknown,
    'https://a.b.portal.example',
    'https://guests.portal.example',
    'https://portal.example',
    'https://x.example',
  ]
  for (const origin of others) {
    const answer = await ask(`${origin}/guest/s/default/${ap}`)
    expect([origin, answer.statusCode, answer.body]).toEqual([origin, plain.statusCode, plain.body])
    expect((await ask(`${origin}/`)).body).toBe((await ask(`${everybodys}/`)).body)
    expect((await ask(`${origin}${mine.path}${ap}`)).body).toContain(words.unregistered_title)
  }
  // At another customer's host, too.
  expect((await ask(`${theirs.origin}${mine.path}${ap}`)).body).toContain(words.unregistered_title)
  // What is disabled or removed has no host any more.
  await foyer.get(gateways.deactivate, { ids: [mine.gateway.id] }, editor)
  expect((await ask(`${mine.origin}/guest/s/default/${ap}`)).body).toBe(plain.body)
})
