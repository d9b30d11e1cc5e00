// Portals: the pages that guests see before they go online, with their pictures and all saved designs.
import { sql } from 'kysely'
import * as contract from '#contract/portals.ts'
import type { Output } from '#contract/endpoint.ts'
import type { FileField } from '#contract/shapes.ts'
import type { Caller } from '#server/access/principal.ts'
import { notFound } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import { keepFile, type StoredFile } from '#server/files/keep.ts'
import { pictureOf, pictureUrlOf, storePicture } from './pictures.ts'
import { copyPages } from './portal-pages.ts'
import {
  designOf,
  freeSlugOf,
  versioned,
  portalEntity,
  refuseIncomplete,
  shownBy,
  termsVersion,
  type Design,
  type Portal,
  type Shown,
} from './portal-record.ts'
import type { Services } from '#server/services.ts'

/** Twice the displayed width, for high-density screens. */
const frames = {
  logo: { width_max: 800, height_max: 400 },
  portal_image: { width_max: 1600, height_max: 1600 },
} as const
type PictureField = keyof typeof frames

type VersionRow = Output<typeof contract.versions>[number] &
  Pick<Portal, 'logo' | 'logo_preview_url' | 'portal_image' | 'side_image_preview_url'> & { design: Design }

export default ({ storage, portal_url }: Pick<Services, 'storage' | 'portal_url'>) => {
  const portals = portalEntity(portal_url)

  /** Stores the uploaded pictures. An absent one leaves the column alone. */
  async function store(caller: Caller, input: Partial<Record<PictureField, FileField | null | undefined>>) {
    const stored: Partial<Record<PictureField, StoredFile>> = {}
    for (const field of ['logo', 'portal_image'] as const) {
      const image = input[field]
      if (image) stored[field] = await storePicture(storage, caller, { field, image, frame: frames[field] })
    }
    return stored
  }

  /** The picture columns: the stored files, and null where null was sent. */
  async function pictureColumns(
    scope: Scope,
    stored: Partial<Record<PictureField, StoredFile>>,
    { logo, portal_image }: Partial<Record<PictureField, FileField | null | undefined>>,
  ): Promise<Partial<Shown>> {
    const columns: Partial<Shown> = {}
    if (logo === null) columns.logo_file_id = null
    if (portal_image === null) columns.portal_image_file_id = null
    if (stored.logo) columns.logo_file_id = await keepFile(scope, storage, stored.logo)
    if (stored.portal_image) columns.portal_image_file_id = await keepFile(scope, storage, stored.portal_image)
    return columns
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
        const slug = input.slug ?? (await freeSlugOf(scope, input.name))
        const terms_version = input.terms == null ? 0 : 1
        return versioned(scope, await createRow(scope, portals, { ...input, ...pictures, slug, terms_version }))
      },
    ),
    update: staged(
      ({ caller, input }) => store(caller, input),
      async ({ scope, input: { logo, portal_image, ...input }, prepared }) => {
        // A portal out of reach is refused before a file is recorded for it.
        const before = await lockedRow(scope, portals, input.id)
        const pictures = await pictureColumns(scope, prepared, { logo, portal_image })
        const slug = input.slug === null ? { slug: await freeSlugOf(scope, input.name ?? before.name) } : {}
        const changes = { ...input, ...pictures, ...slug, ...termsVersion(before, input.terms) }
        return versioned(scope, await updateRow(scope, portals, changes))
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
      const { group_id, portal_type_id, is_custom } = portal
      const { zip_number, ...pictures } = await shownBy(scope, id)
      const terms_version = portal.terms === null ? 0 : 1
      const kind = { portal_type_id, is_custom, zip_number: zip_number === null ? null : 1 }
      const copy = { name, slug: await freeSlugOf(scope, name), group_id, terms_version, draft: true, ...kind }
      const made = await createRow(scope, portals, { ...designOf(portal), ...pictures, ...copy })
      if (zip_number !== null) await copyPages(scope, { from: id, zip_number, to: made.id })
      return versioned(scope, made)
    },
    versions: async ({ scope, input: { id } }) => {
      await oneRow(scope, portals, id)
      return scope.run(sql<Output<typeof contract.versions>[number]>`
        select t.number, t.saved_by, t.created_at from portal_versions as t
        where t.portal_id = ${id} and ${scope.inReach('portal_versions', 't')} order by t.number desc limit 200`)
    },
    version: async ({ scope, input: { id, number } }) => {
      const portal = await oneRow(scope, portals, id)
      const [version] = await scope.run(sql<VersionRow>`
        select t.number, t.saved_by, t.created_at, t.design, ${pictureOf('logo_file_id')} as logo,
          ${pictureUrlOf('logo_file_id', portal_url)} as logo_preview_url,
          ${pictureOf('portal_image_file_id')} as portal_image,
          ${pictureUrlOf('portal_image_file_id', portal_url)} as side_image_preview_url
        from portal_versions as t
        where t.portal_id = ${id} and t.number = ${number} and ${scope.inReach('portal_versions', 't')}`)
      if (!version) throw notFound()
      const { number: _, saved_by, created_at, design, ...pictures } = version
      // Fields that are newer than a version show their present value, which a restore leaves alone.
      const { terms_version } = portal
      return { number, saved_by, created_at, design: { ...designOf(portal), ...design, ...pictures, terms_version } }
    },
    restore: async ({ scope, input: { id, number } }) => {
      const before = await lockedRow(scope, portals, id)
      const [version] = await scope.run(sql<Shown & { design: Design }>`
        select t.design, t.logo_file_id, t.portal_image_file_id, t.zip_number from portal_versions as t
        where t.portal_id = ${id} and t.number = ${number} and ${scope.inReach('portal_versions', 't')}`)
      if (!version) throw notFound()
      const { design, ...shown } = version
      const changes = { id, ...design, ...shown, ...termsVersion(before, design.terms) }
      return versioned(scope, await updateRow(scope, portals, changes))
    },
  })
}
