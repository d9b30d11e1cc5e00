// Scheduled reports: which reports are sent, when next, and how the last run went; and one schedule with everything that was sent.
import type { Reply } from '#contract/endpoint.ts'
import * as runs from '#contract/report-runs.ts'
import * as reports from '#contract/reports.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { FieldFacts } from '#web/kit/detail/field-facts.tsx'
import { dayOf, timeIn, timeOf } from '#web/kit/display/dates.ts'
import { StatusBadge, statusBelow, statusOptions } from '#web/kit/display/status-badge.tsx'
import { zoneName } from '#web/kit/display/time-zones.ts'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { InTab } from '#web/kit/list/in-tab.ts'
import { fieldColumns } from '#web/kit/list/field-columns.ts'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, ScreenFilters } from '#web/kit/list/list-types.ts'
import { CreateButton } from '#web/kit/navigation/create-button.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { RunsList } from './files.tsx'
import { isOrphaned, isScheduled, reportHref, schedule_step, scheduledKind, type ScheduledReport } from './kind.ts'
import { kinds } from './kinds.ts'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { runNow, takeOver } from './sending.ts'
import {
  optionsOf,
  outcomeNames,
  outcomeTones,
  pausedNames,
  pausedSentences,
  rangeNames,
  receiverNames,
  since_last,
  stateNames,
} from './words.ts'
import { useZone } from './use-zone.ts'
import styles from './reports.module.css'

/** In the customer's time zone, by which it is sent, regardless of the reader's. */
const nextOf = ({ paused_for, next_run_at }: ScheduledReport, zone: string | undefined) =>
  paused_for === null ? timeIn(next_run_at, zone) : pausedNames[paused_for]

const column = fieldColumns({ list: scheduled.listScheduled, fields: reports.fields })

const columnsOf = (zone: string | undefined): Column<typeof scheduled.listScheduled>[] => [
  column('name', { width: 160, priority: 1, sort: 'name', grow: 3 }),
  column('status', {
    cell: (report) => <StatusBadge of={report.status} />,
    below: statusBelow,
    width: 104,
    priority: 3,
  }),
  column('frequency', { width: 104, priority: 4 }),
  column('next_run_at', {
    cell: (report) =>
      report.paused_for === null ? nextOf(report, zone) : <Badge tone="wrong">{nextOf(report, zone)}</Badge>,
    below: (report) => nextOf(report, zone),
    width: 178,
    priority: 2,
  }),
  {
    title: 'Last time',
    cell: ({ last_run }) =>
      last_run && (
        <span title={timeOf(last_run.created_at)}>
          <Badge dot tone={outcomeTones[last_run.outcome]}>
            {outcomeNames[last_run.outcome]}
          </Badge>
        </span>
      ),
    below: ({ last_run }) => last_run?.outcome === 'failed' && 'Failed the last time',
    width: 104,
    priority: 5,
  },
  {
    title: 'Why it failed',
    cell: ({ last_run }) => last_run?.error && <span className={styles.wrong}>{last_run.error}</span>,
    below: ({ last_run }) => last_run?.error,
    width: 130,
    priority: 7,
    grow: 2,
  },
  column('owner', { cell: ({ owner }) => owner?.name, width: 120, priority: 6 }),
  column('recipients', {
    cell: ({ recipients, unconfirmed }) =>
      unconfirmed === 0 ? recipients.join(', ') : `${recipients.join(', ')} (${unconfirmed} not confirmed)`,
    width: 160,
    priority: 6,
    grow: 2,
  }),
]

const filters: ScreenFilters<typeof scheduled.listScheduled> = {
  status: { kind: 'checkbox', options: statusOptions },
  frequency: { kind: 'checkbox' },
  state: { title: 'Sending', kind: 'checkbox', options: optionsOf(stateNames) },
}

export const ScheduledReports = ({ report_id }: { report_id?: number }) => (
  <>
    <ReportsNav />
    {report_id === undefined ? <ScheduledList /> : <OneSchedule id={report_id} />}
  </>
)

