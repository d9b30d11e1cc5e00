// Footer branding: the one picture below a customer's portals, and its link.
import { sql } from 'kysely'
import * as contract from '#contract/portal-footers.ts'
import type { FileField } from '#contract/shapes.ts'
import { clash } from '#server/errors/refused.ts'
import type { Caller } from '#server/access/principal.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve, staged } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRow, removeRow, toggleRow, updateRow } from '#server/entities/verbs.ts'
import { keepFile } from '#server/files/keep.ts'
import { pictureOf, pictureUrlOf, storePicture } from '#server/resources/portals/pictures.ts'
import type { Services } from '#server/services.ts'

/** Twice the width of a guests' page, for high-density screens. */
const frame = { width_max: 1200, height_max: 400 }

export default ({ storage, portal_url }: Pick<Services, 'storage' | 'portal_url'>) => {
  const footers = entity({
    table: 'portal_footers',
    row: contract.Footer,
    detail: contract.Footer,
    computed: {
      image: pictureOf('image_file_id'),
      image_url: pictureUrlOf('image_file_id', portal_url),
    },
  })

  const store = (caller: Caller, image: FileField) => storePicture(storage, caller, { field: 'image', image, frame })

  return serve(contract, {
    list: ({ scope, input }) => listRows(scope, footers, input),
    get: ({ scope, input }) => oneRow(scope, footers, input.id),
    create: staged(
      ({ caller, input }) => store(caller, input.image),
      async ({ scope, input: { image: _, ...input }, prepared }) => {
        await refuseSecond(scope)
        return createRow(scope, footers, { ...input, image_file_id: await keepFile(scope, storage, prepared) })
      },
    ),
    update: staged(
      async ({ caller, input }) => (input.image ? store(caller, input.image) : undefined),
      async ({ scope, input: { image: _, ...input }, prepared }) => {
        // A footer out of reach is refused before a file is recorded for it.
        await lockedRow(scope, footers, input.id)
        const image = prepared && { image_file_id: await keepFile(scope, storage, prepared) }
        return updateRow(scope, footers, { ...input, ...image })
      },
    ),
    activate: ({ scope, input }) => activateRow(scope, footers, input.id),
    deactivate: ({ scope, input }) => deactivateRow(scope, footers, input.id),
    toggle: ({ scope, input }) => toggleRow(scope, footers, input.id),
    remove: ({ scope, input }) => removeRow(scope, footers, input.id),
  })
}

async function refuseSecond(scope: Scope) {
  const [other] = await scope.run(sql`select from portal_footers as t where ${scope.inReach('portal_footers', 't')}`)
  if (other) throw clash('There is already a footer. Change it, or delete it first.')
}
