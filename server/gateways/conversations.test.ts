// Conversations: docs/gateway-calls.txt says call by call what the controller of each make is told while a guest comes, gets other limits
// and leaves. A change of it is read there before it is kept: `npm test server/gateways/conversations.test.ts -- -u` writes it anew.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { calledOf } from '#scripts/simulation/gateway-kinds.ts'
import type { Settings } from '#contract/parameters.ts'
import type { SafeFetch } from '#server/outbound/safe-fetch.ts'
import type { Attribute } from '#server/radius-codec/packet.ts'
import { openLine, Trouble } from './controller.ts'
import { arrivalIn } from './find-kind.ts'
import { kinds } from './kinds.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T09:30:00Z') }))
afterEach(() => vi.useRealTimers())

const mac_address = '5a:e7:d4:af:45:5e'
const gateway = { nas_identifier: 'lobby-4711', radius_secret: 'THE-SECRET', mac_address: '44:d9:e7:0d:aa:30' }
const granted = { seconds: 7200, bytes: 5_000_000_000, speed_mbps: 20 }
const pass = { username: 'ONE-TIME-NAME', password: 'ONE-TIME-PASSWORD' }

type Called = NonNullable<ReturnType<typeof calledOf>>

const isDrawn = (header: string) => /cookie|csrf/.test(header)
/** The values of cookies, or a token. */
const drawn = (value: string) => (value.includes('=') ? value.replaceAll(/=[^;]+/g, '=…') : '…')

/** What is said to one controller, and answered. What it draws, and its port, are left out. */
async function conversationWith({ definition, portal, controller }: (typeof kinds)[number], simulated: Called) {
  const lines: string[] = []
  const box = await simulated.open()
  const masked = (text: string) =>
    text
      .replaceAll(new URL(box.url).host, 'controller')
      .replaceAll(/\b[\da-f]{32}\b|(?<=sess(?:ion)?(?:Id)?["=:]+)[\w%]+/g, '…')
  const safeFetch: SafeFetch = async (url, { method = 'GET', headers = {}, body } = {}) => {
    lines.push(`> ${method} ${masked(url)}`)
    for (const [name, value] of Object.entries(headers))
      lines.push(`  ${name}: ${isDrawn(name) ? drawn(value) : value}`)
    if (body !== undefined) lines.push(masked(`  ${String(body)}`))
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: String(body) }),
      redirect: 'manual',
    })
    lines.push(`< ${answer.status}`)
    const cookies = answer.headers.getSetCookie()
    return {
      status: answer.status,
      headers: { ...Object.fromEntries(answer.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }
  const tell = (_: unknown, attributes: Attribute[]) => {
    lines.push('> RADIUS', ...attributes.map(({ type, value }) => masked(`  ${type}: ${value.toString('latin1')}`)))
    return Promise.resolve('agreed' as const)
  }
  try {
    const settings: Settings = { controller_url: box.url }
    const { username = null, password = null } = simulated.registered
    const registered = { customer_id: 1, gateway_id: 1, username, password, settings }
    const opened = controller?.open(registered, openLine(safeFetch, tell, null))
    const query = box.query({ gateway, mac_address, portal_url: 'https://guests.example/p/1' })
    const address = `https://guests.example/p/1${query}`
    const redirect = { address, query: Object.fromEntries(new URL(address).searchParams) }
    const known = { secret: 'THE-SECRET', settings, host: '', login_method: 'post' as const, portal_is_https: true }
    const host = portal?.hostOf?.(redirect.query, null) ?? ''
    const let_in = portal?.letIn(redirect, { ...known, host }, { ...pass, back: 'https://guests.example/online' })
    const sent = let_in?.by === 'call' ? let_in.fields : {}
    lines.push(`arrives at ${arrivalIn(redirect)?.kind.definition.name} with ${masked(JSON.stringify(sent))}`)
    const guest = { mac_address, pass, sent, since: new Date() }
    for (const [what, ask] of Object.entries({
      'access points': () => opened?.accessPoints(),
      'let in': () => opened?.letIn(guest, granted),
      'is in': () => opened?.isIn(guest),
      'other limits': () => opened?.change?.(guest, { seconds: 600, bytes: null, speed_mbps: null }),
      counted: () => opened?.counted(),
      'let in without limits': () => opened?.letIn(guest, { seconds: 60, bytes: null, speed_mbps: null }),
      end: () => opened?.end(mac_address),
      'counted after it': () => opened?.counted(),
      'is in after it': () => opened?.isIn(guest),
    })) {
      lines.push(`# ${what}`)
      const answered = await ask()?.catch((error: unknown) => {
        if (!(error instanceof Trouble)) throw error
        return `${error.message} ${JSON.stringify(error.how)}`
      })
      lines.push(`= ${JSON.stringify(answered) ?? 'done'}`)
    }
  } finally {
    await box.close()
  }
  return [`## ${definition.name}`, '', ...lines, '']
}

test('docs/gateway-calls.txt says what the controller of each make is told', async () => {
  const parts = []
  for (const kind of kinds) {
    const simulated = calledOf(kind.definition.id)
    if (simulated && kind.controller) parts.push(...(await conversationWith(kind, simulated)))
  }
  const text = [
    '# What controllers that are called are told (>), their answers (<), and what is made of them (=), against simulations.',
    '# Written by `npm test server/gateways/conversations.test.ts -- -u`.',
    '',
    ...parts,
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/gateway-calls.txt')
})
