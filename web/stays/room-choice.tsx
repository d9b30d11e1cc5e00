// Room choice: the room that a guest checks in or moves to: vacant ones first, and of the others who lives there. That the guest would
// share a room is said in words, and sent along: a room that was taken meanwhile is refused.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Output, RowOf } from '#contract/endpoint.ts'
import * as rooms from '#contract/rooms.ts'
import { call } from '#web/kit/call/call.ts'
import { useNamesOf, useOffered } from '#web/kit/call/options.ts'
import { invalidateQuery, keys } from '#web/kit/call/query-client.ts'
import type { Schema } from '#web/kit/form/form-state.ts'
import { optionsOf } from '#web/kit/form/name-options.ts'
import { useField } from '#web/kit/form/use-field.ts'
import type { Form, NameIn } from '#web/kit/form/use-form.ts'
import { FieldFact } from '#web/ui/facts.tsx'
import { Select } from '#web/ui/select.tsx'
import { Notice } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'

type Room = Output<typeof rooms.get>
type Offered = RowOf<typeof rooms.nameList>

const room_field = 'room_id'
const share_field = 'share'

/** The chosen room, if somebody lives in it; the form sends along whether that was said. `own`: where the guest is now. */
export function useShared<S extends Schema>(form: Form<S>, own?: number): Room | undefined {
  const { values, general, sendAlong } = form
  const room_id = values[room_field]
  const id = typeof room_id === 'number' && room_id !== own ? room_id : undefined
  const key = keys.one(rooms.get.path, id ?? 0)
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(rooms.get, { id: id ?? 0 }, { signal }),
    enabled: id !== undefined,
    staleTime: 0,
  })
  const room = id !== undefined && data?.id === id && data.occupancy === 'occupied' ? data : undefined
  const isShared = room !== undefined
  useEffect(() => sendAlong(share_field, isShared))
  // Refused: somebody may have come meanwhile.
  useEffect(() => {
    if (general.length > 0 && id !== undefined) void invalidateQuery(keys.one(rooms.get.path, id))
  }, [general, id])
  return room
}

export const shareWords = ({ number }: Room) => say('room.share', { room: number })

/** Below the choice. */
export const Sharing = ({ room }: { room: Room }) => (
  <Notice>
    {say('room.sharing', { names: room.occupants_string ?? '', count: room.occupants, room: room.number })}
  </Notice>
)

interface RoomChoiceProps<S extends Schema> {
  form: Form<S>
  property_id: number | undefined
  /** Where the guest is now. */
  own?: number
  hint?: string
  label?: string
}

const isVacant = ({ occupancy }: Offered) => occupancy === 'vacant'

export function RoomChoice<S extends Schema>({ form, property_id, own, hint, label: given }: RoomChoiceProps<S>) {
  const { label, value, set, control, readOnly } = useField(form, room_field as NameIn<S>, given ?? say('room.label'))
  const offered = useOffered<Offered>(rooms.names, { property_id }, 'number')
  const id = typeof value === 'number' ? value : undefined
  const { names } = useNamesOf(rooms.names, id === undefined ? [] : [id])
  const open = offered.rows.filter((row) => row.status === 'active' && (row.id !== own || row.id === id))
  const rows = [...open.filter(isVacant), ...open.filter((row) => !isVacant(row))]
  const chosen = id === undefined ? [] : [{ id, name: names.get(id) }]
  const who = new Map(open.map((row) => [String(row.id), row.occupants_string]))
  const options = optionsOf(rows, chosen, offered.loading).map((option) => {
    const detail = who.get(option.value)
    return detail == null ? option : { ...option, detail }
  })
  if (readOnly) return <FieldFact label={label}>{id === undefined ? '' : names.get(id)}</FieldFact>
  return (
    <Select
      {...control}
      label={label}
      hint={hint}
      placeholder={say('room.choose')}
      options={options}
      loaded={offered}
      byTyping
      value={id === undefined ? null : String(id)}
      onChange={(next) => set(next === null ? null : Number(next))}
    />
  )
}
