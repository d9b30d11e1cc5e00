// Import rooms: a dialog with an address, `?modal=import-rooms&property_id=7`.
import { Notice } from '#web/ui/state.tsx'
import type { ImportProps } from './import-accounts.tsx'
import { ImportDialog, useImportHere } from './import-dialog.tsx'
import { roomImport } from './kind.ts'

const nothing = {}

export function ImportRooms({ property_id, close }: ImportProps) {
  const state = useImportHere(roomImport, { property_id, rows: nothing, close })
  return (
    <ImportDialog kind={roomImport} state={state} close={close} upload={() => void state.upload()}>
      {!state.chosen.file && (
        <Notice>
          A room list or rent roll as it is: titles, totals and vacant units are understood. Only who lives there now
          becomes a guest.
        </Notice>
      )}
    </ImportDialog>
  )
}
