// New report: a wizard, filled in from the report on screen that is being saved, or from an existing report. A draft continues at the
// step at which it was left.
import type { Output } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { WhenLoaded } from '#web/kit/detail/when-loaded.tsx'
import { Permitted } from '#web/kit/form/permitted.tsx'
import { useRecord, useResource } from '#web/kit/form/use-resource.ts'
import { Wizard } from '#web/kit/form/wizard.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page.tsx'
import { DaysFields, FilterFields, ReportFields, ScheduleFields, stepFields } from './fields.tsx'
import { reportRecord } from './kind.ts'
import { kindIn } from './kinds.ts'
import { reportQueryIn } from './report-query.ts'
import { Review } from './review.tsx'
import { schemaFor } from './rules.ts'

type Report = Output<typeof reports.get>

const ReportTitle = ({ title }: { title: string | undefined }) => (
  <PageHeader title={title} above={<Link href={to.reports()}>Reports</Link>} />
)
const SavedTitle = ({ id }: { id: number }) => <ReportTitle title={useRecord(reports, id)?.name} />

export const NewReport = ({ id }: { id?: number }) => (
  <>
    {id === undefined ? <ReportTitle title="New report" /> : <SavedTitle id={id} />}
    <Permitted to={scheduled.create} back={to.reports()}>
      {id === undefined ? (
        <ReportWizard />
      ) : (
        <WhenLoaded of={reports} id={id}>
          {(record) => <ReportWizard record={record} />}
        </WhenLoaded>
      )}
    </Permitted>
  </>
)

/** The question of the report screen that opened the wizard. */
function presetIn(search: Search) {
  if (search['date_range'] === undefined) return {}
  const { sort: _sort, id: _id, date_range, ...asked } = reportQueryIn(search)
  return { ...asked, date_range: date_range === 'since_last' ? null : date_range, kind: kindIn(one(search['kind'])) }
}

function ReportWizard({ record }: { record?: Report }) {
  const form = useResource(reportRecord, schemaFor, record?.id, presetIn(useScreenSearch()))
  return (
    <Wizard
      form={form}
      noun="report"
      back={to.reports()}
      done={({ id, draft }) => (draft ? to.reports() : to.reportCreated(id))}
      {...(record === undefined || record.draft ? { draftable: 'draft', stepField: 'wizard_step' } : {})}
      steps={[
        { title: 'Report', fields: stepFields.report, body: <ReportFields form={form} /> },
        { title: 'Filters', fields: stepFields.filters, body: <FilterFields form={form} /> },
        { title: 'Days and columns', fields: stepFields.days, body: <DaysFields form={form} /> },
        { title: 'Schedule', fields: stepFields.schedule, body: <ScheduleFields form={form} /> },
        { title: 'Review', fields: [], body: <Review form={form} /> },
      ]}
      {...(record ? { begun: record.wizard_step - 1 } : {})}
    />
  )
}
