// Provider server: what the stand-ins for other companies have in common: they listen, record their requests, and fail when a test
// wants it.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  body: string
}
export interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** The body as it is, if it is not JSON. */
  text?: string
}
/**
 * A fault: no answer at all, an answer lost after the work is done, or a different answer. `times`: by default once.
 */
export interface Fault {
  at: RegExp
  act: 'hang' | 'lose' | Reply
  times?: number
}

/** @param port any free one, unless a Foyer must know it before this listens. */
export async function openProvider(answer: (asked: ProviderRequest) => Reply, port = 0) {
  const asked: ProviderRequest[] = []
  let faults: Fault[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://provider.test')
      const one: ProviderRequest = {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      // Browsers request it by themselves.
      if (one.path === '/favicon.ico') return void response.writeHead(204).end()
      asked.push(one)
      const fault = faults.find(({ at }) => at.test(`${one.method} ${one.path}`))
      if (fault) {
        fault.times = (fault.times ?? 1) - 1
        if (fault.times === 0) faults = faults.filter((other) => other !== fault)
      }
      if (fault?.act === 'hang') return
      const reply = fault === undefined || fault.act === 'lose' ? answer(one) : fault.act
      if (fault?.act === 'lose') return void request.socket.destroy()
      const json = { 'content-type': 'application/json; charset=utf-8' }
      response.writeHead(reply.status, { ...json, ...reply.headers })
      response.end(reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    /** All requests to a path so far. */
    requestsTo: (at: RegExp) => asked.filter(({ method, path }) => at.test(`${method} ${path}`)),
    goWrong: (...wrong: Fault[]) => void faults.push(...wrong),
    goRight: () => void (faults = []),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The page on which a user gives or refuses consent, with two links. */
export const consentPage = (title: string, allowed: URL, refused: URL): Reply => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: `<!doctype html><title>${title}</title><h1>${title}</h1>
    <a href="${allowed.href.replaceAll('&', '&amp;')}">Allow access</a> <a href="${refused.href.replaceAll('&', '&amp;')}">Cancel</a>`,
})

export const withQuery = (address: string, query: Record<string, string>) => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
