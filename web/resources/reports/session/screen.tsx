// Session report: every session in a range of days, or everybody who was online in it; with the parameters of a saved report, if given.
import * as reports from '#contract/reports.ts'
import { viewNames } from '#web/resources/reports/report-kind.ts'
import type { Asking } from '#web/resources/reports/report-query.ts'
import { ReportScreen } from '#web/resources/reports/report-screen.tsx'
import styles from '#web/resources/reports/reports.module.css'
import { optionsOf } from '#web/resources/reports/words.ts'
import { Checks } from '#web/ui/checks.tsx'
import { Segments } from '#web/ui/segments.tsx'

export const SessionReport = ({ report_id }: { report_id?: number }) => (
  <ReportScreen kind="session" report_id={report_id} controls={(asking) => <RowControls {...asking} />} />
)

/** The choice of rows and columns. At least one column remains. */
function RowControls({ question: { view_as, columns }, change }: Asking) {
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
