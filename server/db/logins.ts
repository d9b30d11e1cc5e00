// The two logins: foyer_owner owns the tables and migrates them; foyer_app, which owns nothing, is the running product.

import { Client, escapeIdentifier } from 'pg'
import { ensureLogin } from '#server/db/login-passwords.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import type { SecretKeys } from '#server/start/secret-key.ts'

export const logins = ['foyer_owner', 'foyer_app'] as const
type Login = (typeof logins)[number]

/** Any number that no other program uses on the same server. */
const advisory_lock = 0x666f796572

type Request = {
  /** The administrator's address of the database, which need not exist yet; with `ownerUrl`, the app's own address. */
  url: string
  ownerUrl?: string | null
  secretKeys: SecretKeys
  /** The database is this process's alone, so a changed key can only mean that the key has changed. */
  exclusive?: boolean
  say?: (line: string) => void
}

/** Makes what is missing of the logins and the database, and gives the addresses under which to use them. */
export async function prepareDatabase({
  url,
  ownerUrl = null,
  secretKeys,
  exclusive = false,
  say = () => {},
}: Request) {
  if (ownerUrl) {
    await checkOwner(ownerUrl)
    return { ownerUrl: asOwner(ownerUrl), appUrl: url, adminUrl: null }
  }
  const server = await connectToServer(url)
  try {
    await server.query('select pg_advisory_lock($1)', [advisory_lock])
    await checkAdministrator(server, url)
    const urls = new Map<Login, string>()
    for (const login of logins)
      urls.set(login, loginUrl(url, login, await ensureLogin(server, login, { secretKeys, exclusive, say })))
    await ensureDatabase(server, url)
    return { ownerUrl: urls.get('foyer_owner') ?? url, appUrl: urls.get('foyer_app') ?? url, adminUrl: url }
  } finally {
    await server.end()
  }
}

/** Whether the login is the app's own and no administrator's: its node takes the database as it is, and migrates nothing. */
export async function isAppLogin(url: string): Promise<boolean> {
  const client = await connect(url).catch(() => null)
  if (client === null) return false
  try {
    const { rows } = await client.query<{ app: boolean }>(
      `select not rolsuper and not rolcreaterole
         and exists (select from pg_roles where rolname = 'foyer_app' and pg_has_role(oid, 'usage')) as app
       from pg_roles where rolname = current_user`,
    )
    return rows[0]?.app ?? false
  } finally {
    await client.end()
  }
}

/** Refuses a login for which row-level security would not hold. To be called when the tables are there. */
export async function checkAppLogin(appUrl: string): Promise<void> {
  const client = await connect(appUrl)
  try {
    const { rows } = await client.query<{ name: string; boundless: boolean; owns: boolean; product: boolean }>(
      `select current_user as name,
        exists (select from pg_roles where (rolsuper or rolbypassrls) and pg_has_role(oid, 'member')) as boundless,
        exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'member')) as owns,
        pg_has_role('foyer_app', 'usage') as product`,
    )
    const login = rows[0]
    const instead =
      'Put a login into DATABASE_URL that has only the rights of foyer_app (create role … login in role foyer_app).'
    if (login?.boundless)
      throw new CannotStart(
        `The app's login ${login.name} is a superuser or bypasses row security, which keeps customers apart. ${instead}`,
      )
    if (login?.owns)
      throw new CannotStart(
        `The app's login ${login.name} owns tables, so row security would not hold for it. ${instead}`,
      )
    if (!login?.product) throw new CannotStart(`The app's login ${login?.name} may not use Foyer's tables. ${instead}`)
  } finally {
    await client.end()
  }
}

/** Makes a database that belongs to foyer_owner and that foyer_app may connect to, and nobody else. */
export async function createDatabase(
  server: Client,
  name: string,
  from = "template0 locale_provider icu icu_locale 'und'",
) {
  const database = escapeIdentifier(name)
  await server.query(`create database ${database} owner foyer_owner template ${from}`)
  await server.query('set role foyer_owner')
  // That takes away temporary tables too, which could hide a real one from a security definer function.
  await server.query(`revoke all on database ${database} from public`)
  await server.query(`grant connect on database ${database} to foyer_app`)
  await server.query('reset role')
}

/** A connection, or a sentence that says who could not connect where. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'foyer' })
  // A connection lost while idle shows in the next query.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const { username, host, pathname } = new URL(url)
    throw new CannotStart(
      `Foyer cannot connect to the database ${pathname.slice(1)} at ${host} as ${username}: ${reason(error)}`,
    )
  }
}

/** Several addresses tried, several reasons. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** By way of the maintenance database, because the wanted one may be missing; its advisory lock is the one all nodes take. */
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

/** A database that someone else made keeps its owner; foyer_owner gets what migrations need. */
async function openToOwner(url: string): Promise<void> {
  const admin = await connect(url)
  try {
    await admin.query(`grant connect, create on database ${escapeIdentifier(databaseOf(url))} to foyer_owner`)
    await admin.query('grant usage, create on schema public to foyer_owner with grant option')
    await admin.query(`grant connect on database ${escapeIdentifier(databaseOf(url))} to foyer_app`)
  } finally {
    await admin.end()
  }
}

/** An administrator who is not a superuser may give a database only to a role that it may become; 16 tells that apart. */
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
       from pg_roles where rolname = any($1)`,
      [logins],
    )
    if (!rows[0]?.ok)
      throw new CannotStart(
        `The login ${new URL(ownerUrl).username} of DATABASE_OWNER_URL must be foyer_owner or belong to it, and foyer_app must ` +
          "exist. An administrator makes both with: create role foyer_owner login password '…'; " +
          "create role foyer_app login password '…'",
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

function loginUrl(url: string, login: Login, password: string): string {
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
