// Grants: which login may call which of the database's functions. Granted at each start by the node that migrates, so that
// functions of new migrations are included, and changed settings take effect.

import { Client } from 'pg'
import { lock_wait_ms } from '#server/db/lock-timeout.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { connectionTo } from '#server/db/writer.ts'

/** Functions for guests' pages and gateways; all others named `door_…` are for signing in and for jobs that work for all customers. */
export const guests_functions = [
  'door_access_point',
  'door_arrival_at',
  'door_arrival_candidates',
  'door_arrival_gateway',
  'door_captive',
  'door_confirmation',
  'door_custom_portal_file',
  'door_gateway_settings',
  'door_interface',
  'door_picture',
  'door_polled_gateway',
  'door_portal',
  'door_portal_at',
  'door_portal_gateway',
  'door_portal_of_gateway',
  'door_portal_of_host',
  'door_portal_redirected',
  'door_portal_shown',
  'door_portal_stray',
  'door_radius_access_points',
  'door_radius_gateways',
  'door_radius_proven',
  'door_radius_refused',
  'door_radius_strangers',
  'door_radius_unregistered',
  'door_receiver',
  'door_status',
  'door_stop_report',
  'door_trial',
  'door_tried',
]
/** Functions that a node calls before anything else, with whichever login it has. */
const common_functions = ['door_migrations', 'door_releases']

/** Any number that no other program uses on the same server. Two nodes that grant at the same time would conflict. */
const advisory_lock = 0x666f7965

/** @param one_login foyer_app serves everything, since no other login is given. */
export async function grantFunctions(ownerUrl: string, one_login: boolean): Promise<void> {
  const limits = { lock_timeout: lock_wait_ms }
  const owner = new Client({ ...connectionTo(ownerUrl), ...limits, application_name: 'foyer grants' })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock($1)', [advisory_lock])
    const roles = await rolesOf(owner)
    for (const role of roles) await openDatabaseTo(owner, role)
    const { rows } = await owner.query<{ name: string; signature: string }>(
      `select proname as name, oid::regprocedure::text as signature from pg_proc
       where pronamespace = 'public'::regnamespace and proname like 'door\\_%' order by 1`,
    )
    const statements = rows.flatMap(({ name, signature }) =>
      ['foyer_app', ...roles].map((role) =>
        isFor(role, name, one_login)
          ? `grant execute on function ${signature} to ${role}`
          : `revoke execute on function ${signature} from ${role}`,
      ),
    )
    await owner.query(statements.join(';\n'))
    await owner.query('commit')
  } finally {
    await owner.end()
  }
}

function isFor(role: string, name: string, one_login: boolean): boolean {
  if (common_functions.includes(name)) return true
  if (role === 'foyer_app') return one_login
  return (role === 'foyer_guest') === guests_functions.includes(name)
}

/** To be asked before anything is made in the database, so that whoever mends it starts from where they were. */
export async function requireRoles(owner: Client, one_login: boolean): Promise<void> {
  if (!one_login && (await rolesOf(owner)).length < 2)
    throw new CannotStart(
      'DATABASE_AUTH_URL and DATABASE_GUEST_URL need the roles foyer_auth and foyer_guest. An administrator makes them ' +
        "with: create role foyer_auth login password '…'; create role foyer_guest login password '…'",
    )
}

async function rolesOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select rolname as name from pg_roles where rolname in ('foyer_auth', 'foyer_guest') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Where the database belongs to somebody else, its administrator grants the right to connect. */
async function openDatabaseTo(owner: Client, role: string) {
  const { rows } = await owner.query<{ statement: string | null; mine: boolean }>(
    `select case when has_database_privilege($1, current_database(), 'connect') then null
       else format('grant connect on database %I to %I', current_database(), $1) end as statement,
       pg_has_role(datdba, 'usage') as mine from pg_database where datname = current_database()`,
    [role],
  )
  if (rows[0]?.mine && rows[0].statement !== null) await owner.query(rows[0].statement)
  await owner.query(`grant usage on schema public to ${role}`)
}
