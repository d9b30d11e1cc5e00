// Import accounts: a dialog with an address, `?modal=import-accounts&property_id=7`. A spreadsheet is chosen, checked before
// anything is written, looked at, and only then uploaded.
import { useState } from 'react'
import { constants } from '#contract/constants.ts'
import * as imports from '#contract/imports.ts'
import * as packages from '#contract/packages.ts'
import * as properties from '#contract/properties.ts'
import * as reference from '#contract/reference.ts'
import { messages } from '#contract/messages.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { appContext } from '#web/session/context.ts'
import { useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { FileLine } from '#web/ui/file-line.tsx'
import { Notice } from '#web/ui/state.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { CheckResult } from './check-result.tsx'
import { rejectionOf } from './rejected.ts'
import { useImport } from './use-import.ts'
import styles from './imports.module.css'

const { types } = constants.import
const sample = '/files/accounts.csv'

export interface ImportAccountsProps {
  property_id?: number
  close: () => void
}

export function ImportAccounts({ property_id, close }: ImportAccountsProps) {
  const mayImport = useMayCall(imports.accounts)
  const { user } = useSession()
  const context = appContext()
  const locked = context === 'property' ? user?.owner_id : property_id
  const required = context === 'group'
  const { chosen, choose, check, checkAgain, ready, upload, syncing, failure } = useImport(locked, required, close)
  const [rejection, setRejection] = useState<string>()
  const [mails, setMails] = useState(false)

  const take = (files: File[]) => {
    const sentence = rejectionOf(files)
    setRejection(sentence)
    choose({ file: sentence ? undefined : files[0] })
  }
  const frame = { open: true, title: 'Import accounts', width: constants.widths.import_px, wholeOnPhones: true }
  if (!mayImport)
    return (
      <Dialog {...frame} onClose={close}>
        <NotPermitted icon="upload" />
      </Dialog>
    )
  // What is under way cannot be called back by closing the window on it.
  if (syncing)
    return (
      <Dialog {...frame} held onClose={close}>
        <div className={styles.syncing} role="status">
          <span className={styles.spinner} aria-hidden />
          <h3>{messages.imports.importingAccounts}</h3>
          <p>{messages.imports.syncing}</p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      {...frame}
      onClose={close}
      footer={
        <>
          <a className={styles.sample} href={sample} download>
            Sample file
          </a>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button
            kind="primary"
            icon="upload"
            disabled={!ready}
            onClick={() => void upload(mails).then(() => setMails(false))}
          >
            Upload
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {chosen.file ? (
          <FileLine
            name={chosen.file.name}
            bytes={chosen.file.size}
            types={types}
            onFiles={take}
            onRemove={() => choose({ file: undefined })}
          />
        ) : (
          <DropZone label="Spreadsheet of accounts" types={types} onFiles={take} invalid={rejection !== undefined}>
            One file: {types.join(', ')}, up to 5 MB
          </DropZone>
        )}
        {rejection && <Notice tone="error">{rejection}</Notice>}
        {failure && !chosen.file && <Notice tone="error">Nothing was imported. {failure}</Notice>}
        <div className={styles.choices}>
          <NameSelect
            label={required ? messages.imports.propertyRequired : 'Property'}
            name="property_id"
            from={properties.names}
            value={chosen.property_id}
            onChange={(id) => choose({ property_id: id })}
            disabled={locked !== undefined}
            placeholder={required ? 'Choose…' : 'Each row names its own'}
            clearable={!required}
          />
          <NameSelect
            label="Package"
            name="package_id"
            from={packages.names}
            value={chosen.package_id}
            onChange={(id) => choose({ package_id: id })}
            placeholder="The property's package"
            hint="For rows that say -1, or nothing."
            clearable
          />
          <NameSelect
            label="Account type"
            name="account_type_id"
            from={reference.accountTypes}
            value={chosen.account_type_id}
            onChange={(id) => choose({ account_type_id: id ?? constants.account_types.regular })}
            hint="For rows that say -1, or nothing."
          />
        </div>
        <Switch
          name="mail_sign_ins"
          label="E-mail new guests their sign-in"
          hint="Those with an e-mail address, a username and a password. Guests who are overwritten are not written to."
          checked={mails}
          onChange={setMails}
        />
        {required && chosen.file && chosen.property_id === undefined && (
          <Notice>Choose the property that the guests belong to, and the file will be checked.</Notice>
        )}
        <CheckResult check={check} file={chosen.file?.name ?? ''} again={checkAgain} />
      </div>
    </Dialog>
  )
}
