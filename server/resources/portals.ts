// Portals: their names, for selects.
import * as contract from '#contract/portals.ts'
import { nothing } from '#contract/shapes.ts'
import { serve } from '#server/api/serve.ts'
import { entity } from '#server/entities/entity.ts'
import { listRows, nameRows } from '#server/entities/lists.ts'

const portals = entity({ table: 'portals', row: contract.PortalName, detail: nothing })

export default serve(contract, {
  names: ({ scope }) => nameRows(scope, portals, contract.PortalName),
  nameList: ({ scope, input }) => listRows(scope, portals, input),
})
