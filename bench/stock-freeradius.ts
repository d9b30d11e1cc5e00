// Stock FreeRADIUS: Debian's FreeRADIUS as installed, with its module `sql` on PostgreSQL; only ports, folders and the database
// address are changed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { freePort } from '#server/start/free-port.ts'

const installed = '/etc/freeradius/3.0'
/** Says what is missing; empty if FreeRADIUS can be started. */
export const missing =
  fs.existsSync('/usr/lib/freeradius/rlm_sql_postgresql.so') && fs.existsSync(installed)
    ? ''
    : 'not installed (apt-get install freeradius freeradius-postgresql)'
/** The secret of the default client `localhost`. */
export const stock_secret = 'testing123'

export interface StockGuest {
  username: string
  password: string
}

/** Starts it with these guests, all in one group with the limits of a package. */
export async function startStock(url: string, scratch: string, guests: StockGuest[]) {
  await fill(url, guests)
  const folder = path.join(scratch, 'freeradius')
  fs.cpSync(installed, folder, { recursive: true, verbatimSymlinks: true })
  const first = await freePort(2)
  const ports = { access: first, accounting: first + 1 }
  const change = (name: string, ...changes: [RegExp, string][]) => {
    const file = path.join(folder, name)
    const before = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(
      file,
      changes.reduce((text, [from, to]) => text.replace(from, to), before),
    )
  }
  change(
    'radiusd.conf',
    [/^raddbdir = .*$/m, `raddbdir = ${folder}`],
    [/^logdir = .*$/m, `logdir = ${scratch}`],
    [/^run_dir = .*$/m, `run_dir = ${scratch}`],
    // It runs as the user who runs the bench.
    [/^\s*(user|group) = .*$/gm, ''],
  )
  change(
    'mods-available/sql',
    [/^\s*dialect = .*$/m, 'dialect = "postgresql"'],
    [/^\s*driver = .*$/m, 'driver = "rlm_sql_postgresql"'],
    [/^\s*radius_db = .*$/m, `radius_db = "${conninfo(url)}"`],
  )
  fs.symlinkSync('../mods-available/sql', path.join(folder, 'mods-enabled/sql'))
  fs.rmSync(path.join(folder, 'sites-enabled/inner-tunnel'))
  change(
    'sites-available/default',
    [/^\tport = 0$/m, `\tport = ${ports.access}`],
    [/^\tport = 0$/m, `\tport = ${ports.accounting}`],
    [/^\tipv6addr = ::/gm, '\tipaddr = 127.0.0.1'],
    [/^\tport = 0$/m, `\tport = ${await freePort()}`],
    [/^\tport = 0$/m, `\tport = ${await freePort()}`],
  )
  const server = spawn('/usr/sbin/freeradius', ['-f', '-l', 'stdout', '-d', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to process requests')) resolve()
    })
    server.once('exit', () => reject(new Error(`FreeRADIUS did not start: ${output}`)))
  })
  return {
    ports,
    process_id: server.pid ?? 0,
    async stop() {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
    },
  }
}

function conninfo(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url)
  return `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`
}

/** Its own tables, with the rows that an operator would add. */
async function fill(url: string, guests: StockGuest[]) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(fs.readFileSync(path.join(installed, 'mods-config/sql/main/postgresql/schema.sql'), 'utf8'))
    const names = guests.map(({ username }) => username)
    await client.query(
      `insert into radcheck (username, attribute, op, value)
     select username, 'Cleartext-Password', ':=', password from unnest($1::text[], $2::text[]) as g(username, password)`,
      [names, guests.map(({ password }) => password)],
    )
    await client.query(`insert into radusergroup (username, groupname) select unnest($1::text[]), 'package'`, [names])
    await client.query(
      `insert into radgroupreply (groupname, attribute, op, value) values ('package', 'Session-Timeout', ':=', '86400'),
       ('package', 'Acct-Interim-Interval', ':=', '300'), ('package', 'WISPr-Bandwidth-Max-Up', ':=', '20000000'),
       ('package', 'WISPr-Bandwidth-Max-Down', ':=', '20000000')`,
    )
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
