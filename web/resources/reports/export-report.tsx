// Export report: the report as a file in one of four formats; a long one is made in the background.
import { useState } from 'react'
import type { Input } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import { FileMenu } from '#web/kit/display/file-menu.tsx'
import { useMayCall } from '#web/session/may.ts'
import { takeFile } from './sending.ts'
import type { Run } from './words.ts'

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
      <FileMenu label="Export" words="Export" busy={busy} take={(format) => void download(format)} />
      <span role="status" className="unseen">
        {busy && 'Preparing the file…'}
      </span>
    </>
  )
}
