// Strangers: whoever signs up and registers an address of our own network, or a host of their own, with any kind of system, learns nothing
// of what is there, and nothing of what this installation is to other companies.
import net, { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as interfaces from '#contract/property-interfaces.ts'
import { pollingWork } from '#server/property-systems/polling.ts'
import { NotReached, type SafeFetch } from '#server/outbound/safe-fetch.ts'
import { systems } from '#server/property-systems/kinds.ts'
import { openLinks, type Links } from '#server/property-systems/links.ts'
import { mews } from '#server/property-systems/mews/kind.ts'
import { tryDue } from '#test/due.ts'
import { openFoyer, type Person, type TestFoyer } from '#test/foyer.ts'

let foyer: TestFoyer
let stranger: Person
let links: Links
/** A database or some such of the installation: it greets whoever connects. */
const server = net.createServer((socket) => {
  connections++
  socket.on('error', () => {}).end('a secret of the installation')
})
let connections = 0
let [open, closed] = [0, 0]
beforeAll(async () => {
  foyer = await openFoyer({
    env: {
      MEWS_CLIENT_TOKEN: 'OWN-SECRET',
      APALEO_CLIENT_ID: 'own',
      APALEO_CLIENT_SECRET: 'OWN-SECRET',
      CLOUDBEDS_CLIENT_ID: 'own',
      CLOUDBEDS_CLIENT_SECRET: 'OWN-SECRET',
    },
  })
  stranger = await foyer.customer()
  const listen = (one: net.Server) => new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  await listen(server)
  open = (server.address() as AddressInfo).port
  const other = net.createServer()
  await listen(other)
  closed = (other.address() as AddressInfo).port
  await new Promise((resolve) => other.close(resolve))
  links = openLinks(foyer.services)
})
afterAll(async () => {
  await links.close()
  await new Promise((resolve) => server.close(resolve))
  await foyer.close()
})

const hosts = ['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.1', '0.0.0.0', '::1', '::ffff:127.0.0.1']
/** Some have their system's address from the installation, and others are not called at all. */
const named = systems.filter(({ definition, talk, polling }) => definition.fields.includes('host') && (talk || polling))

test('the kinds that take a host are found', () => {
  expect(named.length).toBeGreaterThanOrEqual(3)
  for (const { definition, talk } of systems) if (talk) expect(definition.fields).toContain('host')
})

test.for(named.map(({ definition }) => [definition.name, definition.id] as const))(
  '%s: what is told of an address of our own network is the same whether anything listens there',
  { timeout: 180_000 },
  async ([, property_interface_type_id]) => {
    const system = systems.find(({ definition }) => definition.id === property_interface_type_id)
    if (!system) throw new Error('it is there')
    const secrets = system.definition.parameters
      .filter(
        ({ kind, key }) => (kind === 'secret' || kind === 'text') && key !== 'auth_key' && key !== 'interface_code',
      )
      .map(({ key }) => [key, 'x'])
    const { id: property_id } = await foyer.property(stranger, { mri_enabled: true, external_reference: 'P1' })
    /** What the stranger reads of it, without what they wrote. */
    const toldOf = async (host: string, port: number) => {
      const made = await foyer.ask(
        interfaces.create,
        {
          property_interface_type_id,
          owner_type: 'Property',
          owner_id: property_id,
          host,
          port,
          settings: Object.fromEntries(secrets) as Record<string, string>,
        },
        stranger,
      )
      // No name of a host: the form says so, whatever is there.
      if (made.status === 422) return made.text
      const { id } = made.body.data
      if (system.polling)
        await tryDue(
          pollingWork(() => Promise.resolve()),
          { ...foyer.services },
          { customer_id: stranger.user.customer.id, about_id: id },
        )
      const state = async () => (await foyer.get(interfaces.get, { id }, stranger)).data.state
      await vi.waitFor(async () => expect((await state()).last_error).not.toBeNull(), {
        timeout: 60_000,
        interval: 200,
      })
      const { word, last_error, sentence } = await state()
      const { data: log } = await foyer.get(interfaces.log, { id }, stranger)
      await foyer.get(interfaces.remove, { id }, stranger)
      return JSON.stringify([word, last_error, sentence, log.map((line) => line.sentence)]).replaceAll(
        String(port),
        'PORT',
      )
    }
    for (const host of hosts) {
      const [there, nowhere] = [await toldOf(host, open), await toldOf(host, closed)]
      expect(there, host).toBe(nowhere)
      expect(there, host).toMatch(/is not a public address|Please enter a host name/)
    }
    expect(connections).toBe(0)
  },
)

const asked = systems.filter(({ polling }) => polling)
test.for(asked.map(({ definition }) => [definition.name, definition] as const))(
  '%s: no secret of the installation is sent to a host that a customer has entered',
  async ([, { id: property_interface_type_id, parameters }]) => {
    const { id: property_id } = await foyer.property(stranger, { external_reference: 'P1' })
    const secrets = parameters.filter(({ kind }) => kind === 'secret').map(({ key }) => key)
    // Each is left to the installation in turn, and none.
    for (const left_out of [...secrets, null])
      for (const host of ['pms.stranger.example', null]) {
        const sent: { to: string; text: string }[] = []
        const safeFetch: SafeFetch = (url, call) => {
          sent.push({ to: new URL(url).host, text: JSON.stringify([url, call]) })
          return Promise.reject(new NotReached('nobody is there'))
        }
        const { id } = await foyer.propertyInterface(stranger, {
          property_interface_type_id,
          owner_type: 'Property',
          owner_id: property_id,
          host,
          settings: Object.fromEntries(
            secrets.filter((key) => key !== left_out).map((key) => [key, 'OF-THE-CUSTOMER']),
          ),
        })
        const work = pollingWork(() => Promise.resolve())
        await tryDue(work, { ...foyer.services, safeFetch }, { customer_id: stranger.user.customer.id, about_id: id })
        await foyer.get(interfaces.remove, { id }, stranger)
        expect(sent.filter(({ to, text }) => to === host && text.includes('OWN-SECRET'))).toEqual([])
        if (property_interface_type_id === mews.definition.id && left_out === 'client_token')
          expect(sent.map(({ to, text }) => [to, text.includes('OWN-SECRET')])).toEqual(
            host === null ? [['api.mews.com', true]] : [],
          )
      }
  },
)
