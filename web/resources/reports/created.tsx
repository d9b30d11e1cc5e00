// Report created: what to do next: see it, schedule it, or send it now.
import * as reports from '#contract/reports.ts'
import * as runs from '#contract/report-runs.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { WhatNext, type NextStep } from '#web/kit/made/what-next.tsx'
import { to } from '#web/paths.ts'
import { isScheduled, reportHref, schedule_step } from './kind.ts'
import { kindIn, kinds } from './kinds.ts'

export function ReportCreated({ id }: { id: number }) {
  const report = useRecord(reports, id)
  const sent = report !== undefined && isScheduled(report)
  const href = report ? reportHref(report) : to.reports()
  const { look } = kinds[kindIn(report?.kind)]
  const next: NextStep[] = [
    { icon: 'look', title: look.title, text: look.text, href: look.href?.() ?? href, call: look.call },
    {
      icon: 'history',
      title: sent ? 'Change its schedule' : 'Schedule it',
      text: 'How often it is made, from which day, and who gets it.',
      href: to.editReport(id, schedule_step),
      call: scheduled.update,
    },
    ...(sent
      ? [
          {
            icon: 'mail' as const,
            title: 'Send it now',
            text: 'Make its file now, and see earlier ones.',
            href: to.scheduledReport(id),
            call: runs.runNow,
          },
        ]
      : []),
  ]
  return (
    <WhatNext
      title={report?.name}
      list={{ title: 'Reports', href: to.reports(), all: 'All reports' }}
      another={{ href: to.newReport(), call: scheduled.create }}
      said={
        sent
          ? 'The report is saved, and will be sent on its days.'
          : 'The report is saved. Its days move on each time it is opened.'
      }
      next={next}
      open={{ title: 'Open the report', href }}
    />
  )
}
