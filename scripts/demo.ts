// Demo: fills an empty installation with a believable operator, and prints the logins; in an installation that it has filled already,
// it brings the dates up to today and prints them again.
//
// What a user would do goes through the API, as that user; the history of a year of business is written directly.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Input, Endpoint, Reply } from '#contract/endpoint.ts'
import { pathFields } from '#contract/endpoint.ts'
import sharp from 'sharp'
import * as keyCalls from '#contract/api-keys.ts'
import * as batchCalls from '#contract/voucher-batches.ts'
import * as collectionCalls from '#contract/collections.ts'
import * as groupCalls from '#contract/groups.ts'
import * as packageCalls from '#contract/packages.ts'
import * as customPortalCalls from '#contract/custom-portals.ts'
import * as portalCalls from '#contract/portals.ts'
import * as propertyCalls from '#contract/properties.ts'
import * as scheduledCalls from '#contract/scheduled-reports.ts'
import * as footerCalls from '#contract/portal-footers.ts'
import * as interfaceCalls from '#contract/property-interfaces.ts'
import * as auth from '#contract/auth.ts'
import * as teamCalls from '#contract/teams.ts'
import * as userCalls from '#contract/users.ts'
import { isEmpty } from '#server/api/web-app.ts'
import { inventedPeople } from '#server/resources/invented-people.ts'
import { openNode } from '#server/node.ts'
import { samplePortal } from '#server/files/portal-zips/sample.ts'
import { freePort } from '#server/start/free-port.ts'
import { CannotStart } from '#server/start/cannot-start.ts'
import { readConfig } from '#server/start/config.ts'
import { connect, isOneLogin } from '#server/db/logins.ts'
import { queues } from '#server/apps/jobs.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import {
  batches,
  collections,
  colleagues,
  footer,
  groups,
  interfaces,
  keys,
  operator,
  packages,
  places,
  reports,
  teams,
} from '#scripts/demo/operator.ts'
import { linkFrontOffice } from '#scripts/demo/front-office.ts'
import { customPortal, portals } from '#scripts/demo/portals.ts'
import { simulatedSites } from '#scripts/demo/sites.ts'
import { readDemo, writeDemo, type Demo } from '#scripts/simulation/demo-file.ts'
import { aFile, bytesOf, formOf } from '#test/uploads.ts'

const people_count = 1500
/** Fewer are filled sooner. */
const days_lived = Number(process.env['DEMO_DAYS'] ?? 90)
const userTypes = { viewer: 1, editor: 2, 'front desk': 3 }
const newPassword = () => randomBytes(12).toString('base64url')
const newSigningSecret = () => `whsec_${randomBytes(24).toString('base64')}`
/** Among the types of property interfaces. */
const webhook = 5

interface Person {
  token: string
  context: string
  customer_id: number
}

