// File line: the chosen file, with a way to choose another.
import { useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'
import styles from './file-line.module.css'

export interface FileLineProps {
  name: string
  /** Its size, or another detail shown in place of it. */
  bytes?: number
  detail?: string
  icon?: IconName
  types: readonly string[]
  onFiles: (files: File[]) => void
  /** Without it, the file can only be replaced. */
  onRemove?: () => void
}

const sizeOf = (bytes: number) =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

export function FileLine({ name, bytes, detail, icon = 'file', types, onFiles, onRemove }: FileLineProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className={styles.line}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      <span className={styles.emblem}>
        <Icon name={icon} size={20} />
      </span>
      <span className={styles.words}>
        <b>{name}</b>
        <small>{bytes === undefined ? detail : sizeOf(bytes)}</small>
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept={types.join(',')}
        aria-label="Another file"
        onChange={() => {
          const files = [...(input.current?.files ?? [])]
          if (input.current) input.current.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button onClick={() => input.current?.click()}>Choose another</Button>
      {onRemove && <IconButton icon="close" label={`Remove ${name}`} onClick={onRemove} />}
    </div>
  )
}
