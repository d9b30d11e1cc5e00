// Drop zone: a file is dropped on it, or chosen with its button. It passes on any file; the screen checks it.
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Icon } from './icons.tsx'
import styles from './drop-zone.module.css'

export interface DropZoneProps {
  /** The file input's name for screen readers: "Spreadsheet". */
  label: string
  /** The file name extensions offered by the browser's dialog: `['.csv']`. */
  types: readonly string[]
  onFiles: (files: File[]) => void
  /** A line below the button: what is accepted. */
  children?: ReactNode
  invalid?: boolean
}

export function DropZone({ label, types, onFiles, children, invalid = false }: DropZoneProps) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside)
  }
  return (
    // Dropping is an extra for the mouse: keyboards and screen readers use the file input inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <label
      className={styles.zone}
      data-over={over}
      data-invalid={invalid}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, event.currentTarget.contains(event.relatedTarget as Node | null))}
      onDrop={(event) => {
        drag(event, false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      <span className={styles.emblem}>
        <Icon name="upload" size={20} />
      </span>
      <span className={styles.say}>
        <b>Browse</b> or drop a file here
      </span>
      {children && <span className={styles.hint}>{children}</span>}
      <input
        ref={input}
        type="file"
        data-autofocus
        className={styles.input}
        aria-label={label}
        aria-invalid={invalid}
        accept={types.join(',')}
        onChange={() => {
          const files = [...(input.current?.files ?? [])]
          // Lets the same file be chosen again after it was corrected.
          if (input.current) input.current.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </label>
  )
}
