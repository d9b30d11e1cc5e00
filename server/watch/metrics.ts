// Metrics: a node's metrics for Prometheus. Labels come from short fixed lists (routes, kinds of work, queues), never from customers,
// people or addresses: their number must not grow with stored data or requests.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'

export interface Metrics {
  request(labels: { app: string; route: string; method: string; status: number }, seconds: number): void
  /** A turn was given after a wait of `waited_s`, or refused. */
  turnTaken(work: string, waited_s: number): void
  turnRefused(work: string, status: number): void
  job(queue: string, result: 'done' | 'failed'): void
  mail(result: 'sent' | 'failed'): void
  /** A packet of a gateway. */
  radius(kind: 'access' | 'accounting', result: 'answered' | 'unanswered' | 'failed', ms: number): void
  /** A guest or a device asked to get online, at a gateway or on a page; `result` is one of a fixed list of reasons. */
  signIn(at: 'gateway' | 'page', result: string): void
  /** Read at each collection: one value; none where there is nothing to be read. */
  gauge(name: string, help: string, read: () => Value | Promise<Value>): void
  /** The same with a value for each value of one label. */
  watch(name: string, help: string, label: string, read: () => Values | Promise<Values>): void
  /** All of them, to be given with those of another process. */
  all(): Promise<MetricOfProcess[]>
  /** In Prometheus' text format, with those of `others`: processes of this node by name, which stands in their label `process`. */
  text(others?: Record<string, MetricOfProcess[]>): Promise<{ type: string; body: string }>
}
export type MetricOfProcess = MetricObjectWithValues<MetricValue<string>>
type Values = Record<string, number>
type Value = number | null | undefined

const request_seconds = [0.005, 0.02, 0.1, 0.5, 2, 10]
const turn_seconds = [0.01, 0.1, 1, 5, 15, 60]

/** What is counted and measured, each under its name in Prometheus. */
function metersIn(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Counter({
      name: 'foyer_requests_total',
      help: 'Requests answered, by application, route and status',
      labelNames: ['app', 'route', 'method', 'status'],
      registers,
    }),
    // Without labels it stands at 0 before the first one, which a rate sees only then.
    broken: new Counter({
      name: 'foyer_requests_broken_total',
      help: 'Requests that failed because of an error in Foyer (500)',
      registers,
    }),
    request: new Histogram({
      name: 'foyer_request_seconds',
      help: 'How long requests took, by application and route',
      labelNames: ['app', 'route', 'method'],
      buckets: request_seconds,
      registers,
    }),
    turns: new Histogram({
      name: 'foyer_turn_wait_seconds',
      help: 'How long work waited for its turn, by kind of work',
      labelNames: ['work'],
      buckets: turn_seconds,
      registers,
    }),
    refusals: new Counter({
      name: 'foyer_turn_refusals_total',
      help: 'Turns refused: 429 to who asks too much, 503 where the node is busy with others',
      labelNames: ['work', 'status'],
      registers,
    }),
    jobs: new Counter({
      name: 'foyer_jobs_total',
      help: 'Jobs run by this node, by queue and result',
      labelNames: ['queue', 'result'],
      registers,
    }),
    mails: new Counter({
      name: 'foyer_mails_total',
      help: 'Mails handed to the mail server, by result',
      labelNames: ['result'],
      registers,
    }),
    signIns: new Counter({
      name: 'foyer_sign_ins_total',
      help: 'Sign-ins of guests and devices decided by this node, by result: accepted, or the reason of the refusal',
      labelNames: ['at', 'result'],
      registers,
    }),
    packets: new Histogram({
      name: 'foyer_radius_packet_seconds',
      help: 'How long packets of gateways took, by kind and whether they were answered',
      labelNames: ['kind', 'result'],
      buckets: request_seconds,
      registers,
    }),
  }
}

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const { requests, broken, request, turns, refusals, jobs, mails, signIns, packets } = metersIn(registry)
  return {
    request({ app, route, method, status }, seconds) {
      requests.inc({ app, route, method, status })
      if (status === 500) broken.inc()
      request.observe({ app, route, method }, seconds)
    },
    turnTaken: (work, waited_s) => turns.observe({ work }, waited_s),
    turnRefused: (work, status) => refusals.inc({ work, status }),
    job: (queue, result) => jobs.inc({ queue, result }),
    mail: (result) => mails.inc({ result }),
    radius: (kind, result, ms) => packets.observe({ kind, result }, ms / 1000),
    signIn: (at, result) => signIns.inc({ at, result }),
    gauge(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const value = await settled(read)
          this.reset()
          if (typeof value === 'number' && !Number.isNaN(value)) this.set(value)
          // A gauge without labels begins at 0, which would be an answer.
          else this.remove()
        },
      })
      registry.registerMetric(gauge)
    },
    watch(name, help, label, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [],
        async collect() {
          const values = await settled(read)
          this.reset()
          for (const [word, value] of Object.entries(values ?? {})) this.set({ [label]: word }, value)
        },
      })
      registry.registerMetric(gauge)
    },
    all: () => registry.getMetricsAsJSON(),
    async text(others = {}) {
      const of_others = Object.entries(others).map(([name, found]) => found.map((metric) => ofProcess(metric, name)))
      const together =
        of_others.length > 0
          ? AggregatorRegistry.aggregate([(await registry.getMetricsAsJSON()).map(summed), ...of_others])
          : registry
      return { type: registry.contentType, body: await together.metrics() }
    },
  }
}

/** Values with different labels are added to none: each process keeps its own, also of what the library would leave out. */
const summed = (metric: MetricOfProcess): MetricOfProcess => ({ ...metric, aggregator: 'sum' })
const ofProcess = (metric: MetricOfProcess, name: string): MetricOfProcess => ({
  ...summed(metric),
  values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process: name } })),
})

/** Less than Prometheus waits for all of them: 10 s unless it is told otherwise. */
const read_max_ms = 5000

/** What fails, or hangs, must not make the other metrics fail. */
async function settled<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([read(), sleep(read_max_ms, undefined, { signal: done.signal })])
  } catch {
    return undefined
  } finally {
    done.abort()
  }
}
