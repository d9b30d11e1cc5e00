// Session report: every session in a range of days, or everybody who was online in it; with the parameters of a saved report, if given.
import * as reports from '#contract/reports.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Checks } from '#web/ui/checks.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { reportQueryOf, useReportQuery, type ReportQuery } from './report-query.ts'
import { ReportScreen } from './report-screen.tsx'
import { optionsOf, viewNames } from './words.ts'
import styles from './reports.module.css'

export const SessionReport = ({ report_id }: { report_id?: number }) =>
  report_id === undefined ? <Open /> : <SavedReport id={report_id} />

function SavedReport({ id }: { id: number }) {
  const record = useRecord(reports, id)
  return record ? <Open name={record.name} base={reportQueryOf(record)} /> : <PageHeader title={undefined} />
}

function Open({ name = 'Session report', base }: { name?: string; base?: ReportQuery }) {
  const { question, change } = useReportQuery(base)
  return (
    <ReportScreen
      kind="session"
      title={name}
      question={question}
      change={change}
      controls={<RowControls question={question} change={change} />}
    />
  )
}

interface RowControlsProps {
  question: ReportQuery
  change: (part: Partial<ReportQuery>) => void
}

/** The choice of rows and columns. At least one column remains. */
function RowControls({ question: { view_as, columns }, change }: RowControlsProps) {
  const offered = reports.sessionColumnKeys.filter((key) =>
    (reports.sessionColumns[key].views as readonly string[]).includes(view_as),
  )
  return (
    <div className={styles.rowControls}>
      <Segments
        label="Rows"
        bare
        value={view_as}
        options={optionsOf(viewNames)}
        onChange={(next) => change({ view_as: next === 'unique' ? 'unique' : 'all_sessions', sort: undefined })}
      />
      <details className={styles.columns}>
        <summary>Columns</summary>
        <Checks
          label="Columns"
          options={offered.map((key) => ({ value: key, label: reports.sessionColumns[key].title }))}
          value={columns}
          onChange={(next) => {
            const ticked = reports.sessionColumnKeys.filter((key) => next.includes(key))
            if (ticked.some((key) => offered.includes(key))) change({ columns: ticked })
          }}
        />
      </details>
    </div>
  )
}
