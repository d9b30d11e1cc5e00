// Logins: what each login of the database cannot do, so that one SQL injection does not open the whole installation.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLogins } from '#server/db/check-logins.ts'
import { connect } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let owner: Client
const clients = new Map<string, Client>()
beforeAll(async () => {
  database = await freshDatabase()
  owner = await connect(database.ownerUrl)
  for (const [login, url] of [
    ['foyer_app', database.appUrl],
    ['foyer_auth', database.authUrl],
    ['foyer_guest', database.guestUrl],
  ] as const)
    clients.set(login, await connect(url))
})
afterAll(async () => {
  for (const client of [owner, ...clients.values()]) await client?.end()
  await database?.drop()
})

const namesOf = async (query: string, values: unknown[] = []) =>
  (await owner.query<{ name: string }>(query, values)).rows.map(({ name }) => name)
/** The functions it may call, without those of PostgreSQL or an extension. */
const functions = `select p.oid, p.proname as name, p.prosrc from pg_proc p where p.pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
const mayCall = (login: string) =>
  namesOf(`select distinct name from (${functions}) f where has_function_privilege($1, oid, 'execute') order by 1`, [
    login,
  ])
const isRefused = (login: string, query: string) =>
  expect(clients.get(login)?.query(query), `${login}: ${query}`).rejects.toMatchObject({ code: '42501' })

describe('the app’s login', () => {
  test('calls none of the functions that read across customers', async () => {
    const doors = (await mayCall('foyer_app')).filter((name) => name.startsWith('door_'))
    expect(doors).toEqual(['door_migrations', 'door_releases'])
    await isRefused('foyer_app', `select * from door_login('somebody@example.com')`)
    await isRefused('foyer_app', `select * from door_open(1, 1, '\\x00', 60, null, null)`)
    await isRefused('foyer_app', 'select sealed_secret from second_factors')
  })
})

describe.each(['foyer_auth', 'foyer_guest'])('%s', (login) => {
  test('reads and writes no table, owns nothing and creates nothing', async () => {
    const open = await namesOf(
      `select c.oid::regclass || ' ' || r as name from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) r
       where c.relkind in ('r', 'p', 'v', 'm', 'f')
         and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and has_any_column_privilege($1, c.oid, r)`,
      [login],
    )
    expect(open).toEqual([])
    for (const table of ['accounts', 'logins', 'customers', 'installation', 'pgboss.job'])
      await isRefused(login, `select * from ${table}`)
    for (const query of ['create table mine ()', 'create temporary table mine ()', 'truncate sessions'])
      await isRefused(login, query)
    const counted = await owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships,
         (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = $1`,
      [login],
    )
    for (const [what, value] of Object.entries(counted.rows[0] as object))
      expect(value, what).toBe(typeof value === 'number' ? 0 : false)
  })
})

test('the login for signing in calls the functions that run before a customer is known, and no others', async () => {
  const callable = await mayCall('foyer_auth')
  expect(callable).toContain('door_admit')
  expect(callable.filter((name) => !name.startsWith('door_'))).toEqual([])
  expect(callable).not.toContain('door_picture')
})

test('the login for guests calls the functions of guests’ pages, and no others', async () => {
  expect(await mayCall('foyer_guest')).toEqual([
    'door_access_point',
    'door_arrival_at',
    'door_arrival_candidates',
    'door_arrival_gateway',
    'door_captive',
    'door_confirmation',
    'door_custom_portal_file',
    'door_gateway_settings',
    'door_interface',
    'door_migrations',
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
    'door_releases',
    'door_status',
    'door_stop_report',
    'door_trial',
    'door_tried',
  ])
  await isRefused('foyer_guest', `select * from door_login('somebody@example.com')`)
})

/** Nodes of the release before call these while an installation is upgraded. */
const of_the_release_before = [
  'door_due_integrations',
  'door_due_audiences',
  'door_arrival_gateway',
  'door_portal_gateway',
  'door_confirmed_login',
  'door_session',
  'door_stop_report',
  'door_customers_of_nights',
  'door_counted_customers',
  'online_among',
  'record_nights',
  'signs_in_elsewhere',
  'unpacked_sessions',
  'webhook_sealed',
]

test('no function is unused', async () => {
  const sources = fs
    .readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => fs.readFileSync(path.join('server', file), 'utf8'))
    .join('\n')
  // Functions that migrations call (`make_…`), trigger functions, and those used by columns, policies, indexes and other functions.
  const others = await namesOf(`
    select f.name from (${functions}) f where f.name like 'make\\_%'
      or exists (select from pg_trigger t where t.tgfoid = f.oid)
      or exists (select from pg_depend d where d.refobjid = f.oid and d.refclassid = 'pg_proc'::regclass
        and d.classid <> 'pg_proc'::regclass)
      or exists (select from (${functions}) other where other.oid <> f.oid and other.prosrc ~ ('\\m' || f.name || '\\('))`)
  const uncalled = (await namesOf(functions)).filter(
    (name) =>
      !of_the_release_before.includes(name) && !others.includes(name) && !new RegExp(`\\b${name}\\(`).test(sources),
  )
  expect(uncalled).toEqual([])
})

describe('one login for everything', () => {
  const alone = () => ({ appUrl: database.appUrl, authUrl: database.appUrl, guestUrl: database.appUrl })

  test('is refused while the others have their own rights, and accepted once the owner’s node allows it', async () => {
    await expect(checkLogins(alone())).rejects.toThrow('DATABASE_AUTH_URL and DATABASE_GUEST_URL')
    await migrate(database.ownerUrl, queues, { one_login: true })
    await expect(checkLogins(alone())).resolves.toBeUndefined()
    await migrate(database.ownerUrl, queues)
    await expect(checkLogins(alone())).rejects.toThrow('DATABASE_AUTH_URL')
  })

  test.each([
    ['the app’s', () => database.appUrl],
    ['the owner’s', () => database.ownerUrl],
  ])('%s login is not taken for signing in: it reads tables', async (_whose, authUrl) => {
    const given = { ...database, appUrl: database.appUrl, authUrl: authUrl() }
    const guarded = checkLogins(given.authUrl === given.appUrl ? { ...given, authUrl: `${given.authUrl}?x=` } : given)
    await expect(guarded).rejects.toThrow('may read the tables of customers')
  })
})
