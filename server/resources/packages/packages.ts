// Packages: the speed, time, data and devices that guests get.
import type { z } from 'zod'
import * as contract from '#contract/packages.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'
import type { Services } from '#server/services.ts'
import { applyPackage, areChanged, keepTerms, onlineOn } from '#server/sessions/changes.ts'

const packages = entity({
  table: 'packages',
  row: contract.PackageRow,
  detail: contract.PackageRow,
  fields: contract.fields,
  restrict: [
    { table: 'properties', column: 'package_id', noun: 'properties' },
    { table: 'rooms', column: 'package_id', noun: 'rooms', label: 'number' },
    { table: 'stays', column: 'package_id', noun: 'stays', label: 'room_number' },
    { table: 'accounts', column: 'package_id', noun: 'accounts' },
    { table: 'devices', column: 'package_id', noun: 'devices' },
    { table: 'voucher_batches', column: 'package_id', noun: 'voucher batches', label: 'batch_number' },
    { table: 'property_interfaces', column: 'package_id', noun: 'property interfaces' },
    { table: 'property_interfaces', column: 'owner_package_id', noun: 'property interfaces' },
  ],
})

/** Adds how many guests are online on it, who would be affected by a change. */
const withOnline = async (scope: Scope, row: Promise<z.output<typeof contract.PackageRow>>) => {
  const read = await row
  return { ...read, online: await onlineOn(scope, read.id) }
}

export default ({ queue }: Pick<Services, 'queue'>) =>
  serve(contract, {
    list: ({ scope, input }) => listRows(scope, packages, input),
    exportList: (call) => exportRows(call, packages),
    names: ({ scope }) => nameRows(scope, packages, contract.PackageName),
    nameList: ({ scope, input }) => listRows(scope, packages, input, contract.PackageName),
    get: ({ scope, input }) => withOnline(scope, oneRow(scope, packages, input.id)),
    create: ({ scope, input }) => withOnline(scope, createRow(scope, packages, input)),
    update: async ({ scope, input: { apply, ...input } }) => {
      const before = await lockedRow(scope, packages, input.id)
      const after = await updateRow(scope, packages, input)
      if (areChanged(before, after)) {
        const package_id = input.id
        if (apply === 'now') await applyPackage(scope, queue, { package_id, before, after })
        else await keepTerms(scope, package_id, before)
      }
      return withOnline(scope, Promise.resolve(after))
    },
    deactivate: ({ scope, input }) => deactivateRows(scope, packages, input.ids),
    activate: ({ scope, input }) => withOnline(scope, activateRow(scope, packages, input.id)),
    remove: ({ scope, input }) => removeRow(scope, packages, input.id),
  })
