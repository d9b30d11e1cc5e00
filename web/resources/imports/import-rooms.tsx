// Import rooms: a dialog with an address, `?modal=import-rooms&property_id=7`.
import { roomImportModes } from '#contract/imports.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { whenOffAt } from '#web/limits/when-off.tsx'
import { counted } from '#web/kit/display/numbers.ts'
import { Choices } from '#web/ui/choices.tsx'
import { Notice } from '#web/ui/state.tsx'
import type { ImportProps } from './import-accounts.tsx'
import { ImportDialog, useImportHere } from './import-dialog.tsx'
import { roomImport, type Moves } from './kind.ts'

const nothing = {}

const modes: Record<Moves['mode'], { label: string; hint: string }> = {
  add: { label: 'Add to who is there', hint: 'Nobody is checked out.' },
  replace: { label: 'Replace who lives in these rooms', hint: 'Others in the rooms of this list are checked out.' },
  whole: { label: 'This is the whole house', hint: 'As next term’s list: everybody else is checked out.' },
}

const guests = (count: number) => counted(count, 'guest')

export function ImportRooms({ property_id, close }: ImportProps) {
  const state = useImportHere(roomImport, { property_id, rows: nothing, close })
  const { check, chosen, choose } = state
  const result = check.state === 'checked' ? check.result : undefined
  const upload = async () => {
    if (!result?.confirmation_needed) return state.upload()
    const out = result.moves_out?.count ?? 0
    const yes = await confirm({
      title: `Move ${guests(out)} out?`,
      description:
        'More than a fifth of the rooms will be empty. Guests who leave at once are disconnected. It can be undone for 24 hours.',
      besides: whenOffAt(chosen.property_id === undefined ? null : { id: chosen.property_id }),
      accept: `Move ${guests(out)} out`,
      danger: true,
    })
    if (yes) await state.upload({ confirm_moves_out: out })
  }
  return (
    <ImportDialog kind={roomImport} state={state} close={close} upload={() => void upload()}>
      {chosen.file ? (
        <Choices
          label="What the list means"
          name="mode"
          options={roomImportModes.map((value) => ({ value, ...modes[value] }))}
          value={chosen.mode ?? 'add'}
          onChange={(value) => choose({ mode: roomImportModes.find((mode) => mode === value) })}
        />
      ) : (
        <Notice>
          A room list or rent roll as it is: titles, totals and vacant units are understood. Only who lives there now
          becomes a guest.
        </Notice>
      )}
    </ImportDialog>
  )
}
