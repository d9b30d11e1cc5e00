// Import accounts: a dialog with an address, `?modal=import-accounts&property_id=7`.
import { useState } from 'react'
import { constants } from '#contract/constants.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { forRows, ImportDialog, useImportHere } from './import-dialog.tsx'
import { accountImport } from './kind.ts'

export interface ImportProps {
  property_id?: number
  close: () => void
}

const { regular } = constants.account_types

export function ImportAccounts({ property_id, close }: ImportProps) {
  const state = useImportHere(accountImport, { property_id, rows: { account_type_id: regular }, close })
  const [mails, setMails] = useState(false)
  const [texts, setTexts] = useState(false)
  const upload = async () => {
    await state.upload({ mail_sign_ins: mails, text_sign_ins: texts })
    setMails(false)
    setTexts(false)
  }
  return (
    <ImportDialog
      kind={accountImport}
      state={state}
      close={close}
      upload={() => void upload()}
      choice={
        <NameSelect
          label="Account type"
          name="account_type_id"
          to="account_types"
          value={state.chosen.rows['account_type_id']}
          onChange={(id) => state.chooseForRows('account_type_id', id ?? regular)}
          hint={forRows}
        />
      }
    >
      <Switch
        name="mail_sign_ins"
        label="E-mail new guests their sign-in"
        hint="Those with an e-mail address, a username and a password. Guests whose record is overwritten get no mail."
        checked={mails}
        onChange={setMails}
      />
      <Switch
        name="text_sign_ins"
        label="Text new guests their sign-in"
        hint="By SMS to those with a mobile number, a username and a password."
        checked={texts}
        onChange={setTexts}
      />
    </ImportDialog>
  )
}
