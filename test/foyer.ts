// Foyer: the whole app on a database of its own, and the people and records that tests ask for by name.
//
// Tests use it like real callers: every request passes through the whole app, and answers are checked against the contract.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { refusalsOf } from '#server/api/openapi-refusals.ts'
import { readConfig } from '#server/start/config.ts'
import { openNode, type NodeOptions } from '#server/node.ts'
import { openLog } from '#server/watch/log.ts'
import type { TenancyOptions } from '#server/access/tenancy.ts'
import type { Input, Endpoint, Reply } from '#contract/endpoint.ts'
import { pathFields } from '#contract/endpoint.ts'
import * as accounts from '#contract/accounts.ts'
import * as apiKeys from '#contract/api-keys.ts'
import * as collections from '#contract/collections.ts'
import * as devices from '#contract/devices.ts'
import * as gateways from '#contract/gateways.ts'
import * as groups from '#contract/groups.ts'
import * as packages from '#contract/packages.ts'
import * as portals from '#contract/portals.ts'
import * as properties from '#contract/properties.ts'
import * as propertyInterfaces from '#contract/property-interfaces.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import * as auth from '#contract/auth.ts'
import * as teams from '#contract/teams.ts'
import * as users from '#contract/users.ts'
import * as voucherBatches from '#contract/voucher-batches.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { aPicture } from '#test/pictures.ts'
import { bytesOf, formOf } from '#test/uploads.ts'
import { opened, waiting, type Waiting } from '#test/waiting-messages.ts'

export interface Person {
  token: string
  context: string
  user: Entered['user']
}
/** The caller: a person, or a program with a key. */
export type Asker = Pick<Person, 'token' | 'context'>
export interface Answer<E> {
  status: number
  body: Reply<E>
  headers: Record<string, unknown>
  text: string
}

type KeyValues = Partial<Input<typeof apiKeys.createForUser>> & { group_id?: number; property_id?: number }

export const password = 'a long enough password'
let serial = 0
/** A new name each time, so that tests do not share records. */
export const unique = (word: string) => `${word} ${++serial} ${process.pid}`
/** The date some days from now, by UTC. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
/** A new one each time. */
export const aDay = () => new Date(Date.UTC(2027, 0, ++serial)).toISOString().slice(0, 10)
/** A new one each time. */
export const aMacAddress = () =>
  `00:00:5e:${(++serial)
    .toString(16)
    .padStart(6, '0')
    .replace(/(..)(..)(..)/, '$1:$2:$3')}`
const address = () => `person${++serial}.${process.pid}@example.com`

/** Long, since the machine may be busy; tests of a database that does not answer set their own. */
export const patient: TenancyOptions = { connect_timeout_ms: 120_000, statement_timeout_ms: 120_000 }

type Entered = Reply<typeof auth.switchUser>['data']
/** The answer of a log-in without a second factor. */
export function entered(data: Entered | { challenge: string }): Entered {
  if ('challenge' in data) throw new Error('a second factor is asked')
  return data
}

export type TestFoyer = Awaited<ReturnType<typeof openFoyer>>

interface FoyerOptions
  extends Pick<NodeOptions, 'tenancy' | 'stall_max_ms' | 'log'>, Partial<Pick<NodeOptions, 'webRoot'>> {
  env?: Record<string, string>
  /** An existing database; a new one if it is not given. */
  database?: TestDatabase
}

