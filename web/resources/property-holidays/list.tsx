// Holidays list: the days on which a property bills its holiday percentage; a tab of the property.
import { daysIn } from '#contract/days.ts'
import * as suggestions from '#contract/holiday-suggestions.ts'
import * as holidays from '#contract/property-holidays.ts'
import { dayOf } from '#web/kit/display/dates.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column } from '#web/kit/list/list-types.ts'
import { here } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { holidayKind } from './kind.ts'
import { UnlistedHolidays } from './unlisted-holidays.tsx'

const column = fieldColumns({ list: holidays.holidayList, fields: holidays.fields })

const columns: Column<typeof holidays.holidayList>[] = [
  column('name', { width: 200, grow: 1, priority: 1 }),
  column('starts_on', {
    below: ({ starts_on, ends_on }) =>
      starts_on === ends_on ? dayOf(starts_on) : `${dayOf(starts_on)} – ${dayOf(ends_on)}`,
    width: 140,
    priority: 2,
    sort: 'starts_on',
  }),
  column('ends_on', { width: 140, priority: 3 }),
  {
    title: 'Days',
    cell: (holiday) => daysIn(holiday.starts_on, holiday.ends_on),
    width: 80,
    priority: 4,
    align: 'end',
  },
]

export function HolidaysList({ property_id }: { property_id: number }) {
  const [mayCreate, mayTake] = [useMayCall(holidays.createHoliday), useMayCall(suggestions.takeHolidays)]
  const add = (kind?: 'primary') =>
    mayCreate && (
      <LinkButton icon="add" href={withModal(here(), 'property-holiday', { property_id })} {...(kind ? { kind } : {})}>
        New holiday
      </LinkButton>
    )
  const suggest = mayTake && (
    <LinkButton kind="primary" icon="calendar" href={withModal(here(), 'suggested-holidays', { property_id })}>
      Suggest holidays
    </LinkButton>
  )
  return (
    <>
      <UnlistedHolidays property_id={property_id} />
      <ListScreen
        of={holidays.holidayList}
        title="Holidays"
        where={{ property_id }}
        kind={holidayKind}
        columns={columns}
        actions={
          <>
            {add()}
            {suggest}
          </>
        }
        empty={{
          icon: 'calendar',
          title: 'No holidays',
          children:
            'On holidays a property bills its holiday percentage. Take the public ones of its country, or read your own calendar.',
          action: suggest || add('primary'),
        }}
      />
    </>
  )
}
