// Check server: what the operator's own server may lack. It is found at the start: refused where nothing would work, else said in a line.
import { CannotStart } from '#server/start/cannot-start.ts'
import { connect } from '#server/db/logins.ts'
import { hostsIn, hostsOf } from '#server/start/database-address.ts'

/** What sign-ins by one-time code, links and reports still bear. */
const clock_off_max_ms = 2000

interface Server {
  copies: boolean
  /** How many connections it allows this login, and how many of these are taken. */
  allowed: number
  taken: number
  /** Milliseconds since 1970. */
  now: number
}

/**
 * Does nothing where the server does not answer: whoever needs it says so.
 * @param needed connections that the node opens at most
 */
export async function checkServer(url: string, needed: number, log: (line: string) => void = () => {}): Promise<void> {
  const client = await connect(url).catch(() => null)
  if (!client) return
  try {
    const asked_at = Date.now()
    const { rows } = await client.query<Server>(`
      select pg_is_in_recovery() as copies, (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        (select min(allowed)::int from (values
          (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int),
          ((select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)),
          ((select nullif(datconnlimit, -1) from pg_database where datname = current_database()))) as limits(allowed)) as allowed,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as taken`)
    const [server] = rows
    if (!server) return
    if (server.copies) throw new CannotStart(copies(url))
    const off_ms = Math.round((asked_at + Date.now()) / 2 - server.now)
    if (Math.abs(off_ms) > clock_off_max_ms) log(clock(off_ms))
    const free = server.allowed - server.taken
    if (free < needed) log(few(needed, server.allowed, free))
  } finally {
    await client.end()
  }
}

const copies = (url: string) =>
  `The server ${hostsIn(url)} of DATABASE_URL is a standby, and nothing can be written there. ` +
  (hostsOf(url).length === 1
    ? 'Name the server that takes writes, or all of them with commas between them (a:5432,b:5432), and Foyer finds the one.'
    : 'Promote one of them.')
const clock = (off_ms: number) =>
  `This machine's clock is ${Math.abs(off_ms) / 1000} s ${off_ms > 0 ? 'ahead of' : 'behind'} the database's, and times of sessions ` +
  'would be off by that. Set both to the same time servers.'
const few = (needed: number, allowed: number, free: number) =>
  `A node opens up to ${needed} connections to the database, which allows ${allowed} and has ${Math.max(0, free)} left. At peak some ` +
  'requests will wait and be refused: raise max_connections, or set DATABASE_CONNECTIONS to what each node may have.'
