// Import devices: a dialog with an address, `?modal=import-devices&property_id=7`.
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { forRows, ImportDialog, useImportHere } from './import-dialog.tsx'
import type { ImportProps } from './import-accounts.tsx'
import { deviceImport } from './kind.ts'

const nothing = {}

export function ImportDevices({ property_id, close }: ImportProps) {
  const state = useImportHere(deviceImport, { property_id, rows: nothing, close })
  return (
    <ImportDialog
      kind={deviceImport}
      state={state}
      close={close}
      upload={() => void state.upload()}
      choice={
        <NameSelect
          label="Category"
          name="mac_category_id"
          to="mac_categories"
          value={state.chosen.rows['mac_category_id']}
          onChange={(id) => state.chooseForRows('mac_category_id', id)}
          placeholder="No category"
          hint={forRows}
          clearable
        />
      }
    />
  )
}