function ScheduledList() {
  const zone = useZone()
  const create = (
    <CreateButton of={scheduled.create} href={to.newReport()}>
      New report
    </CreateButton>
  )
  return (
    <ListScreen
      of={scheduled.listScheduled}
      title="Scheduled reports"
      kind={scheduledKind}
      columns={columnsOf(zone)}
      filters={filters}
      actions={
        <>
          {zone !== undefined && <ByZone zone={zone} />}
          {create}
        </>
      }
      empty={{
        icon: 'mail',
        title: 'No scheduled reports yet',
        children: 'A report with a frequency and recipients is created and mailed on its days automatically.',
        action: create,
      }}
    />
  )
}

/** Says at what time and in which time zone reports are sent. */
function ByZone({ zone }: { zone: string }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <span className={styles.zone}>
      Sent at {scheduled.due_hour}:00, <Link href={to.userProfile(user.id, 'company')}>{zoneName(zone)} time</Link>
    </span>
  )
}

function OneSchedule({ id }: { id: number }) {
  const record = useRecord(reports, id)
  const mayRun = useMayCall(runs.runNow)
  const maySave = useMayCall(scheduled.update)
  const mayTakeOver = useMayCall(scheduled.takeOver)
  const zone = useZone()
  return (
    <>
      <PageHeader
        above={<Link href={to.scheduledReports()}>Scheduled reports</Link>}
        title={record?.name}
        mark={record && <StatusBadge of={record.status} />}
        actions={
          <>
            {mayTakeOver && record && isOrphaned(record) && (
              <Button onClick={() => void takeOver(record)}>Take over</Button>
            )}
            {maySave && <LinkButton href={to.editReport(id, schedule_step)}>Edit</LinkButton>}
            {mayRun && record && isScheduled(record) && !record.draft && (
              <Button kind="primary" icon="mail" onClick={() => void runNow(id)}>
                Run and send now
              </Button>
            )}
          </>
        }
      />
      {record ? (
        <div className={styles.report}>
          {record.paused_for !== null && <Notice>{pausedSentences[record.paused_for]}</Notice>}
          <Panel title="Schedule">
            <FieldFacts
              fields={reports.fields}
              of={record}
              first={[
                ['frequency'],
                [
                  'next_run_at',
                  [
                    record.next_run_at && zone && `${timeIn(record.next_run_at, zone)}, ${zoneName(zone)} time`,
                    'Not planned',
                  ],
                ],
              ]}
              sections={['schedule', 'days']}
              own={{
                recipients: [<Receivers key="recipients" of={record} />],
                only_if_rows: [record.only_if_rows ? 'Yes' : 'No, even if it is empty'],
                date_range: [record.date_range && rangeNames[record.date_range], since_last],
                start_date: null,
                end_date: null,
              }}
              last={[
                ['owner', [record.owner?.name, 'Nobody', 'Owner']],
                ...record.filters_applied.map(
                  ({ key, title, values }) => [key, [values.join(', '), undefined, title]] as const,
                ),
                ['rows', [<Seen key="rows" of={record} />, undefined, kinds[record.kind].look.label]],
              ]}
            />
          </Panel>
          <Panel title="What was made">
            <InTab value>
              <RunsList report_id={id} />
            </InTab>
          </Panel>
        </div>
      ) : (
        <Skeleton height={240} />
      )}
    </>
  )
}

/** Each recipient, with what keeps reports from them. */
const Receivers = ({ of: { receivers } }: { of: Reply<typeof reports.get>['data'] }) =>
  receivers.length === 0
    ? 'Nobody yet'
    : receivers.map(({ email, state, until }) => (
        <div key={email}>
          {email}
          {state !== 'confirmed' && ` (${receiverNames[state]}${until === null ? '' : `, sent until ${dayOf(until)}`})`}
        </div>
      ))

/** Statements have no rows of their own, so they link to the bill. */
function Seen({ of: report }: { of: Parameters<typeof reportHref>[0] }) {
  const { href, link } = kinds[report.kind].look
  return <Link href={href?.() ?? reportHref(report)}>{link}</Link>
}
