// RADIUS: sign-ins and accounting reports a second, against Debian's FreeRADIUS with its module `sql` on the same PostgreSQL. Four
// customers have a house with a gateway each. Foyer also handles limits, devices, failed attempts, the log of attempts, and roll-ups.
//
// What waits at a house shares a transaction, so it matters how many send at once: the crowd of one house, then that of the next, or all
// houses at the same time. `BENCH_CUSTOMERS=80` shows what a packet costs that shares with nobody.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import { openSecrets, type Secrets } from '#server/access/secrets.ts'
import { openTenancy } from '#server/access/tenancy.ts'
import { code } from '#server/radius-codec/dictionary.ts'
import { placeIn } from '#server/secrets/sealed-columns.ts'
import { freePort } from '#server/start/free-port.ts'
import { cpuOf, cpuOfChildren } from './load.ts'
import { median } from './measurement.ts'
import type { Order, Sent, ToSend } from './radius-sender.ts'
import { secretKey, type Server } from './server.ts'
import { startProgram } from './start-program.ts'
import { missing, startStock, stock_secret } from './stock-freeradius.ts'

const customers = Number(process.env['BENCH_CUSTOMERS'] ?? 4)
const gateways_each = Number(process.env['BENCH_GATEWAYS'] ?? 1)
const guests_each = Math.floor(800 / customers)
/** Packets in flight at any time, of all gateways together. */
const at_once = 64
const rounds = 5
/** Before what is measured: a gateway meets a server that has run for a while, whose hot paths are compiled. */
const warming_rounds = 4
/** Of FreeRADIUS' rate by processor time, house by house and with all houses at once. */
const least = { sign_ins: { in_turn: 1.6, at_once: 1.2 }, reports: { in_turn: 1.2, at_once: 0.9 } }

export async function benchRadius({ database, postmaster, scratch }: Server) {
  if (missing) {
    console.log(`RADIUS: left out, FreeRADIUS is ${missing}`)
    return
  }
  const foyer_database = await database('radius')
  const guests = await fill(foyer_database)
  const first = await freePort(3)
  const ports = { access: first, accounting: first + 1 }
  const foyer = await startProgram('server/main.ts', {
    DATABASE_URL: foyer_database.url,
    SECRET_KEY: secretKey,
    DATA_DIR: scratch,
    ROLES: 'radius',
    PORT: String(first + 2),
    RADIUS_AUTH_PORT: String(ports.access),
    RADIUS_ACCT_PORT: String(ports.accounting),
  })
  const stock = await startStock((await database('freeradius')).url, scratch, guests)
  const sender = fork(`${import.meta.dirname}/radius-sender.ts`, {
    execArgv: ['--import', './scripts/tsx.mjs'],
    serialization: 'advanced',
  })
  await once(sender, 'message')
  const measured = async (of: { process_id: number }, port: number, packets: ToSend[], expected: number) => {
    const before = { server: cpuOf(of.process_id), database: cpuOfChildren(postmaster) }
    sender.send({ port, packets, at_once } satisfies Order)
    const [sent] = (await once(sender, 'message')) as [Sent]
    if (sent.answers[expected] !== packets.length) throw new Error(`not all were answered: ${JSON.stringify(sent)}`)
    const server_ms = (cpuOf(of.process_id) - before.server) / packets.length
    const database_ms = (cpuOfChildren(postmaster) - before.database) / packets.length
    return { ...sent, server_ms, database_ms, cpu_ms: server_ms + database_ms, rate: packets.length / sent.seconds }
  }
  const raw = new Client({ connectionString: foyer_database.url })
  await raw.connect()
  try {
    // Planned against empty tables, a statement reads all of a customer's rows; autovacuum tells PostgreSQL within a minute that they grew.
    const analyse = () => raw.query('analyze')
    const signIns = (of: Guest[]) => async (): Promise<[Measured, Measured]> => [
      await measured(foyer, ports.access, of.map(signIn), code.access_accept),
      await measured(stock, stock.ports.access, of.map(signIn).map(atStock), code.access_accept),
    ]
    const all_houses = housesAtOnce(guests)
    await compare('Sign-ins, house by house', least.sign_ins.in_turn, analyse, signIns(guests))
    await compare('Sign-ins, all houses at once', least.sign_ins.at_once, analyse, signIns(all_houses))
    const classes = await classesOf(raw)
    let round = 0
    const reports = (of: Guest[]) => async (): Promise<[Measured, Measured]> => {
      round++
      const sent = reportsOf(of, classes, round)
      return [
        await measured(foyer, ports.accounting, sent, code.accounting_response),
        await measured(stock, stock.ports.accounting, sent.map(atStock), code.accounting_response),
      ]
    }
    await compare('Reports, house by house', least.reports.in_turn, analyse, reports(guests))
    await compare('Reports, all houses at once', least.reports.at_once, analyse, reports(all_houses))
  } finally {
    await raw.end()
    sender.kill()
    await foyer.stop()
    await stock.stop()
  }
}

