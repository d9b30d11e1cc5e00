// Stage: the real program on its own database, filled with a large customer, a small one and many others.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { Client } from 'pg'
import { cpuOf, cpuOfChildren } from './load.ts'
import { secretKey, type Server } from './server.ts'

const others = { customers: 50, properties: 1000 }
const password = 'the password of every bench'
/** A token may be used 1,200 times a minute. */
const token_uses_max = 1000

export type Side = 'small' | 'large'
export interface Customer {
  id: number
  group_id: number
  /** A connection of the app's login that sees this customer's rows, as Foyer's own statements do. */
  plain: Client
  ask(
    call: string,
    body: object,
  ): Promise<{ data: { id: number }[]; meta: { total: number; to: number; next_cursor: string | null } }>
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function startFoyer(url: string, data_dir: string) {
  const server = spawn(process.execPath, ['--import', './scripts/tsx.mjs', 'server/main.ts'], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
      DATA_DIR: data_dir,
      PORT: '0',
      SIGNUP: 'open',
      ROLES: 'api',
    },
    // Its log is written to a file, as in production.
    stdio: ['ignore', 'pipe', fs.openSync(path.join(data_dir, 'foyer.log'), 'a')],
  })
  const origin = await new Promise<string>((resolve, reject) => {
    server.once('exit', () => reject(new Error('Foyer did not start')))
    server.stdout?.setEncoding('utf8').on('data', (line: string) => {
      const address = /ready at (\S+)/.exec(line)?.[1]
      if (address) resolve(address.replace('localhost', '127.0.0.1'))
    })
  })
  return { server, origin }
}

const posterTo = (origin: string, agent: http.Agent) => (call: string, body: object, token?: string) =>
  new Promise<never>((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'app-context': 'customer',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const request = http.request(`${origin}/api/v1${call}`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text) as never)
        else reject(new Error(`${call} answered ${response.statusCode}: ${text}`))
      })
    })
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })

/** @param large_rows how many properties the large customer has */
export async function openStage({ database, postmaster, scratch }: Server, large_rows: number) {
  const sizes = { small: 100, large: large_rows }
  const { url, appUrl } = await database('lists')
  const { server, origin } = await startFoyer(url, scratch)
  const raw = new Client({ connectionString: url })
  await raw.connect()

  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })
  const post = posterTo(origin, agent)

  async function customer(side: Side): Promise<Customer> {
    const email = `${side}@example.com`
    type SignedIn = { data: { access_token: string; user: { owner_id: number } } }
    let { data }: SignedIn = await post('/auth/signup', { company_name: side, name: side, email, password })
    let uses = 0
    const id = data.user.owner_id
    const group_id = await fill([id], sizes[side])
    const plain = new Client({
      connectionString: appUrl,
      options: `-c timezone=UTC -c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off -c app.customer_id=${id}`,
    })
    await plain.connect()
    return {
      id,
      group_id,
      plain,
      async ask(call, body) {
        if (++uses % token_uses_max === 0) ({ data } = await post('/auth/login', { email, password }))
        return post(call, body, data.access_token)
      },
    }
  }

  /** Half of the properties are active, half are in the group, half are called Grand, one is in Zanzibar. */
  async function fill(customers: number[], properties: number): Promise<number> {
    const { rows } = await raw.query<{ id: number }>(
      `insert into groups (customer_id, name) select unnest($1::int[]), 'Group' returning id`,
      [customers],
    )
    await raw.query(
      `insert into properties (customer_id, name, address, city, group_id, active, created_at)
       select c.id, case when (i / 4) % 2 = 0 then 'Grand' else 'Plain' end || ' Hotel ' || i, i || ' High Street',
         case when i = $2 / 2 then 'Zanzibar' else 'Bath' end, case when i % 2 = 0 then g.id end, (i / 2) % 2 = 0,
         now() - ($2 - i) * interval '1 minute'
       from generate_series(1, $2) as i, unnest($1::int[]) as c(id) join groups as g on g.customer_id = c.id order by i`,
      [customers, properties],
    )
    return rows[0]?.id ?? 0
  }

  const customers = { small: await customer('small'), large: await customer('large') }
  const { rows } = await raw.query<{ id: number }>(
    `insert into customers (name) select 'Other ' || i from generate_series(1, $1) as i returning id`,
    [others.customers],
  )
  await fill(
    rows.map((row) => row.id),
    others.properties,
  )
  // What autovacuum would do some minutes after such an import.
  await raw.query('vacuum analyze properties')
  await raw.query('vacuum analyze groups')

  return {
    customers,
    sizes,
    raw,
    url,
    appUrl,
    origin,
    process_id: server.pid ?? 0,
    postmaster,
    /** Processor time that the server and its database have used, in milliseconds; 0 without /proc. */
    cpu_ms: () => cpuOf(server.pid ?? 0) + cpuOfChildren(postmaster),
    async close() {
      await Promise.all([raw, customers.small.plain, customers.large.plain].map((client) => client.end()))
      agent.destroy()
      server.kill('SIGTERM')
      await new Promise((resolve) => server.once('exit', resolve))
    },
  }
}