export async function openFoyer({ env, tenancy, database: given, ...options }: FoyerOptions = {}) {
  const database = given ?? (await freshDatabase())
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foyer-test-'))
  const storage = path.join(folder, 'files')
  fs.mkdirSync(storage)
  const places = {
    PUBLIC_URL: 'http://foyer.test',
    DATA_DIR: folder,
    STORAGE_URL: pathToFileURL(storage).href,
  }
  // What is wrong on our side is not answered, so that a call that fails takes its reason from here.
  const faults: string[] = []
  const faultLog = openLog({ format: 'json', level: 'error' }, { write: (line) => void (faults[0] = line) })
  // The machine that runs tests may have a nearly full disk.
  const config = readConfig({ ROLES: 'api', SIGNUP: 'open', DISK_RESERVE_MB: '0', ...places, ...env })
  const node = await openNode({
    config,
    ...database,
    webRoot: null,
    checkAnswers: true,
    tenancy: { ...patient, ...tenancy },
    log: faultLog,
    ...options,
    turn_wait_max_ms: patient.statement_timeout_ms,
  })

  // Kept: a new connection costs more than most queries.
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 4, idleTimeoutMillis: 0 })
  // The next query takes another connection.
  admin.on('error', () => {})

  const { app } = node
  /** Sends `ask` unchecked, however wrong it is: sweeps need that. */
  async function send(
    endpoint: Endpoint,
    ask: Record<string, unknown>,
    who?: Asker | null,
    headers: Record<string, string> = {},
  ) {
    const inPath = pathFields(endpoint.path)
    const rest = Object.fromEntries(Object.entries(ask).filter(([name]) => !inPath.includes(name)))
    const url = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ask[name])))
    const form = endpoint.takes === 'multipart' ? await bytesOf(formOf(rest)) : null
    const query = endpoint.method === 'GET' ? `?${new URLSearchParams(rest as Record<string, string>)}` : ''
    const response = await app.inject({
      method: endpoint.method,
      url: `/api/v1${url}${query}`,
      headers: {
        ...(endpoint.method === 'POST' ? { 'content-type': form?.type ?? 'application/json' } : {}),
        ...(who ? { authorization: `Bearer ${who.token}`, 'app-context': who.context } : {}),
        ...headers,
      },
      ...(endpoint.method === 'POST' ? { payload: form?.bytes ?? JSON.stringify(rest) } : {}),
    })
    expectDocumented(endpoint, response.statusCode)
    return { status: response.statusCode, text: response.body, headers: response.headers, body: parsed(response) }
  }

  const ask = async <E extends Endpoint>(
    endpoint: E,
    body: Input<E>,
    who?: Asker | null,
    headers?: Record<string, string>,
  ) => (await send(endpoint, body as Record<string, unknown>, who, headers)) as Answer<E>

  /** The complete file of a download. */
  async function file<E extends Endpoint>(endpoint: E, body: Input<E>, who: Asker) {
    const response = await app.inject({
      method: 'POST',
      url: `/api/v1${endpoint.path}`,
      headers: { authorization: `Bearer ${who.token}`, 'app-context': who.context },
      payload: body as object,
    })
    if (response.statusCode !== 200)
      throw new Error(`${endpoint.path} answered ${response.statusCode}: ${response.body}`)
    return { headers: response.headers, bytes: response.rawPayload, text: response.body }
  }

  /** Calls, and throws unless it succeeds. */
  async function get<E extends Endpoint>(endpoint: E, body: Input<E>, who?: Asker | null): Promise<Reply<E>> {
    const answer = await ask(endpoint, body, who)
    if (answer.status < 300) return answer.body
    const cause = answer.status < 500 ? {} : { cause: faults[0] }
    throw new Error(`${endpoint.path} answered ${answer.status}: ${answer.text}`, cause)
  }

  function signedIn(answered: Entered | { challenge: string }): Person {
    const data = entered(answered)
    return { token: data.access_token, context: data.user.owner_type.toLowerCase(), user: data.user }
  }

  /** Directly from the database. */
  async function query<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    return (await admin.query<R>(text, values)).rows
  }

  /** The text of the newest mail to an address. */
  async function mailTo(email: string): Promise<string> {
    const newest = `select ${waiting.outbox_mails} from outbox_mails where recipient_email = $1 order by id desc limit 1`
    const [mail] = opened('outbox_mails', await query<Waiting>(newest, [email]), database.secretKey)
    return mail?.text ?? ''
  }
  const tokenIn = (mail: string) => /token=([\w-]+)/.exec(mail)?.[1] ?? ''

  /** An editor of a new customer, whose address is not confirmed yet. */
  async function signedUp(): Promise<Person> {
    const person = { company_name: unique('Operator'), name: unique('Editor'), email: address(), password }
    return signedIn((await get(auth.signup, person)).data)
  }

  /** An editor of a new customer. */
  async function customer(): Promise<Person> {
    const person = await signedUp()
    const { email, customer } = person.user
    const confirmed = `with login as (update logins set confirmed_at = now() where email = $1)
      update customers set confirmed_at = now() where id = $2`
    await query(confirmed, [email, customer.id])
    return { ...person, user: { ...person.user, mails_wait: false } }
  }

  /** Somebody invited by `inviter` who has accepted. User type 1 is a viewer, 2 an editor. */
  async function invited(inviter: Person, invitation: Partial<Input<typeof users.invite>> = {}): Promise<Person> {
    const email = address()
    await get(users.invite, { name: unique('Colleague'), user_type_id: 2, ...invitation, email }, inviter)
    const token = tokenIn(await mailTo(email))
    return signedIn((await get(auth.acceptInvitation, { token, password }, null)).data)
  }

  /** One room, in a new property if none is given. */
  async function room(who: Person, values: Partial<Omit<Input<typeof rooms.create>, 'numbers'>> = {}) {
    const property_id = values.property_id ?? (await get(properties.create, aProperty(), who)).data.id
    const { data } = await get(rooms.create, { number: unique('Room'), ...values, property_id }, who)
    if (!('number' in data)) throw new Error('one room was asked for')
    return data
  }

  return {
    app,
    /** The guests' pages, if `env` has the role. */
    guest: node.guest,
    /** Opened if `env` has the role; the test itself calls `listen`. */
    radius: node.radius,
    database,
    services: node.services,
    data_dir: folder,
    /** The folder of the customers' files. */
    storage,
    send,
    ask,
    get,
    file,
    query,
    mailTo,
    tokenIn,
    signedIn,
    signedUp,
    customer,
    invited,
    viewer: (inviter: Person, invitation: Partial<Input<typeof users.invite>> = {}) =>
      invited(inviter, { ...invitation, user_type_id: 1 }),
    group: async (who: Person, values: Partial<Input<typeof groups.create>> = {}) =>
      (await get(groups.create, { name: unique('Group'), ...values }, who)).data,
    collection: async (who: Person, values: Partial<Input<typeof collections.create>> = {}) =>
      (await get(collections.create, { name: unique('Collection'), ...values }, who)).data,
    team: async (who: Person, values: Partial<Input<typeof teams.create>> = {}) =>
      (await get(teams.create, { name: unique('Team'), ...values }, who)).data,
    package: async (who: Person, values: Partial<Input<typeof packages.create>> = {}) =>
      (await get(packages.create, { name: unique('Package'), ...values }, who)).data,
    portal: async (who: Person, values: Partial<Input<typeof portals.create>> = {}) =>
      (await get(portals.create, { name: unique('Portal'), auth_method_ids: [2], logo: aPicture(), ...values }, who))
        .data,
    property: async (who: Person, values: Partial<Input<typeof properties.create>> = {}) =>
      (await get(properties.create, { ...aProperty(), ...values }, who)).data,
    account: async (who: Person, values: Partial<Input<typeof accounts.create>> = {}) => {
      const property_id = values.property_id ?? (await get(properties.create, aProperty(), who)).data.id
      return (await get(accounts.create, { name: unique('Guest'), ...values, property_id }, who)).data
    },
    room,
    /** Rooms of these numbers; answers their ids in the order of the numbers. */
    async rooms(who: Person, property_id: number, numbers: string[]) {
      const { data } = await get(rooms.create, { property_id, numbers }, who)
      return 'ids' in data ? data.ids : []
    },
    roomGuest: async (who: Person, values: Partial<Input<typeof roomGuests.create>> = {}) => {
      const room_id = values.room_id ?? (await room(who)).id
      return (await get(roomGuests.create, { last_name: unique('Guest'), ...values, room_id }, who)).data
    },
    device: async (who: Person, values: Partial<Input<typeof devices.create>> = {}) => {
      const property_id = values.property_id ?? (await get(properties.create, aProperty(), who)).data.id
      const values_of_its_own = { name: unique('Device'), mac_address: aMacAddress() }
      return (await get(devices.create, { ...values_of_its_own, ...values, property_id }, who)).data
    },
    gateway: async (who: Person, values: Partial<Input<typeof gateways.create>> = {}) => {
      const property_id = values.property_id ?? (await get(properties.create, aProperty(), who)).data.id
      return (await get(gateways.create, { gateway_type_id: 1, ...values, property_id }, who)).data
    },
    /** Of the first type, FIAS; owned by the caller's owner unless given. */
    propertyInterface: async (who: Person, values: Partial<Input<typeof propertyInterfaces.create>> = {}) =>
      (await get(propertyInterfaces.create, { property_interface_type_id: 1, ...values }, who)).data,
    /** A key of `who`, or of the given group or property, and a program that uses it. */
    async apiKey(who: Person, values: KeyValues = {}) {
      const { group_id, property_id, ...rest } = values
      const asked = { name: unique('Key'), permissions: ['full'], ...rest }
      const { data } =
        group_id !== undefined
          ? await get(apiKeys.createForGroup, { ...asked, group_id }, who)
          : property_id !== undefined
            ? await get(apiKeys.createForProperty, { ...asked, property_id }, who)
            : await get(apiKeys.createForUser, asked, who)
      return { ...data, program: { token: data.token, context: '' } satisfies Asker }
    },
    /** Ten codes. Creates whatever it needs and is not given. */
    async voucherBatch(who: Person, values: Partial<Input<typeof voucherBatches.create>> = {}) {
      const package_id = values.package_id ?? (await get(packages.create, { name: unique('Package') }, who)).data.id
      const placed = values.property_id != null || values.group_id != null || who.context !== 'customer'
      const place = placed ? {} : { property_id: (await get(properties.create, aProperty(), who)).data.id }
      return (await get(voucherBatches.create, { quantity: 10, ...place, ...values, package_id }, who)).data
    },
    async close() {
      await node.close()
      await admin.end()
      await database.drop()
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

const parsed = ({ headers, body }: { headers: Record<string, unknown>; body: string }): unknown =>
  String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : null

/** Everything that a property needs to leave `draft`. */
export const aProperty = () => ({
  name: unique('Property'),
  address: '1 High Street',
  city: 'Bath',
  country_id: 1,
  property_type_id: 1,
  connectivity_type_id: 1,
})

/** OpenAPI names each refusal that a call may answer, except server errors. */
function expectDocumented(endpoint: Endpoint, status: number) {
  if (status < 400 || status === 500 || Object.hasOwn(refusalsOf(endpoint), status)) return
  throw new Error(`${endpoint.path} answered ${status}, which its description does not name`)
}
