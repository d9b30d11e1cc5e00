// Gateways called: the controllers of all makes that let guests in at our call, as they are found in kinds.ts: down, foreign, slow or
// hostile, and never one that somebody has registered to look inside. What is particular to a make is tested in its folder.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { authMethods } from '#contract/portals.ts'
import { openPage, signIn } from '#scripts/simulation/browser.ts'
import { calledOf } from '#scripts/simulation/gateway-kinds.ts'
import { kinds } from '#server/gateways/kinds.ts'
import type { CalledController } from '#server/gateways/simulated.ts'
import { patiently, said, withCalled } from '#test/called.ts'
import { aMacAddress, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
const { keep, siteOf, problemOf, hurry } = withCalled((opened) => {
  ;({ foyer } = opened)
})

const makes = kinds.flatMap(({ definition: { id, name }, controller }) => {
  if (!controller?.isCalled({ controller_url: 'https://controller.example' })) return []
  const simulated = calledOf(id)
  if (!simulated) throw new Error(`the controller of ${name} is not simulated`)
  return [{ id, name, simulated }]
})

type Answers = (response: http.ServerResponse, port: number) => void

/** What stands in front of a controller, and answers in its place. */
async function openFront(url: string) {
  const state = { url: '', instead: null as Answers | null, asked: 0 }
  const server = http.createServer((request, response) => {
    state.asked++
    if (state.instead) return state.instead(response, port)
    const { method, headers } = request
    const passed = http.request(`${url}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return Object.assign(state, { url: `http://127.0.0.1:${port}`, close })
}

async function siteBehind({ id, simulated }: (typeof makes)[number]) {
  const box = keep(await simulated.open())
  const front = keep(await openFront(box.url))
  const registered = { gateway_type_id: id, ...simulated.registered, settings: { controller_url: front.url } }
  const at = await siteOf(registered, (gateway, mac_address, portal_url) =>
    box.query({ gateway, mac_address, portal_url }),
  )
  return { box, front, ...at }
}

const page = '<html><title>Secret intranet</title></html>'
const answers = (of: CalledController): [what: string, instead: Answers, says: RegExp][] => [
  [
    'a page',
    (to) => void to.writeHead(200, { 'content-type': 'text/html' }).end(page),
    /answered 200 with text\/html, 43 bytes/,
  ],
  [
    '10 MB',
    (to) => void to.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_000_000)),
    /too large/,
  ],
  [
    'a redirect to another port',
    (to, port) => void to.writeHead(302, { location: `http://127.0.0.1:${port - 1}/` }).end(),
    /answered 302 with no kind, 0 bytes/,
  ],
  ['an error with 200', (to) => void to.writeHead(200, { 'content-type': of.error.type }).end(of.error.body), /./],
  ['an answer without an end', (to) => void to.writeHead(200).write('{'), /took too long/],
  ['nothing', () => {}, /took too long/],
]

test.each(makes)(
  '$name: in place of an answer whatever it is; the guest waits, and the desk reads what kind it is',
  async (make) => {
    await Promise.all(
      answers(make.simulated).map(async ([what, instead, says]) => {
        const { box, front, gateway, come } = await siteBehind(make)
        front.instead = instead
        const { mac, page: open } = await come()
        await vi.waitFor(async () => {
          const [row] = await foyer.query<{ problem: string }>(
            'select problem from controller_grants where gateway_id = $1',
            [gateway.id],
          )
          expect(row?.problem, what).toMatch(says)
          expect(row?.problem, what).not.toContain('Secret')
        }, patiently)
        expect(said(await open()), what).toBe('The network does not answer')
        front.instead = null
        await vi.waitFor(
          async () => {
            await hurry(gateway.id)
            expect(['You are online', 'Your connection'], what).toContain(said(await open()))
          },
          // Longer than the minute for which a refused log-in is not tried again: controllers lock out who tries too often.
          { ...patiently, timeout: 150_000 },
        )
        expect(box.times(mac), what).toBe(1)
        // A guest of an hour is not one of a month, nor of a second.
        const lasts_s = box.lasts_s(mac)
        if (lasts_s !== null) expect(lasts_s > 3400 && lasts_s <= 3600, `${what}: ${lasts_s} s`).toBe(true)
      }),
    )
  },
)

test.each(makes)('$name: the box of another customer lets nobody in here', async (make) => {
  const { box, portal_url, gateway, come } = await siteBehind(make)
  const other = await foyer.customer()
  const { id: property_id } = await foyer.property(other)
  const mac_address = aMacAddress()
  const foreign = await foyer.gateway(other, { property_id, gateway_type_id: make.id, mac_address })
  const mac = aMacAddress()
  const query = box.query({ gateway: { ...foreign, mac_address }, mac_address: mac, portal_url })
  const opened = await openPage(portal_url + query)
  const answer = await signIn(opened, { method: authMethods.free, typed: {} }, true)
  expect('page' in answer && said(answer.page)).toBe('This network is not set up yet')
  // Who comes by its own is let in.
  const own = await come()
  await vi.waitFor(async () => {
    await hurry(gateway.id)
    expect(box.times(own.mac)).toBe(1)
  }, patiently)
  expect(box.times(mac)).toBe(0)
})

const inside = [
  'https://10.0.0.1',
  'https://127.0.0.2:8443',
  'https://169.254.169.254',
  'https://[::1]:8443',
  'https://[fe80::1]',
  'https://[::ffff:10.0.0.1]',
  'http://192.168.1.1:8080',
]
test.each(makes)(
  '$name: who registers an address inside learns nothing of it, and nothing is sent there',
  async ({ id, simulated }) => {
    const stranger = await foyer.customer()
    const { id: property_id } = await foyer.property(stranger)
    const problems = await Promise.all(
      inside.map(async (controller_url) => {
        const its = { property_id, gateway_type_id: id, ...simulated.registered, settings: { controller_url } }
        const made = await foyer.gateway(stranger, its)
        return vi.waitFor(async () => {
          const known = await problemOf(made.id)
          expect(known?.problem, controller_url).toBeTruthy()
          return known?.problem
        }, patiently)
      }),
    )
    for (const problem of problems) expect(problem).toMatch(/ALLOWED_HOSTS/)
  },
)
