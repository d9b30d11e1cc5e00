// Portal record: what all changes of portals share: the entity, what a portal must have, and its versions.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as contract from '#contract/portals.ts'
import type { Output } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { plain } from '#contract/plain-text.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { setPropertiesBy } from '#server/resources/properties/named-properties.ts'
import { pictureOf, pictureUrlOf } from './pictures.ts'

export type Portal = Output<typeof contract.get>

/** What a version keeps, besides pictures and pages: how the portal looks, its texts, and the sign-in methods that it offers. */
const designFields = [
  'company_name',
  'portal_layout_id',
  'portal_font_id',
  'auth_method_ids',
  'custom_portal_url',
  'portal_footer',
  'redirect_url',
  'headline',
  'headlines',
  'headline_text_colour',
  'background_colour',
  'button_fill_colour',
  'button_text_colour',
  'body_text_colour',
  'input_outline_colour',
  'form_container_colour',
  'form_field_colour',
  'terms',
  'privacy_url',
  'marketing_text',
] as const satisfies (keyof Portal)[]
export type Design = Pick<Portal, (typeof designFields)[number]>
/** The pictures and the zip that a portal shows. */
export interface Shown {
  logo_file_id: number | null
  portal_image_file_id: number | null
  zip_number: number | null
}

const shownAt = (scope: Scope) => sql`
  properties as r where r.customer_id = t.customer_id and r.portal_id = t.id and ${scope.inReach('properties', 'r')}`

/** `The Lantern, Bath` → `the-lantern-bath`. A name without ASCII letters or digits gets a random slug. */
export function slugOf(name: string): string {
  const slug = plain(name)
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, 60)
  return slug.replace(/^-+|-+$/g, '') || `portal-${randomBytes(3).toString('hex')}`
}

/** A slug of the name that no portal of the customer has. The lock keeps others from choosing it before it is written. */
export async function freeSlugOf(scope: Scope, name: string): Promise<string> {
  const slug = slugOf(name)
  const lock = `portal slug ${scope.customer_id} ${slug}`
  await scope.run(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const [taken] = await scope.run(sql`
    select from portals as t where lower(t.slug) = ${slug} and ${scope.inReach('portals', 't')}`)
  return taken ? `${slug.slice(0, 53)}-${randomBytes(3).toString('hex')}` : slug
}

/** What a portal must have depends on its type. */
export function refuseIncomplete({ draft, portal_type_id, is_custom, logo, custom_portal_url }: Portal) {
  const { standard, custom, external } = contract.portalTypes
  if (portal_type_id === custom && !is_custom)
    throw invalid({ portal_type_id: ['A custom portal is made by importing its zip.'] })
  if (draft) return
  if (portal_type_id === standard && logo === null) throw invalid({ logo: [messages.fields.required] })
  if (portal_type_id === external && custom_portal_url === null)
    throw invalid({ custom_portal_url: [messages.fields.required] })
}

/** Adds the present design as a version, unless it equals the newest one. The caller has locked the portal. */
async function keepVersion(scope: Scope, portal: Portal) {
  const design = JSON.stringify(designOf(portal))
  const [now] = await scope.run(sql<Shown & { number: number; same: boolean }>`
    select t.logo_file_id, t.portal_image_file_id, t.zip_number, coalesce(v.number, 0) as number,
      coalesce(v.design = ${design}::jsonb and v.logo_file_id is not distinct from t.logo_file_id
        and v.portal_image_file_id is not distinct from t.portal_image_file_id
        and v.zip_number is not distinct from t.zip_number, false) as same
    from portals as t left join lateral (
      select * from portal_versions as v where v.customer_id = t.customer_id and v.portal_id = t.id
      order by v.number desc limit 1) as v on true
    where t.id = ${portal.id} and ${scope.inReach('portals', 't')}`)
  if (!now || now.same) return
  const { same: _, number, ...shown } = now
  await scope.insert('portal_versions', {
    ...shown,
    portal_id: portal.id,
    number: number + 1,
    design,
    saved_by: scope.principal.name,
  })
}

export const designOf = (portal: Portal) =>
  Object.fromEntries(designFields.map((field) => [field, portal[field]])) as Design

/** Guests agreed to one wording of the terms, so a changed wording gets a new number. */
export const termsVersion = ({ terms, terms_version }: Pick<Portal, 'terms' | 'terms_version'>, now?: string | null) =>
  now != null && now !== terms ? { terms_version: terms_version + 1 } : {}

/** After a change: refuses an incomplete portal, and adds its design to the versions. */
export async function versioned(scope: Scope, portal: Portal): Promise<Portal> {
  refuseIncomplete(portal)
  await keepVersion(scope, portal)
  return portal
}

/** The rows of the files that a portal shows. Files never change, so several portals may refer to one. */
export async function shownBy(scope: Scope, id: number): Promise<Shown> {
  const [shown] = await scope.run(sql<Shown>`
    select t.logo_file_id, t.portal_image_file_id, t.zip_number from portals as t
    where t.id = ${id} and ${scope.inReach('portals', 't')}`)
  return shown ?? { logo_file_id: null, portal_image_file_id: null, zip_number: null }
}

/** @param portal_url the base URL of guests' pages. */
export const portalEntity = (portal_url: string) =>
  entity({
    table: 'portals',
    row: contract.PortalRow,
    detail: contract.Portal,
    computed: {
      group: nameOf('groups', 'group_id'),
      logo: pictureOf('logo_file_id'),
      logo_preview_url: pictureUrlOf('logo_file_id', portal_url),
      portal_image: pictureOf('portal_image_file_id'),
      side_image_preview_url: pictureUrlOf('portal_image_file_id', portal_url),
      url: sql`${`${portal_url}/p/`}::text || t.public_id`,
      number_of_properties: (scope) => sql`(select count(*)::integer from ${shownAt(scope)})`,
      property_ids: (scope) => sql`(select coalesce(json_agg(r.id order by r.id), '[]') from ${shownAt(scope)})`,
    },
    written: { property_ids: setPropertiesBy('portal_id') },
    restrict: [
      { table: 'properties', column: 'portal_id', noun: 'properties' },
      { table: 'groups', column: 'portal_id', noun: 'groups' },
    ],
  })
