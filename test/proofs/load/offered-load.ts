// Offered load: a fixed number of requests a second from several customers, whether they are answered or not (autocannon). It is a
// separate process from the one that is measured: its argument is what to send, its output what came back.
import autocannon from 'autocannon'

export interface Offer {
  url: string
  /** Each connection sends the requests of one of them, in turn. */
  customers: { headers: Record<string, string>; requests: { path: string; body: object }[] }[]
  connections: number
  seconds: number
  /** Requests a second in total; null if each connection sends the next one as soon as it is answered. */
  rate: number | null
}
export interface CameBack {
  /** How many answers of each status. */
  statuses: Record<string, number>
  /** Requests that got no answer at all. */
  unanswered: number
  seconds: number
  /** The accepted requests, and their times. */
  accepted: number
  p50_ms: number
  p99_ms: number
}

const { url, customers, connections, seconds, rate } = JSON.parse(process.argv[2] ?? '') as Offer
const statuses: Record<string, number> = {}
const accepted_ms: number[] = []
let clients = 0
const over = Promise.withResolvers<autocannon.Result>()
const options: autocannon.Options = {
  url,
  connections,
  duration: seconds,
  // Longer than the longest wait of the server, so that no request is given up that may still be answered.
  timeout: 60,
  // Replaces "[<id>]" in a body by a different word in each request.
  idReplacement: true,
  ...(rate !== null && { overallRate: rate }),
  setupClient(client) {
    const customer = customers[clients++ % customers.length]
    client.setRequests(
      (customer?.requests ?? []).map(({ path, body }) => ({
        method: 'POST',
        path: `/api/v1${path}`,
        headers: { 'content-type': 'application/json', ...customer?.headers },
        body: JSON.stringify(body),
      })),
    )
  },
}
const running = autocannon(options, (_, result) => over.resolve(result))
const answered = (_: unknown, status: number, __: number, took_ms: number) => {
  statuses[status] = (statuses[status] ?? 0) + 1
  if (status < 300) accepted_ms.push(took_ms)
}
running.on('response', answered)
const { duration, errors } = await over.promise

const inOrder = accepted_ms.toSorted((one, other) => one - other)
const at = (part: number) => inOrder[Math.floor(inOrder.length * part)] ?? 0
const cameBack: CameBack = {
  statuses,
  unanswered: errors,
  seconds: duration,
  accepted: inOrder.length,
  p50_ms: at(0.5),
  p99_ms: at(0.99),
}
console.log(JSON.stringify(cameBack))
