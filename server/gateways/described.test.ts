// Described: docs/gateways.txt says of each make what people read and fill in, what a guest brings, and what it is told. A change of any
// of it is read there before it is kept: `npm test server/gateways/described.test.ts -- -u` writes the page anew.
import fs from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Settings } from '#contract/parameters.ts'
import { attribute } from '#server/radius-codec/dictionary.ts'
import type { Attribute, Attributes } from '#server/radius-codec/packet.ts'
import { replyOf } from '#server/radius/freeradius-words.ts'
import type { GatewayDefinition } from './definition.ts'
import { arrivalIn } from './find-kind.ts'
import type { GatewayKind, OpenSession } from './kind.ts'
import { kinds } from './kinds.ts'

const registered = {
  host: 'gateway.example',
  secret: 'THE-SECRET',
  settings: {},
  login_method: 'post' as const,
  portal_is_https: true,
}
const pass = { username: 'ONE-TIME-NAME', password: 'ONE-TIME-PASSWORD', back: 'https://guests.example/online' }
const limits = { seconds: 7200, idle_seconds: 900, bytes: 5_000_000_000, speed_mbps: 20 }
/** What a gateway has sent; most makes answer the same to all. */
const asked: Attributes = { attributes: [] }
const no_limits = { seconds: 60, idle_seconds: null, bytes: null, speed_mbps: null }
const session: OpenSession = {
  acct_session_id: '5E55-10',
  username: 'ONE-TIME-NAME',
  mac_address: '5a:e7:d4:af:45:5e',
  calling_station: '5A-E7-D4-AF-45-5E',
  ip: '10.0.0.9',
  nas_identifier: 'lobby-4711',
  box: '192.0.2.7',
  box_session: 'B0-X',
}
const counted = { bytes_up: 1000, bytes_down: 2000, up_is_whole: true, down_is_whole: true, cause: 'User-Request' }
const setUpOf = {
  host: 'radius.example',
  authentication_port: 1812,
  accounting_port: 1813,
  nas_identifier: 'lobby-4711',
  disconnect_port: 3799,
  secret: 'THE-SECRET',
  portal: 'https://guests.example/p/a1b2c3',
}
/** Some settings are read as addresses, or as times. */
const samples: Record<string, string> = {
  url: 'https://controller.example:8443',
  text: 'set',
  secret: 'SET',
  number: '5',
}

/** Without settings, and with each choice and each other setting alone. */
const settingsOf = ({ parameters }: GatewayDefinition): Settings[] => [
  {},
  ...parameters.flatMap(({ key, kind, choices }) =>
    kind === 'choice'
      ? choices.map(({ value }) => ({ [key]: value }))
      : [{ [key]: kind === 'switch' ? true : kind === 'number' ? 5 : (samples[kind] ?? 'set') }],
  ),
]
const settingsText = (settings: Settings) =>
  Object.entries(settings)
    .map(([key, value]) => ` (${key} = ${String(value)})`)
    .join('')
const indented = (lines: string[]) => lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)
const asText = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))

/** What is the same as without settings is not said again. */
function bySettings(definition: GatewayDefinition, title: string, of: (settings: Settings) => string[]): string[] {
  const plain = of({}).join('\n')
  return settingsOf(definition).flatMap((settings, at) => {
    const text = of(settings)
    return text.length === 0 || (at > 0 && text.join('\n') === plain)
      ? []
      : [`${title}${settingsText(settings)}:`, ...indented(text)]
  })
}

const honoursText = (honours: object) =>
  Object.entries(honours)
    .map(([what, how]) => `${what} ${how}`)
    .join(', ')

