// MAC categories: a customer's kinds of device.
import * as contract from '#contract/mac-categories.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import { createRow, updateRow } from '#server/entities/verbs.ts'

const macCategories = entity({
  table: 'mac_categories',
  row: contract.MacCategory,
  detail: contract.MacCategory,
})

export default serve(contract, {
  list: ({ scope, input }) => listRows(scope, macCategories, input),
  names: ({ scope }) => nameRows(scope, macCategories, contract.MacCategoryName),
  get: ({ scope, input }) => oneRow(scope, macCategories, input.id),
  create: ({ scope, input }) => createRow(scope, macCategories, input),
  update: ({ scope, input }) => updateRow(scope, macCategories, input),
})
