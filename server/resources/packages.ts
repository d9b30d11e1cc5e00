// Packages: what a guest gets.
import * as contract from '#contract/packages.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { exportRows } from '#server/entities/list-files.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { activateRow, createRow, deactivateRows, removeRow, updateRow } from '#server/entities/verbs.ts'

const packages = entity({
  table: 'packages',
  row: contract.PackageRow,
  detail: contract.Package,
  restrict: [
    { table: 'properties', column: 'package_id', noun: 'properties' },
    { table: 'rooms', column: 'package_id', noun: 'rooms', label: 'number' },
    { table: 'accounts', column: 'package_id', noun: 'accounts' },
    { table: 'devices', column: 'package_id', noun: 'devices' },
    { table: 'voucher_batches', column: 'package_id', noun: 'voucher batches', label: 'batch_number' },
    { table: 'property_interfaces', column: 'package_id', noun: 'property interfaces' },
    { table: 'property_interfaces', column: 'owner_package_id', noun: 'property interfaces' },
  ],
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, packages, input),
  exportList: (call) => exportRows(call, packages),
  names: ({ scope }) => nameRows(scope, packages, contract.PackageName),
  nameList: ({ scope, input }) => listRows(scope, packages, input, contract.PackageName),
  get: ({ scope, input }) => oneRow(scope, packages, input.id),
  create: ({ scope, input }) => createRow(scope, packages, input),
  update: ({ scope, input }) => updateRow(scope, packages, input),
  deactivate: ({ scope, input }) => deactivateRows(scope, packages, input.ids),
  activate: ({ scope, input }) => activateRow(scope, packages, input.id),
  remove: ({ scope, input }) => removeRow(scope, packages, input.id),
})
