// Hotel systems: the simulations of systems in the cloud as servers that a Foyer calls, with its own client there, and people who agree.
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { openApaleo } from '#server/property-systems/apaleo/simulation.ts'
import { openCloudbeds } from '#server/property-systems/cloudbeds/simulation.ts'
import type { SimulatedAnswer, SimulatedCall } from '#server/property-systems/simulated.ts'
import { openProvider } from './provider-server.ts'

interface Simulated {
  answer(call: SimulatedCall): SimulatedAnswer
}

/** @param hostOf which of its hosts a path is of */
async function served<S extends Simulated>(system: S, hostOf: (path: string) => string, port?: number) {
  const server = await openProvider(({ method, path, query, headers, body }) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const search = query.size > 0 ? `?${query.toString()}` : ''
    const answer = system.answer({ method, url: `https://${hostOf(path)}${path}${search}`, headers: plain, body })
    return { status: answer.status, headers: answer.headers, text: answer.body.toString() }
  }, port)
  return {
    ...server,
    system,
    /** The person agrees; answers what the browser comes back with. */
    async consent(address: string): Promise<{ code: string; state: string }> {
      const { headers } = await fetch(address, { redirect: 'manual' })
      const back = new URL(headers.get('location') ?? '')
      return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
    },
  }
}

/** @param port any free one, unless a Foyer must know it before this listens */
export async function openApaleoServer(port?: number) {
  const hostOf = (path: string) => (path.startsWith('/connect/') ? 'identity.apaleo.com' : 'api.apaleo.com')
  const server = await served(openApaleo(), hostOf, port)
  const env = {
    APALEO_CLIENT_ID: 'FOYER-AC',
    APALEO_CLIENT_SECRET: 'c0nnect',
    APALEO_LOGIN_URL: server.url,
    APALEO_API_URL: server.url,
    ALLOWED_HOSTS: '127.0.0.1',
  }
  return { ...server, env }
}

export async function openCloudbedsServer() {
  const server = await served(openCloudbeds(), () => 'api.cloudbeds.com')
  const env = {
    CLOUDBEDS_CLIENT_ID: 'live1_foyer',
    CLOUDBEDS_CLIENT_SECRET: 'p4rtner',
    CLOUDBEDS_API_URL: server.url,
    ALLOWED_HOSTS: '127.0.0.1',
  }
  return { ...server, env }
}

/** One that speaks HTTPS on an address of its own, with a certificate for 127.0.0.1. */
export async function openSecureServer<S extends Simulated>(
  system: S,
  host: string,
  tls: { key: string; cert: string },
) {
  const server = https.createServer(tls, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const url = `https://${host}${request.url ?? '/'}`
      const body = Buffer.concat(chunks).toString()
      const answer = system.answer({ method: request.method ?? 'GET', url, headers, body })
      // A link to the next page leads back here.
      const text = answer.body.toString().replaceAll(`https://${host}/`, `https://127.0.0.1:${port}/`)
      response.writeHead(answer.status, answer.headers).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
