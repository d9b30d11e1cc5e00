// Export report: the report as a file in one of four formats.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { fetchFile, save } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { useMayCall } from '#web/session/may.ts'
import { Menu } from '#web/ui/menu.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { formatNames } from './words.ts'
import styles from './reports.module.css'

export function ExportReport({ ask }: { ask: Input<typeof reports.exportFile> }) {
  const [busy, setBusy] = useState(false)
  const mayExport = useMayCall(reports.exportFile)
  if (!mayExport) return null
  const take = async (format: (typeof reports.reportFormats)[number]) => {
    setBusy(true)
    try {
      const file = await fetchFile(reports.exportFile, { ...ask, format }, `report.${format}`)
      save(file)
      notify.success(`${file.name} has been saved`)
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(false)
    }
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
          onPick: () => void take(format),
        }))}
      />
      <span role="status" className="unseen">
        {busy && 'Preparing the file…'}
      </span>
    </>
  )
}
