// Simulation of a Ruijie box: it lets in whom the portal says it may (wifidog), asks again about each, and puts out who may no longer.
import { queryText, wanted, type SentGuest, type Simulation } from '#server/gateways/simulated.ts'

/** `aabb.ccdd.eeff` */
const dotted = (mac_address: string) => (mac_address.replaceAll(':', '').match(/.{4}/g) ?? []).join('.')
const serial = 'H1RU0TV000123'
const own = '192.168.110.1'

const query = ({ gateway, mac_address, host = own }: SentGuest) =>
  queryText({
    gw_id: serial,
    gw_sn: serial,
    gw_address: host,
    gw_port: '2060',
    ip: '192.168.110.77',
    mac: dotted(mac_address),
    apmac: dotted(gateway.mac_address),
    ssid: 'Guests',
    url: wanted,
    vlanid: '1',
  })

export const simulation: Simulation = {
  gateway_type_id: 17,
  has_radius: false,
  is_called: true,
  redirect: (sent) => ({ query: query(sent), ask: () => null }),
}

interface Client {
  mac_address: string
  token: string
  incoming: number
  outgoing: number
}

/** @param origin of the portal, where it asks */
export function openBox(origin: string, ask: (url: string) => Promise<Response>) {
  const clients = new Map<string, Client>()
  async function may({ mac_address, token, incoming, outgoing }: Client, stage: string): Promise<boolean> {
    const fields = {
      gw_id: serial,
      gw_sn: serial,
      stage,
      ip: '192.168.110.77',
      mac: dotted(mac_address),
      token,
      incoming: String(incoming),
      outgoing: String(outgoing),
      vlanid: '1',
    }
    const answer = await ask(`${origin}/auth/${queryText(fields)}`)
    const said = await answer.text()
    const [, word] = /^Auth:([01])$/.exec(said) ?? []
    if (!answer.headers.get('content-type')?.startsWith('text/plain') || word === undefined)
      throw new Error(`no answer to a wifidog: ${said.slice(0, 100)}`)
    return word === '1'
  }
  return {
    clients,
    query,
    /** What the guest's browser opens. Whether they are in. */
    async comes(to: URL, mac_address: string): Promise<boolean> {
      if (to.port !== '2060' || to.pathname !== '/wifidog/auth' || to.protocol !== 'http:')
        throw new Error(`a wifidog has no ${to.href}`)
      const client = { mac_address, token: to.searchParams.get('token') ?? '', incoming: 0, outgoing: 0 }
      const isIn = await may(client, 'login')
      if (isIn) clients.set(mac_address, client)
      return isIn
    },
    /** As it does every minute. */
    async beat() {
      for (const client of clients.values()) if (!(await may(client, 'counters'))) clients.delete(client.mac_address)
    },
    async leaves(mac_address: string) {
      const client = clients.get(mac_address)
      if (client) await may(client, 'logout')
      clients.delete(mac_address)
    },
  }
}
