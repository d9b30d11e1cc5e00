// Portals: the pages that guests see before they go online, with their pictures and every design that was saved.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as contract from '#contract/portals.ts'
import type { Output } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { FileField } from '#contract/shapes.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid, notFound } from '#server/access/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import { keepFile, type StoredFile } from '#server/files/keep.ts'
import { setPropertiesBy } from '#server/resources/named-properties.ts'
import { pictureOf, pictureUrlOf, storePicture } from '#server/resources/pictures.ts'
import type { Services } from '#server/services.ts'

type Portal = Output<typeof contract.get>

/** Twice as wide as guests see them, for screens with fine pixels. */
const frames = {
  logo: { width_max: 800, height_max: 400 },
  portal_image: { width_max: 1600, height_max: 1600 },
} as const
type PictureField = keyof typeof frames

/** What a version keeps, besides the two pictures: how the portal looks, what it says, and which ways in it offers. */
const designFields = [
  'company_name',
  'portal_layout_id',
  'portal_font_id',
  'auth_method_ids',
  'custom_portal_url',
  'portal_footer',
  'redirect_url',
  'headline',
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
type Design = Pick<Portal, (typeof designFields)[number]>
interface Pictures {
  logo_file_id: number | null
  portal_image_file_id: number | null
}

const shownAt = (scope: Scope) => sql`
  properties as r where r.customer_id = t.customer_id and r.portal_id = t.id and ${scope.inReach('properties', 'r')}`

/** `The Lantern, Bath` → `the-lantern-bath`. A name without a letter or digit of ASCII gets a random one. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const slug = plain.replace(/[^a-z\d]+/g, '-').slice(0, 60)
  return slug.replace(/^-+|-+$/g, '') || `portal-${randomBytes(3).toString('hex')}`
}

/** What a portal needs hangs on what its page is made of. */
function refuseIncomplete({ draft, portal_type_id, is_custom, logo, custom_portal_url }: Portal) {
  const { standard, custom, external } = contract.portalTypes
  if (portal_type_id === custom && !is_custom)
    throw invalid({ portal_type_id: ['A custom portal is made by importing its zip.'] })
  if (draft) return
  if (portal_type_id === standard && logo === null) throw invalid({ logo: [messages.fields.required] })
  if (portal_type_id === external && custom_portal_url === null)
    throw invalid({ custom_portal_url: [messages.fields.required] })
}

/** The design as it is saved now, unless that is the newest version already. The portal is locked by its change. */
async function keepVersion(scope: Scope, portal: Portal) {
  const design = JSON.stringify(designOf(portal))
  const [now] = await scope.run(sql<Pictures & { number: number; same: boolean }>`
    select t.logo_file_id, t.portal_image_file_id, coalesce(v.number, 0) as number,
      coalesce(v.design = ${design}::jsonb and v.logo_file_id is not distinct from t.logo_file_id
        and v.portal_image_file_id is not distinct from t.portal_image_file_id, false) as same
    from portals as t left join lateral (
      select * from portal_versions as v where v.customer_id = t.customer_id and v.portal_id = t.id
      order by v.number desc limit 1) as v on true
    where t.id = ${portal.id} and ${scope.inReach('portals', 't')}`)
  if (!now || now.same) return
  const { same: _, number, ...pictures } = now
  await scope.insert('portal_versions', {
    ...pictures,
    portal_id: portal.id,
    number: number + 1,
    design,
    saved_by: scope.principal.name,
  })
}

const designOf = (portal: Portal) => Object.fromEntries(designFields.map((field) => [field, portal[field]])) as Design

/** Who agreed to the terms agreed to one wording of them, so another one counts on. */
const termsVersion = ({ terms, terms_version }: Pick<Portal, 'terms' | 'terms_version'>, now?: string | null) =>
  now != null && now !== terms ? { terms_version: terms_version + 1 } : {}

export default ({ storage, portal_url }: Services) => {
  const portals = entity({
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

  /** Stores what was uploaded. An absent picture is none. */
  async function store(caller: Caller, input: Partial<Record<PictureField, FileField | null | undefined>>) {
    const stored: Partial<Record<PictureField, StoredFile>> = {}
    for (const field of ['logo', 'portal_image'] as const) {
      const image = input[field]
      if (image) stored[field] = await storePicture(storage, caller, { field, image, frame: frames[field] })
    }
    return stored
  }

  /** The columns of the pictures: those stored, and none where null was sent. */
  async function pictureColumns(
    scope: Scope,
    stored: Partial<Record<PictureField, StoredFile>>,
    { logo, portal_image }: Partial<Record<PictureField, FileField | null | undefined>>,
  ): Promise<Partial<Pictures>> {
    const columns: Partial<Pictures> = {}
    if (logo === null) columns.logo_file_id = null
    if (portal_image === null) columns.portal_image_file_id = null
    if (stored.logo) columns.logo_file_id = await keepFile(scope, storage, stored.logo)
    if (stored.portal_image) columns.portal_image_file_id = await keepFile(scope, storage, stored.portal_image)
    return columns
  }

  async function kept(scope: Scope, portal: Portal): Promise<Portal> {
    refuseIncomplete(portal)
    await keepVersion(scope, portal)
    return portal
  }

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, portals, input),
    names: ({ scope }) => nameRows(scope, portals, contract.PortalName),
    nameList: ({ scope, input }) => listRows(scope, portals, input, contract.PortalName),
    get: ({ scope, input }) => oneRow(scope, portals, input.id),
    create: staged(
      ({ caller, input }) => store(caller, input),
      async ({ scope, input: { logo, portal_image, ...input }, prepared }) => {
        const pictures = await pictureColumns(scope, prepared, { logo, portal_image })
        const slug = input.slug ?? slugOf(input.name)
        const terms_version = input.terms == null ? 0 : 1
        return kept(scope, await createRow(scope, portals, { ...input, ...pictures, slug, terms_version }))
      },
    ),
    update: staged(
      ({ caller, input }) => store(caller, input),
      async ({ scope, input: { logo, portal_image, ...input }, prepared }) => {
        // A foreign portal is refused before a file is named for it.
        const before = await lockedRow(scope, portals, input.id)
        const pictures = await pictureColumns(scope, prepared, { logo, portal_image })
        const slug = input.slug === null ? { slug: slugOf(input.name ?? before.name) } : {}
        const changes = { ...input, ...pictures, ...slug, ...termsVersion(before, input.terms) }
        return kept(scope, await updateRow(scope, portals, changes))
      },
    ),
    deactivate: ({ scope, input }) => deactivateRows(scope, portals, input.ids),
    activate: async ({ scope, input }) => {
      const portal = await activateRow(scope, portals, input.id)
      refuseIncomplete(portal)
      return portal
    },
    remove: ({ scope, input }) => removeRow(scope, portals, input.id),
    duplicate: async ({ scope, input: { id, name } }) => {
      const portal = await lockedRow(scope, portals, id)
      const { group_id, portal_type_id } = portal
      if (portal_type_id === contract.portalTypes.custom)
        throw invalid({ id: ['A custom portal is made by importing its zip.'] })
      const pictures = await picturesOf(scope, id)
      const terms_version = portal.terms === null ? 0 : 1
      const copy = { name, slug: slugOf(name), group_id, portal_type_id, terms_version, draft: true }
      return kept(scope, await createRow(scope, portals, { ...designOf(portal), ...pictures, ...copy }))
    },
    versions: async ({ scope, input: { id } }) => {
      await oneRow(scope, portals, id)
      return scope.run(sql<Output<typeof contract.versions>[number]>`
        select t.number, t.saved_by, t.created_at from portal_versions as t
        where t.portal_id = ${id} and ${scope.inReach('portal_versions', 't')} order by t.number desc limit 200`)
    },
    restore: async ({ scope, input: { id, number } }) => {
      const before = await lockedRow(scope, portals, id)
      const [version] = await scope.run(sql<Pictures & { design: Design }>`
        select t.design, t.logo_file_id, t.portal_image_file_id from portal_versions as t
        where t.portal_id = ${id} and t.number = ${number} and ${scope.inReach('portal_versions', 't')}`)
      if (!version) throw notFound()
      const { design, ...pictures } = version
      const changes = { id, ...design, ...pictures, ...termsVersion(before, design.terms) }
      return kept(scope, await updateRow(scope, portals, changes))
    },
  })
}

/** The same content under the same rows: a file is never changed, so several may point at it. */
async function picturesOf(scope: Scope, id: number): Promise<Pictures> {
  const [pictures] = await scope.run(sql<Pictures>`
    select t.logo_file_id, t.portal_image_file_id from portals as t
    where t.id = ${id} and ${scope.inReach('portals', 't')}`)
  return pictures ?? { logo_file_id: null, portal_image_file_id: null }
}
