// Property holidays: days for which a property bills its holiday percentage.
import { sql } from 'kysely'
import * as contract from '#contract/property-holidays.ts'
import { serve } from '#server/api/serve.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { invalid } from '#server/errors/refused.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { listRows } from '#server/entities/lists.ts'
import { lockedRow, oneRow } from '#server/entities/read.ts'
import { createRow, removeRow, updateRow } from '#server/entities/verbs.ts'

export const holidays = entity({
  table: 'property_holidays',
  row: contract.PropertyHoliday,
  detail: contract.PropertyHoliday,
  computed: { property: nameOf('properties', 'property_id'), listed: sql`t.listed_country is not null` },
  filters: { words: wordsOf(sql`t.name`) },
  belongs: { property_id: 'property_id' },
})

/** `at` is the path to the holiday where it is one of a list. */
export function refuseBackwards({ starts_on, ends_on }: { starts_on: string; ends_on: string }, at = '') {
  if (ends_on < starts_on) throw invalid({ [`${at}ends_on`]: ['The last day cannot be before the first.'] })
}

export default serve(contract, {
  holidayList: ({ scope, input }) => listRows(scope, holidays, searched(input)),
  getHoliday: ({ scope, input }) => oneRow(scope, holidays, input.id),
  createHoliday: ({ scope, input }) => {
    refuseBackwards(input)
    return createRow(scope, holidays, input)
  },
  updateHoliday: async ({ scope, input: { listed, ...input } }) => {
    const { starts_on, ends_on } = await lockedRow(scope, holidays, input.id)
    const days = { starts_on: input.starts_on ?? starts_on, ends_on: input.ends_on ?? ends_on }
    refuseBackwards(days)
    const isChanged = days.starts_on !== starts_on || days.ends_on !== ends_on
    if (!(listed ?? !isChanged))
      await scope.change('property_holidays', [input.id], { listed_country: null, listed_region: null })
    return updateRow(scope, holidays, input)
  },
  removeHoliday: ({ scope, input }) => removeRow(scope, holidays, input.id),
})
