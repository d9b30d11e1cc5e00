// Logins: foyer_owner owns the tables and migrates them; the others own nothing. foyer_app does customers' work behind row
// security, foyer_auth calls the functions that are needed before a customer is known, and foyer_guest those of guests' pages.

import { Client, escapeIdentifier } from 'pg'
import { lock_wait_ms, orLocked } from '#server/db/lock-timeout.ts'
import { textOf } from '#server/errors/thrown.ts'
import { connectionTo } from '#server/db/writer.ts'
import { hostsIn, isPooled } from '#server/start/database-address.ts'
import { ensureLogin, type DatabaseLogin } from '#server/db/login-passwords.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

/** Any number that no other program uses on the same server. */
const advisory_lock = 0x666f796572

/** The URLs with which a node uses the database: three times the same where one login serves all. */
export interface LoginUrls {
  appUrl: string
  authUrl: string
  guestUrl: string
  /** The app's login past a pooler, for what needs a connection of its own; without one `appUrl` needs no such way. */
  directUrl?: string | null
  /** A replica for what is only read; without one the database itself is used. */
  readUrl?: string | null
}

type Request = {
  /** The administrator's URL of the database, which need not exist yet; with `ownerUrl`, the app's own URL. */
  url: string
  ownerUrl?: string | null
  /** With `ownerUrl`: the logins for signing in and for guests; without them the app's own serves all. */
  authUrl?: string | null
  guestUrl?: string | null
  /** The same login as in `url`, past the pooler to which that leads. */
  directUrl?: string | null
  /** The URL of a replica for what is only read. */
  readUrl?: string | null
  secretKeys: SecretKeys
  /** Only this process uses the database, so a key that does not match can only mean that the key was changed. */
  exclusive?: boolean
  log?: (line: string) => void
}

/** Creates the logins and the database as far as they are missing, and returns the URLs to use them. */
export async function prepareDatabase({
  url,
  ownerUrl = null,
  secretKeys,
  exclusive = false,
  log = () => {},
  ...given
}: Request) {
  if (ownerUrl) {
    await checkOwner(ownerUrl)
    return { ownerUrl: asOwner(ownerUrl), ...asGiven({ url, ...given }), adminUrl: null }
  }
  if (given.authUrl)
    throw new CannotStart(
      'With an administrator in DATABASE_URL Foyer makes its logins itself: leave DATABASE_AUTH_URL and ' +
        "DATABASE_GUEST_URL out, or give the app's own login as DATABASE_URL and the owner's as DATABASE_OWNER_URL.",
    )
  const direct = given.directUrl ?? url
  const server = await connectToServer(direct)
  try {
    const locked = () => server.query('select pg_advisory_lock($1)', [advisory_lock])
    await orLocked(locked, 'Another node has been preparing the logins of the database for a minute. Start again.')
    await checkAdministrator(server, direct)
    const ensured = async (login: DatabaseLogin, at: string) =>
      loginUrl(at, login, await ensureLogin(server, login, { secretKeys, exclusive, log }))
    const made = {
      ownerUrl: await ensured('foyer_owner', direct),
      appUrl: await ensured('foyer_app', url),
      authUrl: await ensured('foyer_auth', url),
      guestUrl: await ensured('foyer_guest', url),
    }
    await ensureDatabase(server, direct)
    return {
      ...made,
      directUrl: given.directUrl ? asLogin(given.directUrl, made.appUrl) : null,
      // The replica has the same logins. An administrator's would see all customers there.
      readUrl: given.readUrl ? asLogin(given.readUrl, made.appUrl) : null,
      adminUrl: direct,
    }
  } finally {
    await server.end()
  }
}

export const asGiven = ({
  url,
  authUrl,
  guestUrl,
  directUrl = null,
  readUrl = null,
}: Pick<Request, 'url' | 'authUrl' | 'guestUrl' | 'directUrl' | 'readUrl'>): LoginUrls => ({
  appUrl: url,
  authUrl: authUrl ?? url,
  guestUrl: guestUrl ?? url,
  directUrl,
  readUrl,
})
/** Whether one login serves everything. */
export const isOneLogin = ({ appUrl, authUrl }: LoginUrls) => appUrl === authUrl

/** Creates a database that belongs to foyer_owner and that only the other logins may connect to. */
export async function createDatabase(
  server: Client,
  name: string,
  from = "template0 locale_provider icu icu_locale 'und'",
) {
  const database = escapeIdentifier(name)
  await server.query(`create database ${database} owner foyer_owner template ${from}`)
  await server.query('set role foyer_owner')
  // This also forbids temporary tables, which could hide a real one from a security definer function.
  await server.query(`revoke all on database ${database} from public`)
  await server.query(`grant connect on database ${database} to foyer_app, foyer_auth, foyer_guest`)
  await server.query('reset role')
}

