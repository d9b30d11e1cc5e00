// Move guest: a dialog that asks for the room of the property to which a guest moves.
import { z } from 'zod'
import type { Output } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import * as roomGuests from '#contract/room-guests.ts'
import * as rooms from '#contract/rooms.ts'
import { ref } from '#contract/shapes.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { Lookup } from '#web/kit/form/lookup.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { useRecordState } from '#web/kit/form/use-resource.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/state.tsx'
import styles from './room-guests.module.css'

const Choice = z.object({ room_id: ref('rooms') })

export interface MoveGuestProps {
  guest: { id: number; name: string }
  room: Output<typeof rooms.get>
  close: () => void
}

export function MoveGuest({ guest, room, close }: MoveGuestProps) {
  const form = useForm(Choice, {}, async ({ room_id }) => {
    const { room: next } = await call(roomGuests.update, { id: guest.id, room_id, was: { room_id: room.id } })
    invalidateOthers()
    notify.success(`${guest.name} has been moved to room ${next.name}`, {
      label: 'Show the room',
      onPick: () => go(to.room(room_id)),
    })
    close()
  })
  const { room_id } = form.values
  return (
    <Dialog open onClose={close} title={`Move ${guest.name}`}>
      <form {...form.bind} className={styles.move}>
        <General sentences={form.general} />
        <Lookup
          form={form}
          name="room_id"
          label="Room"
          from={rooms.names}
          sort="number"
          of={{ property_id: room.property_id }}
          only={(row) => row.status === 'active' && row.id !== room.id}
          hint={`Now in room ${room.number}.`}
        />
        {typeof room_id === 'number' && <AlreadyThere room_id={room_id} />}
        <div className={styles.buttons}>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button kind="primary" submit busy={form.saving} disabled={!form.valid}>
            Move
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Guests may share a room, but not by mistake. */
function AlreadyThere({ room_id }: { room_id: number }) {
  const { record } = useRecordState(rooms, room_id)
  if (record?.occupancy !== 'occupied') return null
  return (
    <Notice>
      Room {record.number} is occupied: {record.occupants_string}.
    </Notice>
  )
}
