// Making the demo: the operator's groups, properties, people, systems and vouchers, each by the call that makes it.
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import sharp from 'sharp'
import * as keyCalls from '#contract/api-keys.ts'
import * as auth from '#contract/auth.ts'
import * as collectionCalls from '#contract/collections.ts'
import * as customPortalCalls from '#contract/custom-portals.ts'
import * as groupCalls from '#contract/groups.ts'
import * as packageCalls from '#contract/packages.ts'
import * as footerCalls from '#contract/portal-footers.ts'
import * as portalCalls from '#contract/portals.ts'
import * as propertyCalls from '#contract/properties.ts'
import * as interfaceCalls from '#contract/property-interfaces.ts'
import * as teamCalls from '#contract/teams.ts'
import * as userCalls from '#contract/users.ts'
import * as batchCalls from '#contract/voucher-batches.ts'
import { callerOfJob } from '#server/access/principal.ts'
import { mails } from '#server/deliveries/mails.ts'
import { samplePortal } from '#server/files/portal-zips/sample.ts'
import type { Services } from '#server/services.ts'
import { aFile } from '#test/uploads.ts'
import { asPerson, type Call, type Person } from './calls.ts'
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
  teams,
} from './operator.ts'
import { customPortal, portals } from './portals.ts'

const userTypes = { viewer: 1, editor: 2, 'front desk': 3 }
const newPassword = () => randomBytes(12).toString('base64url')
const newSigningSecret = () => `whsec_${randomBytes(24).toString('base64')}`
/** Among the types of property interfaces. */
const webhook = 5

const drawn = async (name: string, drawing: string) => aFile(name, await sharp(Buffer.from(drawing)).png().toBuffer())

interface Tools {
  call: Call
  /** A connection of the database's owner. */
  owner: Client
}
/** The tools, and the person who makes it all. */
export interface Making extends Tools {
  nora: Person
}
/** What has been made, each in the order of its list. */
export interface Made {
  group_ids: number[]
  package_ids: number[]
  property_ids: number[]
}
export interface Login {
  name: string
  email: string
  password: string
  context: string
}

export async function signUp({ call }: Tools): Promise<{ nora: Person; login: Login }> {
  const password = newPassword()
  const signedUp = (await call(auth.signup, { ...operator, password })).data
  if ('challenge' in signedUp) throw new Error(`${operator.email} has a second factor`)
  return { nora: asPerson(signedUp), login: { ...operator, password, context: 'customer' } }
}

export async function makePlaces(making: Making): Promise<Made> {
  const { call, owner, nora } = making
  const group_ids: number[] = []
  for (const group of groups) group_ids.push((await call(groupCalls.create, group, nora)).data.id)
  const package_ids: number[] = []
  for (const each of packages) package_ids.push((await call(packageCalls.create, each, nora)).data.id)
  const portal_ids = await makePortals(making, group_ids)
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
  return { group_ids, package_ids, property_ids }
}

async function makePortals(making: Making, owners: number[]): Promise<number[]> {
  const { call, nora } = making
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
      nora,
    )
    ids.push(made.data.id)
  }
  await makeCustomPortal(making, owners[0] ?? null)
  return ids
}

/** A custom portal with the pages of the sample zip. */
async function makeCustomPortal({ call, nora }: Making, group_id: number | null) {
  const { auth_method_ids, name, words } = customPortal
  const asked = { name, auth_method_ids: [...auth_method_ids], portal: aFile('portal.zip', await samplePortal()) }
  const { data } = await call(customPortalCalls.createCustom, asked, nora)
  await call(portalCalls.update, { ...words, id: data.id, group_id }, nora)
}

export async function inviteColleagues(
  { call, owner, nora, services }: Making & { services: Services },
  { group_ids, property_ids }: Made,
) {
  const logins: Login[] = []
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
    const { rows } = await owner.query<{ id: number }>(
      'select id::float8 from outbox_mails where recipient_email = $1',
      [email],
    )
    const invitation = await services.tenancy.enter(callerOfJob(nora.customer_id, 'demo'), 'read', async (scope) => {
      const mail = await mails.read(scope, rows[0]?.id ?? 0)
      return mail && mails.opened(scope, mail)
    })
    const token = /token=([\w-]+)/.exec(invitation?.text ?? '')?.[1] ?? ''
    const accepted = { password: newPassword() }
    const { data } = await call(auth.acceptInvitation, { token, ...accepted })
    if ('challenge' in data) throw new Error('nobody has a second factor yet')
    logins.push({ name, email, password: accepted.password, context: data.user.owner_type.toLowerCase() })
    user_ids.push(data.user.id)
  }
  return { user_ids, logins }
}

export async function gatherTeams({ call, nora }: Making, { group_ids, property_ids }: Made, user_ids: number[]) {
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
}

/** The one that stands at `office_port` of this machine, too. */
export async function linkSystems({ call, nora }: Making, made: Made, office_port: number) {
  for (const { type: property_interface_type_id, ...one } of interfaces) {
    const { place, group, package: pack, ...rest } = { place: undefined, group: undefined, package: undefined, ...one }
    const settings = property_interface_type_id === webhook ? { settings: { signing_secret: newSigningSecret() } } : {}
    await call(
      interfaceCalls.create,
      {
        ...rest,
        ...(rest.host === '127.0.0.1' && { port: office_port }),
        ...ownerOf({ place, group, pack }, made, nora),
        property_interface_type_id,
        password: newPassword(),
        ...settings,
      },
      nora,
    )
  }
}

function ownerOf(
  { place, group, pack }: { place?: number; group?: number; pack?: number },
  { property_ids, group_ids, package_ids }: Made,
  nora: Person,
) {
  if (place !== undefined) return { owner_type: 'Property' as const, owner_id: property_ids[place] ?? null }
  if (group !== undefined) return { owner_type: 'Group' as const, owner_id: group_ids[group] ?? null }
  if (pack !== undefined) return { owner_type: 'Package' as const, owner_id: package_ids[pack] ?? null }
  return { owner_type: 'Customer' as const, owner_id: nora.customer_id }
}

export async function makeKeys({ call, nora }: Making, { group_ids, property_ids }: Made) {
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
  return tokens
}

export async function makeFooter({ call, nora }: Making) {
  const image = await drawn('harbour-and-vale.png', footer.drawing)
  await call(footerCalls.create, { image, url: footer.url }, nora)
}

export async function printVouchers(making: Making, { property_ids, group_ids, package_ids }: Made) {
  const { call, nora } = making
  for (const batch of batches) {
    const where = 'place' in batch ? { property_id: property_ids[batch.place] } : { group_id: group_ids[batch.group] }
    const expires_at = 'expired' in batch ? new Date(Date.now() + 3_600_000).toISOString() : null
    const { data } = await call(
      batchCalls.create,
      { ...where, package_id: package_ids[batch.package] ?? 0, quantity: batch.quantity, expires_at },
      nora,
    )
    await spendVouchers(making, { batch_id: data.id, share: batch.used, expired: expires_at !== null })
  }
}

/** Marks a share of a batch as used over the last weeks, each code for as long as its package lasts. */
async function spendVouchers(
  { owner }: Making,
  { batch_id, share, expired }: { batch_id: number; share: number; expired: boolean },
) {
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
