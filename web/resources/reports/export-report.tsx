// Export report: the report as a file in one of four formats; a long one is begun, and found when it is there.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import { fetchMade, save } from '#web/kit/call/call.ts'
import { forgetLists } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { useMayCall } from '#web/session/may.ts'
import { Menu } from '#web/ui/menu.tsx'
import { Icon } from '#web/ui/icons.tsx'
import { formatNames, type Run } from './words.ts'
import styles from './reports.module.css'

interface ExportReportProps {
  ask: Input<typeof reports.exportFile>
  /** It is long: this run makes it. */
  onBegun: (run: Run) => void
}

export function ExportReport({ ask, onBegun }: ExportReportProps) {
  const [busy, setBusy] = useState(false)
  const mayExport = useMayCall(reports.exportFile)
  if (!mayExport) return null
  const take = async (format: (typeof reports.reportFormats)[number]) => {
    setBusy(true)
    try {
      const made = await fetchMade<Run>(reports.exportFile, { ...ask, format }, `report.${format}`)
      if ('begun' in made) {
        forgetLists(runs.listRuns.path)
        onBegun(made.begun)
      } else {
        save(made)
        notify.success(`${made.name} has been saved`)
      }
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
