// Statement menu: a bill as a file, in one of the formats.
import { reportFormats } from '#contract/reports.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { formatNames } from './words.ts'
import styles from './reports.module.css'

export type StatementFormat = (typeof reportFormats)[number]

export const StatementMenu = ({ label, take }: { label: string; take: (format: StatementFormat) => void }) => (
  <Menu
    label={label}
    className={styles.export}
    button={
      <>
        <Icon name="download" size={16} />
        Statement
      </>
    }
    items={reportFormats.map((format) => ({
      label: formatNames[format],
      icon: format === 'pdf' ? ('print' as const) : ('file' as const),
      onPick: () => take(format),
    }))}
  />
)
