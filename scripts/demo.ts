// Demo: fills an empty installation with a believable operator, and prints the logins; in an installation that it has filled already,
// it brings the dates up to today and prints them again.
//
// What a user would do goes through the API, as that user; the history of a year of business is written directly.
import fs from 'node:fs'
import path from 'node:path'
import type { Client } from 'pg'
import * as keyCalls from '#contract/api-keys.ts'
import * as scheduledCalls from '#contract/scheduled-reports.ts'
import { isEmpty } from '#server/api/web-app.ts'
import { inventedPeople } from '#server/resources/samples/invented-people.ts'
import { openNode } from '#server/node.ts'
import { freePort } from '#server/start/free-port.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { connect, isOneLogin } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { callsOf } from '#scripts/demo/calls.ts'
import { linkFrontOffice } from '#scripts/demo/front-office.ts'
import {
  gatherTeams,
  inviteColleagues,
  linkSystems,
  makeFooter,
  makeKeys,
  makePlaces,
  printVouchers,
  signUp,
} from '#scripts/demo/make.ts'
import { reports } from '#scripts/demo/operator.ts'
import { simulatedSites } from '#scripts/demo/sites.ts'
import { readDemo, writeDemo, type Demo } from '#scripts/simulation/demo-file.ts'

const people_count = 1500
/** Fewer are filled sooner. */
const days_lived = Number(process.env['DEMO_DAYS'] ?? 90)
// The simulated front office listens on this machine.
const ALLOWED_HOSTS = [process.env['ALLOWED_HOSTS'], '127.0.0.1'].filter(Boolean).join(',')
const config = readConfig({
  ...process.env,
  ROLES: 'api',
  SIGNUP: 'first',
  REQUESTS_PER_MINUTE: '100000',
  ALLOWED_HOSTS,
})
await using opened = new AsyncDisposableStack()
try {
  const existing = readDemo(config.data_dir)
  if (existing) await bringUpToDate(existing)
  printLogins(existing ?? (await fill()))
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof CannotStart ? error.message : error)
}

function printLogins({ logins, keys: tokens }: Demo) {
  console.log(`\nThe demo stands in ${config.data_dir}. Sign in as:\n`)
  for (const login of logins)
    console.log(`  ${login.context.padEnd(9)} ${login.email.padEnd(38)} ${login.password}   ${login.name}`)
  console.log('\nPrograms ask with these keys:\n')
  for (const { name, token } of tokens) console.log(`  ${name.padEnd(24)} ${token}`)
}

/** After a pause the stays would be over, and nobody would be online. */
async function bringUpToDate({ lived_until, customer_id, ...demo }: Demo) {
  const day = today()
  if (lived_until === undefined || customer_id === undefined) return
  const { ownerUrl, stop, ...database } = await openDatabase(config, { log: console.log })
  await using opened = new AsyncDisposableStack()
  opened.defer(stop)
  if (ownerUrl === null) return
  const owner = await connect(ownerUrl)
  opened.defer(() => owner.end())
  await refuseOther(owner, customer_id, demo.logins)
  await migrate(ownerUrl, queues, { one_login: isOneLogin(database) })
  const text = fs.readFileSync(path.join(import.meta.dirname, 'demo/again.sql'), 'utf8')
  const days = Math.max(0, Math.round((Date.parse(day) - Date.parse(lived_until)) / 86_400_000))
  await owner.query(
    `begin; ${text.replaceAll('$customer', String(customer_id)).replaceAll('$days', String(days))} commit`,
  )
  writeDemo(config.data_dir, { ...demo, customer_id, lived_until: day })
}

/** The settings may name another database than that which was filled from this folder: real guests would be moved there. */
async function refuseOther(owner: Client, customer_id: number, [login]: Demo['logins']) {
  const { rows: tables } = await owner.query<{ there: boolean }>(`select to_regclass('users') is not null as there`)
  const found = tables[0]?.there
    ? await owner.query('select from users where customer_id = $1 and email = $2', [customer_id, login?.email])
    : { rowCount: 0 }
  if (found.rowCount === 0)
    throw new CannotStart(
      `The demo of ${config.data_dir} is in another database than DATABASE_URL names. Set DATA_DIR to a new folder for another demo, ` +
        'or leave DATABASE_URL out.',
    )
}

function today() {
  return new Date().toISOString().slice(0, 10)
}

async function fill(): Promise<Demo> {
  const { ownerUrl, stop, ...database } = await openDatabase(config, { log: console.log })
  opened.defer(stop)
  if (ownerUrl === null)
    throw new CannotStart('The demo makes its own tables and writes into them: give it DATABASE_OWNER_URL, too.')
  await migrate(ownerUrl, queues, { one_login: isOneLogin(database) })
  const { app, services, close } = await openNode({ config, ...database, webRoot: null })
  opened.defer(close)
  if (!(await isEmpty(services.tenancy)))
    throw new CannotStart(
      `The demo needs an empty installation, and ${config.data_dir} is in use. ` +
        'Set DATA_DIR to a new folder, for example DATA_DIR=./demo npm run demo.',
    )
  const owner = await connect(ownerUrl)
  opened.defer(() => owner.end())

  const call = callsOf(app)
  console.log('Signing the operator up')
  const { nora, login } = await signUp({ call, owner })
  const making = { call, owner, nora }

  console.log('Making groups, packages and properties')
  const made = await makePlaces(making)

  console.log('Inviting colleagues')
  const { user_ids, logins } = await inviteColleagues({ ...making, services }, made)

  console.log('Gathering collections and teams')
  await gatherTeams(making, made, user_ids)
  // No mails must be sent for an invented operator.
  await owner.query("update outbox_mails set sent_at = now(), text = '(sent)', sealed_text = null")
  await owner.query('delete from pgboss.job')

  console.log('Linking front offices, and making keys and a footer')
  const office_port = await freePort(1)
  await linkSystems(making, made, office_port)
  const tokens = await makeKeys(making, made)
  await makeFooter(making)

  console.log('Printing vouchers')
  await printVouchers(making, made)

  console.log('Saving reports')
  for (const report of reports) await call(scheduledCalls.create, { ...report, start_date: today() }, nora)

  console.log(`Living through ${days_lived} days: rooms, guests, accounts, devices and sessions`)
  await owner.query('select invent_business($1, $2, $3)', [nora.customer_id, inventedPeople(people_count), days_lived])
  await owner.query('analyze')

  console.log('Linking a simulated front office')
  const front_office = await linkFrontOffice({
    owner,
    services,
    property_id: made.property_ids[0] ?? 0,
    port: office_port,
    call: (endpoint, ask) => call(endpoint, ask, nora),
  })

  console.log('Setting simulated gateways up')
  const sites = await simulatedSites({
    owner,
    customer_id: nora.customer_id,
    call: (endpoint, ask) => call(endpoint, ask, nora),
  })
  const key = { name: 'Simulated gateways', permissions: ['write:gateways' as const] }
  const { data } = await call(keyCalls.createForUser, key, nora)
  const kept = { lived_until: today(), customer_id: nora.customer_id }
  const demo: Demo = { logins: [login, ...logins], keys: tokens, token: data.token, sites, front_office, ...kept }
  writeDemo(config.data_dir, demo)
  return demo
}
