// Report created: see it, or change it.
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { WhatNext, type NextStep } from '#web/kit/made/what-next.tsx'
import { to } from '#web/paths.ts'
import { reportHref } from './kind.ts'

export function ReportCreated({ id }: { id: number }) {
  const report = useRecord(reports, id)
  const href = report ? reportHref(report) : to.reports()
  const next: NextStep[] = [
    {
      icon: 'look',
      title: 'See it',
      text: 'Totals, a chart and every row, and as a file.',
      href,
      call: reports.run,
    },
    {
      icon: 'edit',
      title: 'Change it',
      text: 'What it is about, its filters, its days and columns.',
      href: to.editReport(id),
      call: scheduled.update,
    },
  ]
  return (
    <WhatNext
      title={report?.name}
      list={{ title: 'Reports', href: to.reports(), all: 'All reports' }}
      another={{ href: to.newReport(), call: scheduled.create }}
      said="The report is saved. It has its own days each time that it is opened."
      next={next}
      open={{ title: 'Open the report', href }}
    />
  )
}
