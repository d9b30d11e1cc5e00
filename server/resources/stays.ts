// Stays: a room and its days, for whoever stays there, and what the desk gives for them.
import * as contract from '#contract/stays.ts'
import { serve } from '#server/api/serve.ts'
import { searched } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import { oneRow } from '#server/entities/read.ts'
import type { Services } from '#server/services.ts'
import { stays, updateStay } from '#server/stays/stays.ts'
import { applyGuests } from './room-guests.ts'

export default ({ queue }: Services) =>
  serve(contract, {
    stayList: ({ scope, input }) => listRows(scope, stays, searched(input)),
    getStay: ({ scope, input }) => oneRow(scope, stays, input.id),
    updateStay: async ({ scope, input }) => {
      const { before, stay, guests } = await updateStay(scope, input)
      if (stay.package_id !== before.package_id) await applyGuests(scope, queue, guests)
      return stay
    },
  })
