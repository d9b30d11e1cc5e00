// Reachable: what the settings let gateways and guests of other machines do is said before anything is pasted.
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { unreachableBecause } from './reachable.ts'

const told = (env: Record<string, string>) => unreachableBecause(readConfig(env))
const outside = { PUBLIC_URL: 'http://wifi.hotel.example:3000', PORTAL_URL: 'http://guests.hotel.example:3001' }

test('an installation as it is started first says which setting helps', () => {
  expect(told({})).toMatch(/listens to gateways on this machine alone.+RADIUS_HOST=0\.0\.0\.0/)
  expect(told({ HOST: '::1' })).toMatch(/this machine alone/)
})

test('what would be pasted must mean this machine elsewhere, too', () => {
  expect(told({ HOST: '0.0.0.0' })).toMatch(/cannot use localhost.+PUBLIC_URL/)
  expect(told({ HOST: '0.0.0.0', PUBLIC_URL: outside.PUBLIC_URL })).toMatch(
    /Guests cannot open http:\/\/localhost:3001.+PORTAL_URL/,
  )
  expect(told({ HOST: '0.0.0.0', ...outside, PUBLIC_URL: 'http://127.0.0.9:3000' })).toMatch(/cannot use 127\.0\.0\.9/)
})

test('nothing is said where nothing is known to be in the way', () => {
  expect(told({ HOST: '0.0.0.0', ...outside })).toBeNull()
  expect(told({ RADIUS_HOST: '192.0.2.7', ...outside })).toBeNull()
  // Behind a proxy, with the gateways at another node.
  expect(told({ ROLES: 'api,guest', ...outside })).toBeNull()
})
