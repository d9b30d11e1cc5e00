// Paste cells: treats cells copied in a spreadsheet program like a file. They can be pasted anywhere in the dialog, or into a
// field, for phones and for those who look for one.
import { useEffect } from 'react'
import { useTypedState } from '#web/kit/form/typed.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import styles from './imports.module.css'

interface PasteHandlers {
  onText: (text: string) => void
  onFiles: (files: File[]) => void
}

/** Elements that handle a paste themselves. */
const editable = 'textarea, [contenteditable], input:not([type="file"], [type="checkbox"], [type="radio"], [readonly])'

/** While the dialog is open. Programs may copy a picture of the cells along with them, so text takes precedence over files. */
export function usePaste({ onText, onFiles }: PasteHandlers, enabled: boolean) {
  useEffect(() => {
    if (!enabled) return
    const paste = (event: ClipboardEvent) => {
      if (!event.clipboardData || (event.target instanceof Element && event.target.closest(editable))) return
      event.preventDefault()
      const files = [...event.clipboardData.files]
      const text = event.clipboardData.getData('text/plain')
      if (text.trim() === '' && files.length > 0) onFiles(files)
      else onText(text)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
}

export function PasteCells({ onText }: Pick<PasteHandlers, 'onText'>) {
  const [isOpen, setOpen] = useTypedState('pasting', false)
  const [cells, setCells] = useTypedState('cells', '')
  if (!isOpen)
    return (
      <div className={styles.paste}>
        Or paste what you copied in a spreadsheet.
        <Button kind="quiet" icon="paste" onClick={() => setOpen(true)}>
          Paste cells
        </Button>
      </div>
    )
  return (
    <div
      className={styles.cells}
      onPaste={(event) => {
        // After something was typed, a paste adds to it.
        if (cells !== '') return
        event.preventDefault()
        onText(event.clipboardData.getData('text/plain'))
      }}
    >
      <TextArea
        first
        label="Cells"
        name="cells"
        hint="Copy them in your spreadsheet together with their headings, and paste them here."
        rows={4}
        value={cells}
        onChange={setCells}
      />
      <Button disabled={cells.trim() === ''} onClick={() => onText(cells)}>
        Use these cells
      </Button>
    </div>
  )
}
