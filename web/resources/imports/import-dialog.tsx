// Import dialog: common to all imports: the user chooses a spreadsheet or pastes cells, sees the result of the check before anything
// is written, and then uploads. Further fields of a kind are in its own file.
import { useState, type ReactNode } from 'react'
import { constants } from '#contract/constants.ts'
import type { OrderOfDays } from '#contract/imports.ts'
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
import { Select } from '#web/ui/select.tsx'
import { Notice } from '#web/ui/state.tsx'
import { ProgressPanel } from '#web/ui/progress-panel.tsx'
import { CheckResult } from './check-result.tsx'
import { ImportDone } from './import-done.tsx'
import type { ImportKind } from './kind.ts'
import { PasteCells, usePaste } from './paste-cells.tsx'
import { sizeText, pastedIn, type Pasted } from './pasted.ts'
import { rejectionOf } from './rejected.ts'
import { useImport, type Import, type Selections } from './use-import.ts'
import styles from './imports.module.css'

const { types } = constants.import

export const forRows = 'For rows that say -1, or nothing.'

const dayOrderNames: Record<OrderOfDays, string> = {
  day_first: 'Day first: 31/12/2026',
  month_first: 'Month first: 12/31/2026',
}

/** The state of an import. The property of the address, or of a property's user, is locked. */
export function useImportHere(
  kind: ImportKind,
  { property_id, rows, close }: { property_id: number | undefined; rows: Selections['rows']; close: () => void },
) {
  const { user } = useSession()
  const context = appContext()
  const locked = context === 'property' ? user?.owner_id : property_id
  const required = context === 'group' || (kind.ofOneProperty === true && locked === undefined)
  return { ...useImport(kind, { locked, needsProperty: required, rows }, close), locked, required }
}

export interface ImportDialogProps {
  kind: ImportKind
  state: Import & { locked: number | undefined; required: boolean }
  close: () => void
  upload: () => void
  /** A further select for what rows may leave open. */
  choice?: ReactNode
  children?: ReactNode
}

