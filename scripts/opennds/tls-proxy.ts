// TLS proxy: ends TLS in front of guests' pages, with a certificate of an authority of our own, as an operator's proxy does.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] })

/** An authority, and a certificate of its for an address; files in a folder. */
function makeCertificate(folder: string, address: string) {
  const file = (name: string) => path.join(folder, name)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const authority = [
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-subj',
    '/CN=Foyer proof authority',
    '-days',
    '2',
  ]
  openssl('req', '-x509', ...key, ...authority)
  openssl('req', ...key, '-keyout', file('server.key'), '-out', file('server.csr'), '-subj', `/CN=${address}`)
  fs.writeFileSync(file('server.ext'), `subjectAltName=IP:${address}\n`)
  const by = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', file('server.csr'), ...by, '-extfile', file('server.ext'), '-out', file('server.pem'))
  return {
    authority: file('ca.pem'),
    tls: { key: fs.readFileSync(file('server.key')), cert: fs.readFileSync(file('server.pem')) },
  }
}

/** Passes on to a port at the same address, and notes whom it has passed on and how often. */
export async function openTlsProxy(
  folder: string,
  { address, port, to }: { address: string; port: number; to: number },
) {
  const { authority, tls } = makeCertificate(folder, address)
  /** By the name that they call themselves and the method of their requests. */
  const agents = new Map<string, number>()
  const server = https.createServer(tls, (request, reply) => {
    const agent = `${request.method} by ${request.headers['user-agent']}`
    agents.set(agent, (agents.get(agent) ?? 0) + 1)
    const headers = {
      ...request.headers,
      'x-forwarded-for': request.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'https',
    }
    const onward = http.request(
      { host: address, port: to, method: request.method, path: request.url, headers },
      (answer) => void answer.pipe(reply.writeHead(answer.statusCode ?? 502, answer.headers)),
    )
    onward.on('error', () => reply.writeHead(502).end())
    request.pipe(onward)
  })
  await once(server.listen(port, address), 'listening')
  return { authority, agents, close: () => void server.close() }
}
