// Provider server: what the stand-ins of other companies have in common: they listen here, keep what they were asked, and go
// wrong as they are told.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  body: string
}
export interface Told {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** As it is, where it is not JSON. */
  text?: string
}
/**
 * What goes wrong: no answer at all, one that comes after the work and is lost, or another than it should be. `times`: once
 * unless told.
 */
export interface Fault {
  at: RegExp
  act: 'hang' | 'lose' | Told
  times?: number
}

/** @param port any that is free, unless a Foyer is told of it before this listens. */
export async function openProvider(answer: (asked: Asked) => Told, port = 0) {
  const asked: Asked[] = []
  let faults: Fault[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://provider.test')
      const one: Asked = {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      // A browser asks for it by itself.
      if (one.path === '/favicon.ico') return void response.writeHead(204).end()
      asked.push(one)
      const fault = faults.find(({ at }) => at.test(`${one.method} ${one.path}`))
      if (fault) {
        fault.times = (fault.times ?? 1) - 1
        if (fault.times === 0) faults = faults.filter((other) => other !== fault)
      }
      if (fault?.act === 'hang') return
      const told = fault === undefined || fault.act === 'lose' ? answer(one) : fault.act
      if (fault?.act === 'lose') return void request.socket.destroy()
      const json = { 'content-type': 'application/json; charset=utf-8' }
      response.writeHead(told.status, { ...json, ...told.headers })
      response.end(told.text ?? (told.body === undefined ? '' : JSON.stringify(told.body)))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    /** What was asked of a path since the beginning. */
    askedOf: (at: RegExp) => asked.filter(({ method, path }) => at.test(`${method} ${path}`)),
    goWrong: (...wrong: Fault[]) => void faults.push(...wrong),
    goRight: () => void (faults = []),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Where somebody gives their consent, or not: two links, as a browser shows them. */
export const consentPage = (title: string, allowed: URL, refused: URL): Told => ({
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