const drawn = async (name: string, drawing: string) => aFile(name, await sharp(Buffer.from(drawing)).png().toBuffer())

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
  const { ownerUrl, stop } = await openDatabase(config, { log: console.log })
  await using opened = new AsyncDisposableStack()
  opened.defer(stop)
  if (ownerUrl === null) return
  await migrate(ownerUrl, queues)
  const owner = await connect(ownerUrl)
  opened.defer(() => owner.end())
  const text = fs.readFileSync(path.join(import.meta.dirname, 'demo/again.sql'), 'utf8')
  const days = Math.max(0, Math.round((Date.parse(day) - Date.parse(lived_until)) / 86_400_000))
  await owner.query(
    `begin; ${text.replaceAll('$customer', String(customer_id)).replaceAll('$days', String(days))} commit`,
  )
  writeDemo(config.data_dir, { ...demo, customer_id, lived_until: day })
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

  async function call<E extends Endpoint>(endpoint: E, ask: Input<E>, who?: Person): Promise<Reply<E>> {
    const body = ask as Record<string, unknown>
    const url = pathFields(endpoint.path).reduce(
      (text, name) => text.replace(`{${name}}`, String(body[name])),
      endpoint.path,
    )
    const form = endpoint.takes === 'multipart' ? await bytesOf(formOf(body)) : null
    const headers = {
      'content-type': form?.type ?? 'application/json',
      ...(who ? { authorization: `Bearer ${who.token}`, 'app-context': who.context } : {}),
    }
    const response = await app.inject({
      method: endpoint.method,
      url: `/api/v1${url}`,
      headers,
      payload: form?.bytes ?? JSON.stringify(body),
    })
    if (response.statusCode >= 300)
      throw new Error(`${endpoint.path} answered ${response.statusCode}: ${response.body}`)
    return response.json()
  }
  const asPerson = ({ access_token, user }: Reply<typeof auth.secondFactor>['data']): Person => ({
    token: access_token,
    context: user.owner_type.toLowerCase(),
    customer_id: user.customer.id,
  })
  const logins: { name: string; email: string; password: string; context: string }[] = []

  console.log('Signing the operator up')
  const password = newPassword()
  const signedUp = (await call(auth.signup, { ...operator, password })).data
  if ('challenge' in signedUp) throw new Error(`${operator.email} has a second factor`)
  const nora = asPerson(signedUp)
  logins.push({ ...operator, password, context: 'customer' })

  console.log('Making groups, packages and properties')
  const group_ids: number[] = []
  for (const group of groups) group_ids.push((await call(groupCalls.create, group, nora)).data.id)
  const package_ids: number[] = []
  for (const each of packages) package_ids.push((await call(packageCalls.create, each, nora)).data.id)
  const portal_ids = await makePortals(nora, group_ids)
  const { rows: countries } = await owner.query<{ id: number; code: string }>('select id, code from countries')
  const property_ids: number[] = []
  for (const { group, type, link, units, country = 'GB', draft = false, active = true, ...place } of places) {
    const student = type === 4
    const property = await call(
      propertyCalls.create,
      {
        ...place,
        email: `desk.${place.city.toLowerCase().replace(/[^a-z]+/g, '')}@harbourvale.example`,
        external_reference: `HV-${100 + property_ids.length}`,
        country_id: countries.find(({ code }) => code === country)?.id ?? null,
        group_id: group_ids[group] ?? null,
        property_type_id: type,
        connectivity_type_id: link,
        portal_id: draft ? null : (portal_ids[group] ?? null),
        network_name: draft ? null : `${portals[group]?.name} Guest`,
        package_id: package_ids[student ? 2 : type === 6 ? 4 : type === 7 ? 5 : 0] ?? null,
        total_units: units,
        rate_per_unit: student ? 7.5 : 4.2,
        minimum_billable_percentage: student ? 90 : 60,
        holiday_billable_percentage: student ? 25 : 100,
        draft,
        active,
      },
      nora,
    )
    property_ids.push(property.data.id)
  }

  console.log('Inviting colleagues')
  const user_ids: number[] = []
  for (const colleague of colleagues) {
    const place =
      'group' in colleague
        ? { owner_type: 'Group' as const, owner_id: group_ids[colleague.group] }
        : 'place' in colleague
          ? { owner_type: 'Property' as const, owner_id: property_ids[colleague.place] }
          : {}
    const { name, email } = colleague
    await call(userCalls.invite, { name, email, user_type_id: userTypes[colleague.may], ...place }, nora)
    const { rows } = await owner.query<{ text: string }>('select text from outbox_mails where recipient_email = $1', [
      email,
    ])
    const token = /token=([\w-]+)/.exec(rows[0]?.text ?? '')?.[1] ?? ''
    const accepted = { password: newPassword() }
    const { data } = await call(auth.acceptInvitation, { token, ...accepted })
    if ('challenge' in data) throw new Error('nobody has a second factor yet')
    logins.push({ name, email, password: accepted.password, context: data.user.owner_type.toLowerCase() })
    user_ids.push(data.user.id)
  }

  console.log('Gathering collections and teams')
  const idsOf = (all: readonly number[], which: readonly number[]) => which.flatMap((index) => all[index] ?? [])
  for (const { name, places: included, people: team, ...rest } of collections) {
    const group_id = 'group' in rest ? (group_ids[rest.group] ?? null) : null
    const members = { property_ids: idsOf(property_ids, included), user_ids: idsOf(user_ids, team) }
    await call(collectionCalls.create, { name, group_id, ...members }, nora)
  }
  for (const { name, user_type_id, people: members, ...rest } of teams) {
    const place = 'group' in rest ? { owner_type: 'Group' as const, owner_id: group_ids[rest.group] } : {}
    await call(teamCalls.create, { name, user_type_id, user_ids: idsOf(user_ids, members), ...place }, nora)
  }
  // No mails must be sent for an invented operator.
  await owner.query("update outbox_mails set sent_at = now(), text = '(sent)'")
  await owner.query('delete from pgboss.job')

  console.log('Linking front offices, and making keys and a footer')
  const office_port = await freePort(1)
  for (const { type: property_interface_type_id, ...one } of interfaces) {
    const { place, group, package: pack, ...rest } = { place: undefined, group: undefined, package: undefined, ...one }
    const settings = property_interface_type_id === webhook ? { settings: { signing_secret: newSigningSecret() } } : {}
    await call(
      interfaceCalls.create,
      {
        ...rest,
        ...(rest.host === '127.0.0.1' && { port: office_port }),
        ...ownerOf({ place, group, pack }),
        property_interface_type_id,
        password: newPassword(),
        ...settings,
      },
      nora,
    )
  }
  const tokens: { name: string; token: string }[] = []
  for (const { name, permissions, ...of } of keys) {
    const key = { name, permissions: [...permissions] }
    const made =
      'group' in of
        ? await call(keyCalls.createForGroup, { ...key, group_id: group_ids[of.group] ?? 0 }, nora)
        : 'place' in of
          ? await call(keyCalls.createForProperty, { ...key, property_id: property_ids[of.place] ?? 0 }, nora)
          : await call(keyCalls.createForUser, key, nora)
    tokens.push({ name, token: made.data.token })
  }
  const image = await drawn('harbour-and-vale.png', footer.drawing)
  await call(footerCalls.create, { image, url: footer.url }, nora)

  console.log('Printing vouchers')
  for (const batch of batches) {
    const where = 'place' in batch ? { property_id: property_ids[batch.place] } : { group_id: group_ids[batch.group] }
    const expires_at = 'expired' in batch ? new Date(Date.now() + 3_600_000).toISOString() : null
    const { data } = await call(
      batchCalls.create,
      { ...where, package_id: package_ids[batch.package] ?? 0, quantity: batch.quantity, expires_at },
      nora,
    )
    await spendVouchers(data.id, batch.used, expires_at !== null)
  }

  console.log('Saving reports')
  for (const report of reports) await call(scheduledCalls.create, { ...report, start_date: today() }, nora)

  console.log(`Living through ${days_lived} days: rooms, guests, accounts, devices and sessions`)
  await owner.query('select invent_business($1, $2, $3)', [nora.customer_id, inventedPeople(people_count), days_lived])
  await owner.query('analyze')

  console.log('Linking a simulated front office')
  const front_office = await linkFrontOffice({
    owner,
    services,
    property_id: property_ids[0] ?? 0,
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
  const demo: Demo = { logins, keys: tokens, token: data.token, sites, front_office, ...kept }
  writeDemo(config.data_dir, demo)
  return demo

  function ownerOf({ place, group, pack }: { place?: number; group?: number; pack?: number }) {
    if (place !== undefined) return { owner_type: 'Property' as const, owner_id: property_ids[place] ?? null }
    if (group !== undefined) return { owner_type: 'Group' as const, owner_id: group_ids[group] ?? null }
    if (pack !== undefined) return { owner_type: 'Package' as const, owner_id: package_ids[pack] ?? null }
    return { owner_type: 'Customer' as const, owner_id: nora.customer_id }
  }

  async function makePortals(maker: Person, owners: number[]): Promise<number[]> {
    const ids: number[] = []
    for (const { drawing, auth_method_ids, ...look } of portals) {
      const { picture, ...rest } = { picture: undefined, ...look }
      const made = await call(
        portalCalls.create,
        {
          ...rest,
          company_name: look.name,
          group_id: owners[ids.length] ?? null,
          auth_method_ids: [...auth_method_ids],
          privacy_url: `https://www.harbourvale.example/${look.slug}/privacy`,
          logo: await drawn(`${look.slug}.png`, drawing),
          portal_image: picture && (await drawn(`${look.slug}-side.png`, picture)),
        },
        maker,
      )
      ids.push(made.data.id)
    }
    await makeCustomPortal(maker, owners[0] ?? null)
    return ids
  }

  /** A custom portal with the pages of the sample zip. */
  async function makeCustomPortal(maker: Person, group_id: number | null) {
    const { auth_method_ids, name, words } = customPortal
    const asked = { name, auth_method_ids: [...auth_method_ids], portal: aFile('portal.zip', await samplePortal()) }
    const { data } = await call(customPortalCalls.createCustom, asked, maker)
    await call(portalCalls.update, { ...words, id: data.id, group_id }, maker)
  }

  /** Marks a share of a batch as used over the last weeks, each code for as long as its package lasts. */
  async function spendVouchers(batch_id: number, share: number, expired: boolean) {
    await owner.query(
      `with used as (
         update vouchers v set redeemed_at = u.at, expires_at = u.at + make_interval(hours => u.hours),
           seconds_used = (random() * u.hours * 1800)::bigint, bytes_used = (power(random(), 3) * 3e9)::bigint
         from (
           select x.id, now() - power(random(), 2) * interval '45 days' as at, greatest(x.session_time_hrs, 24)::integer as hours
           from (select v.id, p.session_time_hrs, row_number() over (order by v.id) as place, b.quantity
                 from vouchers v join voucher_batches b on b.customer_id = v.customer_id and b.id = v.voucher_batch_id
                 join packages p on p.customer_id = b.customer_id and p.id = b.package_id where b.id = $1) x
           where x.place <= x.quantity * $2::numeric
         ) u where v.id = u.id returning 1)
       update voucher_batches set redeemed = (select count(*) from used),
         created_at = now() - interval '52 days' + id * interval '11 hours',
         valid_from = null, expires_at = case when $3 then now() - interval '9 days' else expires_at end where id = $1`,
      [batch_id, share, expired],
    )
  }
}
