// Check logins: whether the rights of each login are as limited as the walls between customers require.

import { CannotStart } from '#server/start/cannot-start.ts'
import type { Client } from 'pg'
import { position, stateOf } from '#server/db/wal-position.ts'
import { guests_functions } from '#server/db/grants.ts'
import { connect, isOneLogin, type LoginUrls } from '#server/db/logins.ts'

/** Whether the login is the app's own and not an administrator's: its node takes the database as it is, and migrates nothing. */
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

/** Refuses logins for which the walls would not hold. To be called when the tables exist. */
export async function checkLogins(urls: LoginUrls): Promise<void> {
  await checkAppLogin(urls.appUrl)
  if (isOneLogin(urls)) return checkServesAll(urls.appUrl)
  await checkDoorLogin(urls.authUrl, { setting: 'DATABASE_AUTH_URL', role: 'foyer_auth', needs: 'door_admit' })
  const [needs = ''] = guests_functions
  await checkDoorLogin(urls.guestUrl, { setting: 'DATABASE_GUEST_URL', role: 'foyer_guest', needs })
}

const boundless = `exists (select from pg_roles where (rolsuper or rolbypassrls) and pg_has_role(oid, 'member'))`
const owns = `exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'member'))`
const may = (name: string) =>
  `exists (select from pg_proc where proname = ${name} and has_function_privilege(oid, 'execute'))`

export async function checkAppLogin(appUrl: string): Promise<void> {
  const client = await connect(appUrl)
  try {
    await checkApp(client, 'DATABASE_URL')
  } finally {
    await client.end()
  }
}

/**
 * Refuses a login of the replica for which the walls would not hold, and a server that is no replica of the database. One that does
 * not answer is no reason not to start: that is reported, and the database itself is read meanwhile.
 */
export async function checkReplica({ appUrl, readUrl }: LoginUrls, log: (line: string) => void): Promise<void> {
  if (!readUrl) return
  const replica = await connect(readUrl).catch((error: unknown) => {
    if (error instanceof CannotStart) log(`${error.message} DATABASE_READ_URL is tried again later.`)
    else throw error
  })
  if (!replica) return
  const database = await connect(appUrl)
  try {
    await checkApp(replica, 'DATABASE_READ_URL')
    if ((await stateOf(replica, await position(database))) === 'unrelated')
      throw new CannotStart(
        'DATABASE_READ_URL must name the same database on a server that follows the one of DATABASE_URL (streaming replication), or on ' +
          'that server itself.',
      )
  } finally {
    await Promise.all([replica.end(), database.end()])
  }
}

async function checkApp(client: Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ name: string; boundless: boolean; owns: boolean; product: boolean }>(
    `select current_user as name,
      ${boundless} as boundless, ${owns} as owns,
      pg_has_role('foyer_app', 'usage') as product`,
  )
  const login = rows[0]
  const instead = `Put a login into ${setting} that has only the rights of foyer_app (create role … login in role foyer_app).`
  if (login?.boundless)
    throw new CannotStart(
      `The app's login ${login.name} is a superuser or bypasses row security, which keeps customers apart. ${instead}`,
    )
  if (login?.owns)
    throw new CannotStart(
      `The app's login ${login.name} owns tables, so row security would not hold for it. ${instead}`,
    )
  if (!login?.product) throw new CannotStart(`The app's login ${login?.name} may not use Foyer's tables. ${instead}`)
}

/** Refuses to go without the other two logins where the app's may not do their work. */
async function checkServesAll(appUrl: string): Promise<void> {
  const client = await connect(appUrl)
  try {
    const { rows } = await client.query<{ may: boolean }>(`select ${may('$1')} as may`, ['door_admit'])
    if (!rows[0]?.may)
      throw new CannotStart(
        'In this database signing in and guests have logins of their own: give their addresses as DATABASE_AUTH_URL and ' +
          'DATABASE_GUEST_URL.',
      )
  } finally {
    await client.end()
  }
}

interface DoorLogin {
  setting: string
  role: string
  /** A function that it must be able to call. */
  needs: string
}
async function checkDoorLogin(url: string, { setting, role, needs }: DoorLogin): Promise<void> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ name: string; reads: boolean; may: boolean }>(
      `select current_user as name, ${may('$1')} as may,
        ${boundless} or ${owns} or pg_has_role('foyer_app', 'member') as reads`,
      [needs],
    )
    const login = rows[0]
    const instead = `Put a login into ${setting} that has only the rights of ${role} (create role … login in role ${role}).`
    if (login?.reads)
      throw new CannotStart(`The login ${login.name} of ${setting} may read the tables of customers. ${instead}`)
    if (!login?.may)
      throw new CannotStart(
        `The login ${login?.name} of ${setting} may not call the functions that it needs. ${instead}`,
      )
  } finally {
    await client.end()
  }
}
