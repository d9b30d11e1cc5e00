// Guest network: a portal on the internet, with or without TLS, and a gateway without TLS in the hotel's network, as most are. Chromium
// applies its rules between the two (Local Network Access, forms that leave an encrypted page).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { once } from 'node:events'
import { connect, type AddressInfo, type Server } from 'node:net'
import { pipeline } from 'node:stream'
import { generate } from 'selfsigned'
import { simulationOf } from '#scripts/simulation/gateway-kinds.ts'
import type { Brought } from '#server/gateways/simulated.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { freePort } from '#server/start/free-port.ts'
import { expect } from '#test/journeys/fixtures.ts'
import { aDevice, host, site, test as base } from '#test/journeys/guest-site.ts'
import { watch } from '#test/journeys/watch.ts'

const portal = 'portal.quayside.example'
/** The host of another page on the internet. */
export const elsewhere = 'elsewhere.example'
const kinds = { 'Generic RADIUS': 13, 'MikroTik RouterOS': 1, CoovaChilli: 2, openNDS: 3 }

/** Handles the fields that the guest's browser sends to the gateway; returns where to redirect the browser. */
type Take = (brought: Brought) => Promise<string>
interface Network {
  /** The port on which Foyer serves guests. */
  portal_port: number
  /** The port that browsers use: a proxy terminates TLS there, as in production. */
  front_port: number
  /** The port of the gateway's own pages. */
  gateway_port: number
  elsewhere_port: number
  standFor(take: Take): void
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A proxy that terminates TLS and forwards the bytes unchanged. */
async function tlsFront(to_port: number) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: portal }])
  return createTlsServer({ key, cert }, (outside) => {
    const inside = connect(to_port, '127.0.0.1')
    pipeline(outside, inside, () => {})
    pipeline(inside, outside, () => {})
  })
}

export const test = base.extend<object, { tls: boolean; network: Network }>({
  tls: [false, { option: true, scope: 'worker' }],
  network: [
    async ({ tls }, provide) => {
      let take: Take = () => Promise.reject(new Error('there is no gateway'))
      const answer = async (request: IncomingMessage, response: ServerResponse) => {
        const body = (await request.toArray()).join('')
        const fields =
          request.method === 'POST' ? new URLSearchParams(body) : new URL(request.url ?? '', 'http://x').searchParams
        response.writeHead(302, { location: await take(Object.fromEntries(fields)) }).end()
      }
      const server = createServer((request, response) => void answer(request, response))
      const other = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end('<p>Hello'),
      )
      const [gateway_port, elsewhere_port] = [await listening(server), await listening(other)]
      const portal_port = await freePort()
      const front = tls ? await tlsFront(portal_port) : null
      const front_port = front ? await listening(front) : portal_port
      await provide({ portal_port, front_port, gateway_port, elsewhere_port, standFor: (next) => void (take = next) })
      for (const each of [server, other, front]) each?.close()
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ settings, network, tls }, provide) =>
      provide({
        ...settings,
        PORTAL_PORT: String(network.portal_port),
        PORTAL_URL: `${tls ? 'https' : 'http'}://${portal}`,
        TRUSTED_PROXIES: 'none',
      }),
    { scope: 'worker' },
  ],
  launchOptions: [
    ({ launchOptions, network }, provide) => {
      const { front_port, gateway_port, elsewhere_port } = network
      const hosts = Object.entries({ [portal]: front_port, [host]: gateway_port, [elsewhere]: elsewhere_port })
      const args = [
        ...(launchOptions.args ?? []),
        `--host-resolver-rules=${hosts.map(([name, port]) => `MAP ${name} 127.0.0.1:${port}`).join()}`,
        `--ip-address-space-overrides=127.0.0.1:${front_port}=public,127.0.0.1:${elsewhere_port}=public`,
        '--enable-features=LocalNetworkAccessChecks',
        '--ignore-certificate-errors',
      ]
      return provide({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

/** A journey for each kind of gateway: with a voucher, from the redirect to the page that says "You are online". */
export function throughEachKind() {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  for (const [kind, gateway_type_id] of Object.entries(kinds))
    test(`through ${kind}`, async ({ page, foyer, ports, network, tls }) => {
      const its = await site(foyer, ports, gateway_type_id, tls ? { login_method: 'get' } : {})
      const device = aDevice()
      const sent = { gateway: its.registered, mac_address: device, portal_url: its.url }
      const redirect = simulationOf(gateway_type_id).redirect(sent)
      network.standFor(async (brought) => {
        // These kinds do not look at the address that the browser came to.
        const asked = redirect.ask(brought, new URL(its.url))
        if (asked) expect((await its.gateway.admit(device, asked)).code).toBe(code.access_accept)
        return brought['userurl'] ?? brought['dst'] ?? brought['redir'] ?? ''
      })
      const seen = watch(page)
      await page.goto(its.url + redirect.query)
      await page.getByRole('radio', { name: 'Voucher' }).check()
      await page.getByRole('textbox', { name: 'Voucher code' }).fill(its.voucher)
      await page.getByLabel('I agree to the terms of use').check()
      await page.getByRole('button', { name: 'Connect' }).tap()
      await expect(page.getByRole('heading', { name: 'You are online' })).toBeVisible()
      expect(new URL(page.url()).hostname).toBe(portal)
      seen.expectNothing()
      await its.gateway.close()
    })
}
