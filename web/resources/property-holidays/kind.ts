// Holiday kind: what can be done with one period of a property's holiday calendar.
import * as holidays from '#contract/property-holidays.ts'
import type { RowOf } from '#contract/endpoint.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { here, linkItem } from '#web/kit/navigation/go.ts'
import { withModal } from '#web/paths.ts'
import { mayCall } from '#web/session/may.ts'

export type Holiday = RowOf<typeof holidays.holidayList>

export const holidayContract = {
  list: holidays.holidayList,
  get: holidays.getHoliday,
  create: holidays.createHoliday,
  update: holidays.updateHoliday,
  remove: holidays.removeHoliday,
  fields: holidays.fields,
}

export const holidayKind: RecordKind<Holiday> = {
  of: { list: holidays.holidayList, remove: holidays.removeHoliday, fields: holidays.fields },
  noun: 'holidays',
  nameOf: ({ name }) => name,
  sort: 'starts_on',
  own: ({ id, property_id }) =>
    mayCall(holidays.updateHoliday)
      ? [
          linkItem({
            label: 'Edit',
            icon: 'edit',
            href: withModal(here(), 'property-holiday', { property_holiday_id: id, property_id }),
          }),
        ]
      : [],
  consequence: 'Its days are billed like any others from the next night on. Nights already recorded are not changed.',
}
