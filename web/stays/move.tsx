// Move guest: the dialog that asks for the room of the property to which a guest moves, wherever that is done.
import { z } from 'zod'
import { ref } from '#contract/shapes.ts'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { say } from '#web/words/desk.ts'
import { moveTo } from './acts.ts'
import { RoomChoice, shareWords, Sharing, useShared } from './room-choice.tsx'
import styles from './stays.module.css'

const Choice = z.object({ room_id: ref('rooms'), share: z.boolean().default(false) })

export interface MoveGuestProps {
  guest: { id: number; name: string }
  property_id: number
  /** Where the guest is now. */
  room: { id: number; name: string }
  /** After the move, too. */
  close: () => void
}

export function MoveGuest({ guest, property_id, room, close }: MoveGuestProps) {
  const move = async ({ room_id, share = false }: z.input<typeof Choice>) => {
    await moveTo(guest, room.id, { room_id, share })
    close()
  }
  const form = useForm(Choice, {}, move, { about: guest.id })
  const shared = useShared(form, room.id)
  return (
    <Dialog open onClose={close} title={say('room.move', { name: guest.name })}>
      <form {...form.bind} className={styles.move}>
        <General sentences={form.general} />
        <RoomChoice form={form} property_id={property_id} own={room.id} hint={say('room.now', { room: room.name })} />
        {shared && <Sharing room={shared} />}
        <div className={styles.buttons}>
          <Button onClick={close}>{say('cancel')}</Button>
          <Button kind="primary" submit busy={form.saving} disabled={!form.valid}>
            {shared ? shareWords(shared) : say('act.move')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
