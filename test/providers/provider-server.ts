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

/** Answers that are held back, so that a test sees who else asks meanwhile. */
interface Hold {
  at: RegExp
  /** How many have still to ask. */
  count: number
  /** Whoever asks after these is answered. */
  others_go_on: boolean
  all_asked: PromiseWithResolvers<void>
  answered: PromiseWithResolvers<void>
}

/** @param port any free one, unless a Foyer must know it before this listens. */
export async function openProvider(answer: (asked: ProviderRequest) => Reply, port = 0) {
  const asked: ProviderRequest[] = []
  let faults: Fault[] = []
  const holds: Hold[] = []
  const heldBack = async (line: string) => {
    for (const hold of holds.filter(({ at, count, others_go_on }) => at.test(line) && !(others_go_on && count <= 0))) {
      if (--hold.count === 0) hold.all_asked.resolve()
      await hold.answered.promise
    }
  }
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
      void heldBack(`${one.method} ${one.path}`).then(() => reply(one))
    })
    const reply = (one: ProviderRequest) => {
      const fault = faults.find(({ at }) => at.test(`${one.method} ${one.path}`))
      if (fault) {
        fault.times = (fault.times ?? 1) - 1
        if (fault.times === 0) faults = faults.filter((other) => other !== fault)
      }
      if (fault?.act === 'hang') return
      const answered = fault === undefined || fault.act === 'lose' ? answer(one) : fault.act
      if (fault?.act === 'lose') return void request.socket.destroy()
      const json = { 'content-type': 'application/json; charset=utf-8' }
      response.writeHead(answered.status, { ...json, ...answered.headers })
      response.end(answered.text ?? (answered.body === undefined ? '' : JSON.stringify(answered.body)))
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    /** All requests to a path so far. */
    requestsTo: (at: RegExp) => asked.filter(({ method, path }) => at.test(`${method} ${path}`)),
    /** Holds the answers to a path until told. `asked`: that as many have asked. */
    holds(at: RegExp, count = 1, others: 'wait, too' | 'go on' = 'wait, too') {
      const others_go_on = others === 'go on'
      const hold = {
        at,
        count,
        others_go_on,
        all_asked: Promise.withResolvers<void>(),
        answered: Promise.withResolvers<void>(),
      }
      holds.push(hold)
      return {
        asked: hold.all_asked.promise,
        answers() {
          holds.splice(holds.indexOf(hold), 1)
          hold.answered.resolve()
        },
      }
    },
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
