// Stay differences: what a property's system and the desk say differently, and whose word holds.
import { sql } from 'kysely'
import * as contract from '#contract/stay-differences.ts'
import type { Scope } from '#server/access/tenancy.ts'
import { serve } from '#server/api/serve.ts'
import { entity, nameOf } from '#server/entities/entity.ts'
import { searched, wordsOf } from '#server/entities/list-search.ts'
import { listRows } from '#server/entities/lists.ts'
import type { Services } from '#server/services.ts'
import { guestOfDifference as guest, resolveDifferences, type Resolution } from '#server/stays/sync-resolve.ts'
import { applyGuests } from '#server/sessions/apply-guests.ts'

const differences = entity({
  table: 'stay_differences',
  row: contract.StayDifference,
  detail: contract.StayDifference,
  fields: contract.fields,
  label: 'field',
  computed: {
    property: nameOf('properties', 'property_id'),
    room: sql`(select json_build_object('id', g.room_id, 'name', coalesce(g.room_number, '')) from room_guests as g
      where g.customer_id = t.customer_id and g.id = ${guest})`,
    guest: sql`(select json_build_object('id', g.id, 'name', g.name) from room_guests as g
      where g.customer_id = t.customer_id and g.id = ${guest})`,
    told_by: sql`(select coalesce(i.name, k.name) from told_stays as s
      join property_interfaces as i on i.customer_id = s.customer_id and i.id = s.property_interface_id
      join property_interface_types as k on k.id = i.property_interface_type_id
      where s.customer_id = t.customer_id and s.id = t.told_stay_id)`,
    at: sql`t.created_at`,
  },
  filters: {
    words:
      wordsOf(sql`concat_ws(' ', t.system, t.ours, (select concat_ws(' ', g.name, g.room_number) from room_guests as g
      where g.customer_id = t.customer_id and g.id = ${guest}))`),
    group_id: ({ is }) => sql`
      t.property_id in (select p.id from properties as p where p.customer_id = t.customer_id and ${is(sql`p.group_id`)})`,
  },
  belongs: { property_id: 'property_id' },
})

export default ({ queue }: Pick<Services, 'queue'>) => {
  async function settled(scope: Scope, ids: number[], as: Resolution) {
    const moved = await resolveDifferences(scope, queue, ids, as)
    if (moved.length > 0) await applyGuests(scope, queue, moved)
    return { ids }
  }
  return serve(contract, {
    differenceList: ({ scope, input }) => {
      const asked = searched(input)
      return listRows(scope, differences, { ...asked, filters: { kept: [false], ...asked.filters } })
    },
    acceptDifferences: ({ scope, input }) => settled(scope, input.ids, 'accept'),
    keepDifferences: ({ scope, input }) => settled(scope, input.ids, 'keep'),
    askAgain: ({ scope, input }) => settled(scope, input.ids, 'ask_again'),
  })
}
