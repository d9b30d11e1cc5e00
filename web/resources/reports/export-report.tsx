// Export report: the report as a file in one of four formats; a long one is made in the background.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { useMayCall } from '#web/session/may.ts'
import { Menu } from '#web/ui/menu.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { takeFile } from './sending.ts'
import { formatNames, type Run } from './words.ts'
import styles from './reports.module.css'

interface ExportReportProps {
  ask: Input<typeof reports.exportFile>
  /** Called with the run that makes a long report in the background. */
  onBegun: (run: Run) => void
}

export function ExportReport({ ask, onBegun }: ExportReportProps) {
  const [busy, setBusy] = useState(false)
  const mayExport = useMayCall(reports.exportFile)
  if (!mayExport) return null
  const download = async (format: (typeof reports.reportFormats)[number]) => {
    setBusy(true)
    await takeFile({ ...ask, format }, `report.${format}`, onBegun)
    setBusy(false)
  }
  return (
    <>
      <Menu
        label="Export"
        className={styles.export}
        busy={busy}
        button={
          <>
            <Icon name="download" size={16} />
            Export
          </>
        }
        items={reports.reportFormats.map((format) => ({
          label: formatNames[format],
          icon: format === 'pdf' ? ('print' as const) : ('file' as const),
          onPick: () => void download(format),
        }))}
      />
      <span role="status" className="unseen">
        {busy && 'Preparing the file…'}
      </span>
    </>
  )
}