interface Measured {
  server_ms: number
  database_ms: number
  cpu_ms: number
  rate: number
  p50_ms: number
  p99_ms: number
}

/** By the processor time of an answer, of server and database together, as that hardly depends on other load on the machine. */
async function compare(
  what: string,
  ratio_least: number,
  warmed: () => Promise<unknown>,
  round: () => Promise<[Measured, Measured]>,
) {
  const taken: [Measured, Measured][] = []
  for (let count = 0; count < warming_rounds; count++) {
    await round()
    if (count === 0) await warmed()
  }
  for (let count = 0; count < rounds; count++) taken.push(await round())
  const ratio = (of: (foyer: Measured, stock: Measured) => number) => median(taken.map((pair) => of(...pair)))
  const by_processor = ratio((foyer, stock) => stock.cpu_ms / foyer.cpu_ms)
  const by_clock = ratio((foyer, stock) => foyer.rate / stock.rate)
  const side = (index: 0 | 1) => {
    const of = (name: keyof Measured) => median(taken.map((pair) => pair[index][name]))
    const processor = `${of('cpu_ms').toFixed(2)} ms of processor time (${of('database_ms').toFixed(2)} of the database)`
    const clock = `p50 ${of('p50_ms').toFixed(1)} ms, p99 ${of('p99_ms').toFixed(1)} ms`
    return `${Math.round(of('rate'))} a second, ${processor}, ${clock}`
  }
  console.log(`${what}, ${at_once} at once:\n  Foyer ${side(0)}\n  FreeRADIUS ${side(1)}`)
  console.log(
    `  ${by_processor.toFixed(2)} of FreeRADIUS' rate by processor time (at least ${ratio_least}); by the clock ${by_clock.toFixed(2)}`,
  )
  if (!(by_processor >= ratio_least)) process.exitCode = 1
}

interface Guest {
  id: number
  username: string
  password: string
  mac_address: string
  nas_identifier: string
  secret: string
}

/** Customers with a property each, its gateways, and accounts with a password. */
async function fill(urls: Awaited<ReturnType<Server['database']>>): Promise<Guest[]> {
  const tenancy = openTenancy(urls)
  const secrets = await openSecrets(() => [secretKey], tenancy)
  const admin = new Client({ connectionString: urls.url })
  await admin.connect()
  try {
    return await filled(admin, secrets)
  } finally {
    await admin.end()
    secrets.close()
    await tenancy.close()
  }
}

