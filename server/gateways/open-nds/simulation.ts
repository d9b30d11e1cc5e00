// Simulation of an openNDS: it knows the guest by a random number, and lets in a browser that returns with the right hash of it; or, at its
// levels 3 and 4, fetches those hashes from the portal, and runs what it is answered in a shell.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { wanted, type SentGuest, type Simulation } from '#server/gateways/simulated.ts'

const sha256 = (...parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex')
/** As the box encodes: everything but letters and digits. */
const encoded = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      /[A-Za-z0-9]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('')

export const simulation: Simulation = {
  gateway_type_id: 3,
  has_radius: false,
  redirect({ gateway, mac_address }) {
    const hid = randomBytes(32).toString('hex')
    const fields = { hid, clientmac: mac_address, gatewayname: gateway.nas_identifier, originurl: wanted }
    const text = Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join(', ')
    const token = sha256(hid, gateway.radius_secret)
    return {
      query: `?fas=${encodeURIComponent(Buffer.from(text).toString('base64'))}`,
      ask({ tok }) {
        if (tok !== token) throw new Error('an openNDS lets in nobody with another token')
        return null
      },
    }
  },
}

interface Client {
  mac_address: string
  token: string
  state: 'waiting' | 'authenticated' | 'gone'
  limits?: { minutes: number; up_kbits: number; down_kbits: number; up_kb: number; down_kb: number }
}

type Ask = (url: string, init?: RequestInit) => Promise<Response>

/** One that fetches its guests. @param level 3: it encrypts, and sends a form; 4: it asks by an address, as from release 10 on */
export function openBox(gateway: SentGuest['gateway'], level: 3 | 4, ask: Ask) {
  const clients: Client[] = []
  let taken: string[] = []
  const name = encoded(`${gateway.nas_identifier} Node:${gateway.mac_address.replaceAll(':', '')} `)
  const gatewayhash = sha256(name)

  function query(mac_address: string): string {
    const token = randomBytes(4).toString('hex')
    clients.push({ mac_address, token, state: 'waiting' })
    const text =
      `hid=${sha256(token)}, clientip=192.168.77.20, clientmac=${mac_address}, client_type=cpd_can, cpi_query=none, gatewayname=${name}, ` +
      `gatewayurl=http%3a%2f%2fstatus.client, version=10.3.1, gatewayaddress=192.168.77.1:2050, gatewaymac=${gateway.mac_address}, ` +
      `authdir=opennds_auth, originurl=${encoded(wanted)}, clientif=br-lan, themespec=, `
    if (level === 4) return `?fas=${encodeURIComponent(Buffer.from(text).toString('base64'))}`
    const iv = randomBytes(8).toString('hex')
    const key = Buffer.alloc(32)
    key.write(gateway.radius_secret)
    const cipher = createCipheriv('aes-256-cbc', key, iv)
    const bytes = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
    return `?fas=${encodeURIComponent(Buffer.from(bytes).toString('base64'))}&iv=${iv}`
  }

  async function send(portal_url: string, auth_get: string, said: string): Promise<string> {
    const payload = Buffer.from(said).toString('base64')
    const headers = { 'user-agent': 'openNDS(authmon;NDS:10.3.1;)' }
    const answer = await (level === 4
      ? // The payload is not encoded for an address.
        ask(`${portal_url}?auth_get=${auth_get}&gatewayhash=${gatewayhash}&payload=${payload}`, { headers })
      : ask(portal_url, { method: 'POST', headers, body: new URLSearchParams({ auth_get, gatewayhash, payload }) }))
    if (!answer.ok) throw new Error(`the portal answered ${answer.status}`)
    return answer.text()
  }

  function run(line: string) {
    const [rhid = '', ...rest] = decodeURIComponent(line).split(' ')
    if (!/^[0-9a-f]{64}( \d+){5} [A-Za-z0-9]*$/.test([rhid, ...rest].join(' ')))
      throw new Error(`a shell would run: ${line}`)
    const client = clients.find(
      (one) => one.state === 'waiting' && sha256(sha256(one.token), gateway.radius_secret) === rhid,
    )
    const [minutes = 0, up_kbits = 0, down_kbits = 0, up_kb = 0, down_kb = 0] = rest.map(Number)
    if (client)
      Object.assign(client, { state: 'authenticated', limits: { minutes, up_kbits, down_kbits, up_kb, down_kb } })
    taken.push(rhid)
  }

  return {
    clients,
    query,
    send,
    start: (portal_url: string) => send(portal_url, 'clear', 'none'),
    /** Fetches guests, and says whom it has let in. */
    async poll(portal_url: string) {
      const answer = await send(portal_url, 'view', 'none')
      if (!answer.startsWith('*') || answer.length > 1024) throw new Error(`no answer to an openNDS: ${answer}`)
      for (const line of answer.slice(1).split(' ').filter(Boolean)) run(line)
      if (taken.length === 0) return
      const told = await send(portal_url, 'view', `* ${taken.join(' ')}`)
      if (told !== 'ack') throw new Error(`not acknowledged: ${told}`)
      taken = []
    },
    async leave(portal_url: string, client: Client, method: string, bytes: { down: number; up: number }) {
      client.state = 'gone'
      return send(
        portal_url,
        'deauthed',
        `method="${method}", clientmac="${client.mac_address}", timestamp=1, bytes_incoming=${bytes.down}, ` +
          `bytes_outgoing=${bytes.up}, session_start=1, session_end=2, token=${client.token}, custom=""`,
      )
    },
  }
}
