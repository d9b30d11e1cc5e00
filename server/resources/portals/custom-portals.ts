// Custom portals: portals made from a zip of pages. The zip is read and checked before anything is stored, and its pages replace the
// former ones in one transaction.
import * as contract from '#contract/custom-portals.ts'
import { portalTypes } from '#contract/portals.ts'
import type { FileField } from '#contract/shapes.ts'
import type { Caller } from '#server/access/principal.ts'
import { invalid } from '#server/errors/refused.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { lockedRow } from '#server/entities/read.ts'
import { createRow, updateRow } from '#server/entities/verbs.ts'
import { spendQuota } from '#server/fairness/quotas.ts'
import type { StoredContent } from '#server/files/keep.ts'
import type { UploadedFile } from '#server/files/receive.ts'
import { UnreadablePortal } from '#server/files/portal-zips/limits.ts'
import { portalFilesIn } from '#server/files/portal-zips/read.ts'
import { nextZipOf, writePages } from './portal-pages.ts'
import { freeSlugOf, portalEntity, versioned } from './portal-record.ts'
import type { Services } from '#server/services.ts'

/** Several at a time, as each waits for the disk. */
const stored_at_once = 8

interface StoredZip {
  pages: StoredContent[]
  left_out: string[]
}

export default ({ storage, portal_url }: Pick<Services, 'storage' | 'portal_url'>) => {
  const portals = portalEntity(portal_url)

  async function store({ customer_id }: Caller, zip: FileField): Promise<StoredZip> {
    const { files, left_out } = await portalFilesIn(zip as UploadedFile).catch((error: unknown) => {
      throw error instanceof UnreadablePortal ? invalid({ portal: error.sentences }) : error
    })
    const stored: StoredContent[] = []
    for (let start = 0; start < files.length; start += stored_at_once)
      stored.push(
        ...(await Promise.all(
          files.slice(start, start + stored_at_once).map(async ({ path, content_type, content }) => ({
            name: path,
            content_type,
            byte_size: content.length,
            hash: await storage.put(customer_id, content),
          })),
        )),
      )
    return { pages: stored, left_out }
  }

  /** The quota counts the unpacked size, which is what the disk holds. The zip's own size is already counted, as for every upload. */
  async function countUnpacked(scope: Scope, zip: FileField, pages: StoredContent[]) {
    const bytes = pages.reduce((sum, { byte_size }) => sum + byte_size, 0)
    await spendQuota(scope, 'uploaded_bytes', bytes - (zip as UploadedFile).byte_size)
  }

  return serve(contract, {
    createCustom: staged(
      ({ caller, input }) => store(caller, input.portal),
      async ({ scope, input: { portal: zip, ...input }, prepared: { pages, left_out } }) => {
        const facts = { portal_type_id: portalTypes.custom, is_custom: true, zip_number: 1 }
        const slug = await freeSlugOf(scope, input.name)
        const portal = await createRow(scope, portals, { ...input, ...facts, slug })
        await writePages(scope, storage, { portal_id: portal.id, zip_number: 1, pages })
        await countUnpacked(scope, zip, pages)
        return { ...(await versioned(scope, portal)), left_out }
      },
    ),
    updateCustom: staged(
      async ({ caller, input }) => (input.portal ? store(caller, input.portal) : undefined),
      async ({ scope, input: { portal: zip, ...input }, prepared }) => {
        const { is_custom } = await lockedRow(scope, portals, input.id)
        if (zip && !is_custom) throw invalid({ portal: ['Only a custom portal has pages that a zip can replace.'] })
        if (!zip || !prepared)
          return { ...(await versioned(scope, await updateRow(scope, portals, input))), left_out: [] }
        const { pages, left_out } = prepared
        const zip_number = await nextZipOf(scope, input.id)
        await writePages(scope, storage, { portal_id: input.id, zip_number, pages })
        const portal = await updateRow(scope, portals, { ...input, zip_number })
        await countUnpacked(scope, zip, pages)
        return { ...(await versioned(scope, portal)), left_out }
      },
    ),
  })
}