async function filled(admin: Client, { seal }: Pick<Secrets, 'seal'>) {
  const guests: Guest[] = []
  for (let customer = 1; customer <= customers; customer++) {
    const { rows: made } = await admin.query<{ customer_id: number; property_id: number; package_id: number }>(
      `with customer as (insert into customers (name) values ('Bench ' || $1::text) returning id),
         wifi as (insert into packages (customer_id, name, volume_gb, speed_mbps, max_users)
           select id, 'Wi-Fi', 1000, 20, 5 from customer returning id, customer_id)
       insert into properties (customer_id, name, package_id) select customer_id, 'Property', id from wifi
       returning customer_id, id as property_id, package_id`,
      [customer],
    )
    const { customer_id = 0, property_id = 0, package_id = 0 } = made[0] ?? {}
    const { rows: gateways } = await admin.query<{ id: number; nas_identifier: string }>(
      `insert into gateways (customer_id, property_id, gateway_type_id, nas_identifier)
       select $1::int, $2, 13, 'bench-' || ($1::int)::text || '-' || i from generate_series(1, $3::int) as i returning id, nas_identifier`,
      [customer_id, property_id, gateways_each],
    )
    const secret = `the secret of ${customer_id}`
    for (const { id } of gateways)
      await admin.query(
        'insert into gateway_secrets (customer_id, gateway_id, sealed_radius_secret) values ($1, $2, $3)',
        [customer_id, id, seal.close(secret, placeIn('gateway_secrets.sealed_radius_secret', { customer_id }, id))],
      )
    const { rows: accounts } = await admin.query<{ id: number; username: string }>(
      `insert into accounts (customer_id, property_id, name, username, account_type_id, package_id)
       select $1::int, $2, 'Guest ' || i, 'guest-' || ($1::int)::text || '-' || i, 1, $3 from generate_series(1, $4::int) as i
       returning id, username`,
      [customer_id, property_id, package_id, guests_each],
    )
    for (const [index, { id, username }] of accounts.entries()) {
      const password = `password of ${username}`
      await admin.query(
        'insert into account_passwords (customer_id, account_id, sealed_password) values ($1, $2, $3)',
        [customer_id, id, seal.close(password, placeIn('account_passwords.sealed_password', { customer_id }, id))],
      )
      const { nas_identifier = '' } = gateways[index % gateways.length] ?? {}
      guests.push({ id, username, password, nas_identifier, secret, mac_address: mac(guests.length) })
    }
  }
  await admin.query('analyze')
  return guests
}

/** The same guests, one of each house in turn. */
const housesAtOnce = (guests: readonly Guest[]) =>
  Array.from({ length: guests_each }, (_, n) => guests.filter((_guest, at) => at % guests_each === n)).flat()

const mac = (number: number) => `02-00-00-00-${hex(number >> 8)}-${hex(number & 0xff)}`
const hex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase()

const signIn = ({ username, password, mac_address, nas_identifier, secret }: Guest): ToSend => ({
  asked: { user_name: username, password, calling_station_id: mac_address, nas_identifier },
  secret,
  kind: code.access_request,
})
const atStock = (packet: ToSend): ToSend => ({ ...packet, secret: stock_secret })

/** The Class that Foyer gave each guest's session. */
async function classesOf(raw: Client) {
  const { rows } = await raw.query<{ account_id: number; class: string }>(
    `select account_id, 'foyer-' || max(id) as class from radius_authorisations where accepted group by account_id`,
  )
  return new Map(rows.map((row) => [row.account_id, row.class]))
}

const seconds = (moment: number) => {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(Math.floor(moment / 1000))
  return number
}

/** A session of each guest: start, interim and stop reports, each with its timestamp, as gateways send them. */
function reportsOf(guests: Guest[], classes: Map<number, string>, round: number): ToSend[] {
  const began_at = Date.now()
  const report = (guest: Guest, status: number, online_s: number): ToSend => ({
    asked: {
      acct_status_type: status,
      acct_session_id: `${round}-${guest.id}`,
      user_name: guest.username,
      calling_station_id: guest.mac_address,
      nas_identifier: guest.nas_identifier,
      class: classes.get(guest.id) ?? '',
      framed_ip_address: Buffer.of(10, 0, guest.id >> 8, guest.id & 0xff),
      event_timestamp: seconds(began_at + online_s * 1000),
      acct_session_time: online_s,
      acct_input_octets: online_s * 1_000_000,
      acct_output_octets: online_s * 9_000_000,
      acct_input_gigawords: 0,
      acct_output_gigawords: 0,
    },
    secret: guest.secret,
    kind: code.accounting_request,
  })
  return [
    ...guests.map((guest) => report(guest, 1, 0)),
    ...[1, 2, 3].flatMap((online_s) => guests.map((guest) => report(guest, 3, online_s))),
    ...guests.map((guest) => report(guest, 2, 4)),
  ]
}
