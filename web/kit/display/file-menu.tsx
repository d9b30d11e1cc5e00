// File menu: a report or a bill as a file, in one of the formats. It looks like the buttons next to it.
import { Icon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { fileFormats, formatNames, type FileFormat } from './file-formats.ts'
import styles from './file-menu.module.css'

interface FileMenuProps {
  /** For screen readers: "Statement of Alpha". */
  label: string
  /** On the button. */
  words: string
  busy?: boolean
  take: (format: FileFormat) => void
}

export const FileMenu = ({ label, words, busy = false, take }: FileMenuProps) => (
  <Menu
    label={label}
    className={styles.button}
    busy={busy}
    button={
      <>
        <Icon name="download" size={16} />
        {words}
      </>
    }
    items={fileFormats.map((format) => ({
      label: formatNames[format],
      icon: format === 'pdf' ? ('print' as const) : ('file' as const),
      onPick: () => take(format),
    }))}
  />
)