function pageOf({ definition, portal, radius, controller, own_paths = [], ...kind }: GatewayKind): string[] {
  const { id, name, parameters, fields, honours, honours_when = [], walled_garden, note } = definition
  const ways = [portal && 'the portal', controller && 'a call', kind.polls && 'fetching', kind.asks && 'asking']
  return [
    `## ${id} ${name}`,
    '',
    ...(note === null ? [] : [note, '']),
    `Keeps: ${honoursText(honours)}`,
    ...honours_when.map((one) => `Keeps where ${one.key} is ${one.value ?? 'set'}: ${honoursText(one.honours)}`),
    `Fields: ${fields.join(', ') || 'none'}`,
    `Let before sign-in: ${walled_garden.join(', ') || 'the portal alone'}`,
    `Paths of its own: ${own_paths.join(', ') || 'none'}`,
    `DHCP option 114: ${definition.captiveLine('https://guests.example/captive')}`,
    `Let in by: ${ways.filter(Boolean).join(', ') || 'its own page'}`,
    ...(portal ? [`Pages: ${asText(portal.pagesOf('gateway.example'))}`] : []),
    ...parameters.flatMap(({ key, label, kind: of, choices, required, once, help }) => [
      `Setting ${key}, ${of}${required ? ', required' : ''}${once ? ', once' : ''}: ${label}`,
      ...indented([...choices.map((one) => `${one.value}: ${one.label}`), ...(help === null ? [] : [help])]),
    ]),
    ...bySettings(definition, 'Set-up', (settings) => {
      const { where, lines, values } = definition.setUp({ ...setUpOf, settings })
      return [where, ...(lines === null ? [] : [lines]), ...values.map((one) => `${one.name}: ${one.value}`)]
    }),
    ...(radius
      ? [
          ...bySettings(definition, 'Accept', (settings) =>
            Object.entries(replyOf(radius.accept(limits, asked, settings), radius)).map(
              ([name, { value }]) => `${name.replace('reply:', '')} = ${String(value)}`,
            ),
          ),
          ...bySettings(definition, 'Accept without limits', (settings) =>
            shownAll(radius.accept(no_limits, asked, settings)),
          ),
          ...bySettings(definition, 'Disconnect', (settings) => shownAll(radius.end?.(session, settings))),
          ...bySettings(definition, 'Change', (settings) => shownAll(radius.change?.(session, limits, settings))),
          ...bySettings(definition, 'A report of 1000 up and 2000 down', (settings) =>
            [false, true].map((counts_from_gateway_side) =>
              asText(radius.report(counted, { counts_from_gateway_side, settings })),
            ),
          ),
        ]
      : ['RADIUS: none']),
    '',
  ]
}
const shown = ({ type, value }: Attribute) => {
  const name = Object.entries(attribute).find(([, number]) => number === type)?.[0] ?? type
  const text = value.toString('latin1')
  return `${name} = ${/^[!-~]+$/.test(text) ? text : `0x${value.toString('hex')}`}`
}
const shownAll = (attributes: Attribute[] | null | undefined) => attributes?.map(shown) ?? ['none']

interface Recorded {
  make: string
  query: string
}
const recorded = JSON.parse(fs.readFileSync('server/gateways/recorded-redirects.json', 'utf8')) as Recorded[]

/** What is read from a redirect that a box has sent, and how its guest goes on. */
function redirectText({ make, query }: Recorded): string[] {
  const address = `https://portal.example/p/1?${query}`
  const redirect = { address, query: Object.fromEntries(new URL(address).searchParams) }
  const found = arrivalIn(redirect)
  if (!found) return [`${make}: nothing`]
  const { kind, arrival } = found
  const known = { ...registered, settings: {} }
  const host = kind.portal?.hostOf ? kind.portal.hostOf(redirect.query, registered.host) : registered.host
  const by_call: Settings = { controller_url: 'https://controller.example' }
  const isSetUp = [{}, by_call].map(
    (settings) => kind.portal?.isSetUp?.({ ...known, settings }, redirect.query) ?? true,
  )
  const goes_on = !kind.portal || arrival.not_served || host === null ? null : goesOn(kind, redirect, host)
  return [
    `${make}:`,
    ...indented([
      `is ${kind.definition.name}: ${asText({ ...arrival, isGenuine: arrival.isGenuine && 'signed', opened: arrival.opened && 'sealed' })}`,
      `host ${asText(host)}, unregistered ${asText(kind.portal?.hostOf?.(redirect.query, null) ?? null)}, set up ${asText(isSetUp)}`,
      `goes on: ${goes_on}`,
    ]),
  ]
}
function goesOn(
  { portal }: GatewayKind,
  redirect: Parameters<NonNullable<GatewayKind['portal']>['letIn']>[0],
  host: string,
) {
  try {
    return [true, false]
      .map((portal_is_https) => asText(portal?.letIn(redirect, { ...registered, host, portal_is_https }, pass)))
      .filter((text, at, all) => all.indexOf(text) === at)
      .join(' · without https: ')
  } catch (error) {
    return `refused, ${String(error)}`
  }
}

// Some answers name the moment, or are signed with it.
beforeEach(() => vi.setSystemTime('2026-01-31T09:30:00Z'))
afterEach(() => vi.useRealTimers())

test('docs/gateways.txt says what each make is told, fills in and brings', async () => {
  const text = [
    '# Gateways: what each make asks for, keeps to and is told, as the sources say it.',
    '# Written by `npm test server/gateways/described.test.ts -- -u`.',
    '',
    ...kinds.toSorted((one, other) => one.definition.id - other.definition.id).flatMap(pageOf),
    '## Redirects that boxes have sent, and how their guests go on',
    '',
    ...recorded.flatMap(redirectText),
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/gateways.txt')
})
