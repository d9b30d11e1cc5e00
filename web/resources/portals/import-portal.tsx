// Import portal: a dialog with an address, `?modal=import-portal`: creates a portal from a zip of pages, or, with a `portal_id`,
// replaces the pages of that portal. Refused files are listed with the reason; once they are fixed, the zip is chosen again.
import { useState, type ReactNode } from 'react'
import { constants } from '#contract/constants.ts'
import { stepPages } from '#contract/custom-pages.ts'
import * as customPortals from '#contract/custom-portals.ts'
import { messages } from '#contract/messages.ts'
import * as portals from '#contract/portals.ts'
import { call } from '#web/kit/call/call.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { Field } from '#web/kit/form/field.tsx'
import { LookupChecks } from '#web/kit/form/lookup-checks.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DropZone } from '#web/ui/drop-zone.tsx'
import { FileLine } from '#web/ui/file-line.tsx'
import { Notice } from '#web/ui/state.tsx'
import { ProgressPanel } from '#web/ui/progress-panel.tsx'
import { useExistsNotice } from './use-exists-notice.ts'
import { rejectionOf, useZipUpload, zipTypes, type ZipUpload } from './use-zip-upload.ts'
import styles from './import-portal.module.css'

export interface ImportPortalProps {
  portal_id?: number
  close: () => void
}

export const ImportPortal = ({ portal_id, close }: ImportPortalProps) =>
  portal_id === undefined ? <NewPortal close={close} /> : <OtherPages id={portal_id} close={close} />

function NewPortal({ close }: { close: () => void }) {
  const state = useZipUpload(
    customPortals.CustomPortalInput,
    (asked) => call(customPortals.createCustom, asked, { idempotencyKey: freshKey() }),
    close,
  )
  useExistsNotice([state.form.errorOf('name')])
  return (
    <ZipDialog title="Import portal" state={state} close={close}>
      <Field form={state.form} name="name" label="Name" />
      <LookupChecks
        form={state.form}
        name="auth_method_ids"
        label="Auth methods"
        to="auth_methods"
        hint="What the form of the pages offers."
      />
    </ZipDialog>
  )
}

const Pages = customPortals.CustomPortalInput.pick({ portal: true })

function OtherPages({ id, close }: { id: number; close: () => void }) {
  const portal = useRecord(portals, id)
  const state = useZipUpload(
    Pages,
    (asked) => call(customPortals.updateCustom, { ...asked, id }, { idempotencyKey: freshKey() }),
    close,
  )
  return (
    <ZipDialog title={portal ? `Import pages of “${portal.name}”` : 'Import pages'} state={state} close={close}>
      <p className={styles.explained}>
        All pages are replaced at once, and guests see the new ones from their next page on. To get earlier pages back,
        restore an earlier version of the portal.
      </p>
    </ZipDialog>
  )
}

interface ZipDialogProps {
  title: string
  state: ZipUpload
  close: () => void
  children: ReactNode
}

function ZipDialog({ title, state, close, children }: ZipDialogProps) {
  const mayImport = useMayCall(customPortals.createCustom)
  const { form, file, choose, reasons, upload } = state
  const [rejection, setRejection] = useState<string>()
  const take = (files: File[]) => {
    const sentence = rejectionOf(files)
    setRejection(sentence)
    choose(sentence ? undefined : files[0])
  }
  const frame = { open: true, title, width: constants.widths.import_px, wholeOnPhones: true }
  if (!mayImport)
    return (
      <Dialog {...frame} onClose={close}>
        <NotPermitted icon="upload" />
      </Dialog>
    )
  // A running import cannot be cancelled by closing the dialog.
  if (form.saving)
    return (
      <Dialog {...frame} held onClose={close}>
        <ProgressPanel title={messages.portal.importing}>{messages.portal.checking}</ProgressPanel>
      </Dialog>
    )
  return (
    <Dialog
      {...frame}
      onClose={close}
      footer={
        <>
          <a className={styles.sample} href="/files/portal.zip" download>
            Sample portal
          </a>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button kind="primary" icon="upload" disabled={!file} onClick={() => void upload()}>
            Upload
          </Button>
        </>
      }
    >
      <form
        noValidate
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault()
          if (file) void upload()
        }}
      >
        {file ? (
          <FileLine
            name={file.name}
            bytes={file.size}
            types={zipTypes}
            onFiles={take}
            onRemove={() => choose(undefined)}
          />
        ) : (
          <DropZone label="Zip of pages" types={zipTypes} onFiles={take} invalid={rejection !== undefined}>
            One .zip with an index.html, up to 5 MB
          </DropZone>
        )}
        {rejection && <Notice tone="error">{rejection}</Notice>}
        <Reasons of={reasons} />
        <General sentences={form.general} />
        {children}
        <StepPages />
      </form>
    </Dialog>
  )
}

/** Further pages that a zip may contain. Few customers need them, so the list is collapsed. */
const StepPages = () => (
  <details className={styles.pages}>
    <summary>Pages for each step</summary>
    <dl>
      {Object.entries(stepPages).map(([name, shows]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shows}</dd>
        </div>
      ))}
    </dl>
    <p>Only index.html is required. For any other step without a page, guests see one of ours.</p>
  </details>
)

/** `“index.html” has no way to sign in.`, with the name of the file in bold. */
function Reasons({ of: reasons }: { of: string[] }) {
  if (reasons.length === 0) return null
  return (
    <div className={styles.reasons}>
      <Notice tone="error">
        Nothing was imported. Correct what is named here, pack the files again and choose the zip.
      </Notice>
      {/* Long lists scroll, also by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul tabIndex={0} aria-label="What is wrong">
        {reasons.map((sentence) => {
          const [, name, rest] = /^“([^”]*)” (.*)$/s.exec(sentence) ?? []
          return (
            <li key={sentence}>
              {name === undefined ? (
                sentence
              ) : (
                <>
                  <b>{name}</b> {rest}
                </>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