export function ImportDialog({ kind, state, close, upload, choice, children }: ImportDialogProps) {
  const mayImport = useMayCall(kind.call)
  const { chosen, choose, ready, syncing, done, failure } = state
  const [rejection, setRejection] = useState<string>()
  const [pasted, setPasted] = useState<Pasted>()

  const take = (files: File[]) => {
    const sentence = rejectionOf(files, kind.words.cancelled)
    setRejection(sentence)
    choose({ file: sentence ? undefined : files[0] })
  }
  const takeText = (text: string) => {
    const cells = pastedIn(text)
    // What was chosen before stays.
    if (!cells) return setRejection(messages.imports.notPasted)
    setPasted(cells)
    take([cells.file])
  }
  usePaste({ onText: takeText, onFiles: take }, mayImport && !syncing)
  const of = pasted?.file === chosen.file ? pasted : undefined
  const title = `Import ${kind.many}`
  const frame = { open: true, title, width: constants.widths.import_px, wholeOnPhones: true }
  if (!mayImport)
    return (
      <Dialog {...frame} onClose={close}>
        <NotPermitted icon="upload" />
      </Dialog>
    )
  // A running import cannot be cancelled by closing the dialog.
  if (syncing)
    return (
      <Dialog {...frame} held onClose={close}>
        <ProgressPanel title={kind.words.importing}>{messages.imports.syncing}</ProgressPanel>
      </Dialog>
    )
  if (done) return <ImportDone kind={kind} done={done} frame={frame} close={close} />
  return (
    <Dialog
      {...frame}
      onClose={close}
      footer={
        <>
          <a className={styles.sample} href={kind.sample} download>
            Sample file
          </a>
          <Button onClick={close}>{messages.modal.cancel}</Button>
          <Button kind="primary" icon="upload" disabled={!ready} onClick={upload}>
            Upload
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Source
          kind={kind}
          file={chosen.file}
          pasted={of}
          refused={rejection !== undefined}
          take={take}
          takeText={takeText}
          clear={() => choose({ file: undefined })}
        />
        {rejection && <Notice tone="error">{rejection}</Notice>}
        {failure && !chosen.file && <Notice tone="error">{failure}</Notice>}
        <Choices kind={kind} state={state}>
          {choice}
        </Choices>
        {children}
        <Outcome kind={kind} state={state} pasted={of !== undefined} />
      </div>
    </Dialog>
  )
}

interface SourceProps {
  kind: ImportKind
  file: File | undefined
  /** If the file was made of pasted cells. */
  pasted: Pasted | undefined
  refused: boolean
  take: (files: File[]) => void
  takeText: (text: string) => void
  clear: () => void
}

const Source = ({ kind, file, pasted, refused, take, takeText, clear }: SourceProps) =>
  file ? (
    <FileLine
      name={pasted ? 'Pasted cells' : file.name}
      {...(pasted ? { detail: sizeText(pasted) } : { bytes: file.size })}
      types={types}
      onFiles={take}
      onRemove={clear}
    />
  ) : (
    <div className={styles.source}>
      <DropZone label={`Spreadsheet of ${kind.many}`} types={types} onFiles={take} invalid={refused}>
        One file: {types.join(', ')}, up to 5 MB
      </DropZone>
      <PasteCells onText={takeText} />
    </div>
  )

/** What the file does not say itself. */
function Choices({ kind, state, children }: Pick<ImportDialogProps, 'kind' | 'state'> & { children: ReactNode }) {
  const { chosen, choose, chooseForRows, sheets, dayOrders, locked, required } = state
  return (
    <div className={styles.choices}>
      {sheets.length > 0 && (
        <Select
          label="Sheet"
          name="sheet"
          options={sheets.map((sheet) => ({ value: sheet, label: sheet }))}
          value={chosen.sheet ?? null}
          onChange={(sheet) => choose({ sheet: sheet ?? undefined })}
          placeholder="Choose…"
          required
        />
      )}
      {dayOrders.length > 0 && (
        <Select
          label="Days"
          name="day_order"
          options={dayOrders.map((order) => ({ value: order, label: dayOrderNames[order] }))}
          value={chosen.day_order ?? null}
          onChange={(next) => choose({ day_order: dayOrders.find((order) => order === next) })}
          placeholder="Choose…"
          required
        />
      )}
      <NameSelect
        label={required ? messages.imports.propertyRequired : 'Property'}
        name="property_id"
        to="properties"
        value={chosen.property_id}
        onChange={(id) => choose({ property_id: id })}
        disabled={locked !== undefined}
        placeholder={required ? 'Choose…' : 'Each row names its own'}
        clearable={!required}
      />
      <NameSelect
        label="Package"
        name="package_id"
        to="packages"
        value={chosen.rows['package_id']}
        onChange={(id) => chooseForRows('package_id', id)}
        placeholder="The property's package"
        hint={kind.ofOneProperty ? 'For new rooms.' : forRows}
        clearable
      />
      {children}
    </div>
  )
}

/** What is missing before the file can be checked, or what the check has found. */
function Outcome({ kind, state, pasted }: Pick<ImportDialogProps, 'kind' | 'state'> & { pasted: boolean }) {
  const { chosen, choose, sheets, dayOrders, check, checkAgain, required } = state
  const undecided = check.state === 'checked' && sheets.length > 0 && chosen.sheet === undefined
  const inDoubt = check.state === 'checked' && dayOrders.length > 0 && chosen.day_order === undefined
  return (
    <>
      {required && chosen.file && chosen.property_id === undefined && (
        <Notice>Choose the property that the {kind.many} belong to, and the file will be checked.</Notice>
      )}
      {undecided ? (
        <Notice>More than one sheet holds a list of {kind.many}. Choose the one to import.</Notice>
      ) : inDoubt ? (
        <Notice>Some dates can be read in two ways. Choose whether the day or the month comes first.</Notice>
      ) : (
        <CheckResult
          kind={kind}
          check={check}
          file={chosen.file?.name ?? ''}
          pasted={pasted}
          again={checkAgain}
          skips={chosen.skip_problems}
          onSkip={(skip_problems) => choose({ skip_problems })}
        />
      )}
    </>
  )
}
