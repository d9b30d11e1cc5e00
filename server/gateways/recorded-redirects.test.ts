// Recorded redirects: what boxes have sent, make by make. Each is known by its own make, and by Generic only where that serves it.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { arrivalAs, arrivalIn, usual_type_id } from './find-kind.ts'
import type { Redirect } from './kind.ts'

const device = '5a:e7:d4:af:45:5e'
interface Recorded {
  make: string
  id: number
  query: string
  /** Who it says it is from. */
  mac?: string
  name?: string
  host?: string
  not_served?: true
  /** Only what is registered of its gateway opens it. */
  sealed?: true
}
const recorded = JSON.parse(fs.readFileSync('server/gateways/recorded-redirects.json', 'utf8')) as Recorded[]

const redirectOf = (query: string): Redirect => {
  const address = `https://portal.example/p/1?${query}`
  return { address, query: Object.fromEntries(new URL(address).searchParams) }
}

test.each(recorded)('$make: it is known by its own words', ({ id, query, mac, name, host, not_served, sealed }) => {
  const found = arrivalIn(redirectOf(query))
  expect(found?.kind.definition.id).toBe(id)
  expect(found?.arrival).toMatchObject({
    gateway_mac: mac ?? null,
    nas_identifier: name ?? null,
    mac_address: not_served || sealed ? null : device,
  })
  expect([found?.arrival.host ?? undefined, found?.arrival.not_served]).toEqual([host, not_served])
})

test('boxes that are registered as Generic stay so where its form is what they take', () => {
  const generic = recorded.filter(({ query }) => {
    const redirect = redirectOf(query)
    const found = arrivalIn(redirect)
    return found && !found.arrival.not_served && arrivalAs(usual_type_id, found, redirect) !== found
  })
  expect(generic.map(({ make }) => make)).toEqual(['Meraki sign-on', 'Grandstream', 'D-Link', 'DrayTek'])
})

test.each([
  [7, 'cmd=login&mac=5a:e7:d4:af:45:5e&essid=g&apmac=d0:15:a6:40:0d:2f&errmsg=Authentication%20failed', 'refused'],
  [14, 'switch_url=https://x/login.html&ap_mac=a&client_mac=5a:e7:d4:af:45:5e&wlan=g&statusCode=5', 'refused'],
  [14, 'switch_url=https://x/login.html&ap_mac=a&client_mac=5a:e7:d4:af:45:5e&wlan=g&statusCode=1', 'online'],
  [9, 'ga_ap_mac=a&ga_cmac=5A-E7-D4-AF-45-5E&ga_error_code=2', 'refused'],
  [
    26,
    'challenge=abc&login_url=http://x/login&client_mac=5a:e7:d4:af:45:5e&ap_id=a&uamip=10.0.0.1&res=failed',
    'refused',
  ],
  [20, 'apmac=a&usermac=5a:e7:d4:af:45:5e&apurl=http://x/&error_num=1', 'refused'],
])('of type %i, %s says that the guest is %s', (id, query, outcome) => {
  const found = arrivalIn(redirectOf(query))
  expect([found?.kind.definition.id, found?.arrival.outcome]).toEqual([id, outcome])
})