/** Connects, or throws a message that says which login could not connect where. */
export async function connect(url: string, lock_timeout_ms = lock_wait_ms): Promise<Client> {
  const client = new Client({
    ...connectionTo(url),
    connectionTimeoutMillis: 10_000,
    ...(!isPooled(url) && { lock_timeout: lock_timeout_ms }),
    application_name: 'foyer',
  })
  // A connection lost while idle fails in the next query.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { username, pathname } = new URL(url)
    throw new CannotStart(
      `Foyer cannot connect to the database ${pathname.slice(1)} at ${hostsIn(url)} as ${username}: ${reason(error)}`,
    )
  }
}

/** Several reasons if several addresses were tried. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : textOf(error)
}

/** To the maintenance database, because the wanted one may be missing, and all nodes must take the same advisory lock. */
async function connectToServer(url: string): Promise<Client> {
  try {
    return await connect(withDatabase(url, 'postgres'))
  } catch {
    return await connect(url)
  }
}

async function checkAdministrator(server: Client, url: string): Promise<void> {
  const { rows } = await server.query<{ version: number; may: boolean }>(
    `select current_setting('server_version_num')::int as version, rolsuper or rolcreaterole as may
     from pg_roles where rolname = current_user`,
  )
  if ((rows[0]?.version ?? 0) < 150_000) throw new CannotStart('Foyer needs PostgreSQL 15 or newer.')
  if (!rows[0]?.may)
    throw new CannotStart(
      `The login ${new URL(url).username} of DATABASE_URL may not create logins. Either let it (alter role … createrole createdb), ` +
        'or have an administrator create foyer_owner and foyer_app, and give the address of the one as ' +
        'DATABASE_OWNER_URL and of the other as DATABASE_URL.',
    )
}

async function ensureDatabase(server: Client, url: string): Promise<void> {
  const name = databaseOf(url)
  const { rows } = await server.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [name],
  )
  if (!rows[0]) {
    await mayActAsOwner(server)
    await createDatabase(server, name)
  } else if (rows[0].owner !== 'foyer_owner') {
    await openToOwner(url)
  }
}

/** A database that someone else created keeps its owner; foyer_owner gets the rights that migrations need. */
async function openToOwner(url: string): Promise<void> {
  const admin = await connect(url)
  try {
    await admin.query(`grant connect, create on database ${escapeIdentifier(databaseOf(url))} to foyer_owner`)
    await admin.query('grant usage, create on schema public to foyer_owner with grant option')
    await admin.query(
      `grant connect on database ${escapeIdentifier(databaseOf(url))} to foyer_app, foyer_auth, foyer_guest`,
    )
  } finally {
    await admin.end()
  }
}

/** An administrator who is not a superuser may give a database only to a role that it may set; since 16 that is a separate option. */
async function mayActAsOwner(server: Client): Promise<void> {
  const { rows } = await server.query<{ superuser: boolean; version: number }>(
    `select rolsuper as superuser, current_setting('server_version_num')::int as version
     from pg_roles where rolname = current_user`,
  )
  if (rows[0]?.superuser) return
  const options = (rows[0]?.version ?? 0) >= 160_000 ? 'with set true, inherit false' : ''
  await server.query(`grant foyer_owner to current_user ${options}`)
}

async function checkOwner(ownerUrl: string): Promise<void> {
  const client = await connect(ownerUrl)
  try {
    const { rows } = await client.query<{ ok: boolean }>(
      `select count(*) = 2 and bool_or(rolname = 'foyer_owner' and pg_has_role(oid, 'member')) as ok
       from pg_roles where rolname in ('foyer_owner', 'foyer_app')`,
    )
    if (!rows[0]?.ok)
      throw new CannotStart(
        `The login ${new URL(ownerUrl).username} of DATABASE_OWNER_URL must be foyer_owner or belong to it, and foyer_app must ` +
          "exist. An administrator makes both with: create role foyer_owner login password '…'; " +
          "create role foyer_app login password '…'. The same for foyer_auth (DATABASE_AUTH_URL) and foyer_guest " +
          '(DATABASE_GUEST_URL) gives signing in and guests logins of their own.',
      )
  } finally {
    await client.end()
  }
}

function asOwner(url: string): string {
  if (new URL(url).username === 'foyer_owner') return url
  const owner = new URL(url)
  owner.searchParams.set('options', '-c role=foyer_owner')
  return owner.href
}

/** The URL with the login of another one. */
function asLogin(url: string, of: string): string {
  const { username, password } = new URL(of)
  const result = new URL(url)
  result.username = username
  result.password = password
  return result.href
}

function loginUrl(url: string, login: DatabaseLogin, password: string): string {
  const result = new URL(url)
  result.username = login
  result.password = password
  return result.href
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || 'foyer'
}
