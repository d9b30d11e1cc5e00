// Billing: what properties owe: the list of runs, the preview of a period, which becomes a draft, and one run.
import * as billing from '#contract/billing-runs.ts'
import * as scheduled from '#contract/scheduled-reports.ts'
import { NotOpen } from '#web/kit/display/load-failed.tsx'
import { ListScreen } from '#web/kit/list/list-screen.tsx'
import type { Column, Filters } from '#web/kit/list/list-types.ts'
import type { RecordKind } from '#web/kit/list/record-kind.ts'
import { dateOf } from '#web/kit/display/dates.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { useScreenSearch } from '#web/kit/navigation/screen-search.ts'
import { to } from '#web/paths.ts'
import { mayCall, useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { BillingPreview } from './preview.tsx'
import { BillingRunScreen } from './detail.tsx'
import { totalsText } from '#web/kit/display/amounts.ts'
import { lastMonth, periodOf } from '#web/kit/display/months.ts'
import { draftsOf, periodIn, RunBadge, statusNames, type BillingRun } from './words.tsx'
import { deleteDraft, takeStatement } from './calls.ts'
import { ReportsNav } from '#web/frame/reports-nav.tsx'
import { formatNames } from '#web/kit/display/file-formats.ts'
import styles from './billing.module.css'

export function Billing({ run_id }: { run_id?: number }) {
  const search = useScreenSearch()
  const mayRead = useMayCall(billing.runList)
  const period = periodIn(search)
  return (
    <>
      <ReportsNav />
      {!mayRead ? (
        <>
          <PageHeader title="Billing" />
          <NotOpen />
        </>
      ) : run_id !== undefined ? (
        <BillingRunScreen id={run_id} />
      ) : period ? (
        <BillingPreview period={period} />
      ) : (
        <RunList />
      )}
    </>
  )
}

const runKind: RecordKind<BillingRun> = {
  of: { list: billing.runList, get: billing.getRun },
  noun: 'billing runs',
  nameOf: (run) => run.name,
  href: (run) => to.billingRun(run.id),
  consequence: '',
  own: (run) => [
    ...(mayCall(billing.exportRun)
      ? [
          {
            label: `Statement, ${formatNames.pdf}`,
            icon: 'print' as const,
            onPick: () => takeStatement(run, 'pdf'),
          },
          {
            label: `Statement, ${formatNames.xlsx}`,
            icon: 'file' as const,
            onPick: () => takeStatement(run, 'xlsx'),
          },
        ]
      : []),
    ...(run.status === 'draft' && mayCall(billing.removeRun)
      ? [{ label: 'Delete draft', icon: 'delete' as const, danger: true, onPick: () => deleteDraft(run) }]
      : []),
  ],
}

const columns: Column<typeof billing.runList>[] = [
  { title: 'Name', cell: (run) => run.name, width: 140, priority: 1, sort: 'name', grow: 1 },
  {
    title: 'Status',
    cell: (run) => <RunBadge of={run.status} />,
    below: (run) => statusNames[run.status],
    width: 110,
    priority: 3,
  },
  {
    title: 'Nights',
    cell: (run) => periodOf(run.period_start, run.period_end),
    width: 200,
    priority: 4,
    sort: 'period_start',
    grow: 1,
  },
  { title: 'Properties', cell: (run) => run.properties, width: 100, priority: 7, align: 'end' },
  {
    title: 'Total',
    cell: (run) => <span className={styles.figure}>{totalsText(run.totals)}</span>,
    below: (run) => totalsText(run.totals),
    width: 205,
    priority: 2,
    align: 'end',
    grow: 1,
  },
  { title: 'Approved', cell: (run) => dateOf(run.approved_at), width: 118, priority: 6 },
  {
    title: 'Drafts',
    cell: (run) => <DraftsCell run={run} />,
    below: (run) => {
      const drafts = draftsOf(run)
      return drafts && [drafts.first, drafts.rest].filter(Boolean).join(', ')
    },
    width: 250,
    priority: 5,
    grow: 2,
  },
]

function DraftsCell({ run }: { run: BillingRun }) {
  const drafts = draftsOf(run)
  return (
    drafts && (
      <span className={styles.drafted} title={drafts.rest}>
        <Badge dot tone={drafts.tone}>
          {drafts.first}
        </Badge>
        {drafts.rest !== '' && <span>{drafts.rest}</span>}
      </span>
    )
  )
}

const filters: Filters<typeof billing.runList> = {
  status: {
    title: 'Status',
    kind: 'checkbox',
    options: Object.entries(statusNames).map(([value, label]) => ({ value, label })),
  },
}

function RunList() {
  const mayCreate = useMayCall(billing.createRun)
  const maySchedule = useMayCall(scheduled.create)
  const begin = (
    <LinkButton kind="primary" icon={mayCreate ? 'add' : 'look'} href={to.newBillingRun({ ...lastMonth() })}>
      {mayCreate ? 'New bill' : 'Preview last month'}
    </LinkButton>
  )
  return (
    <ListScreen
      of={billing.runList}
      title="Billing"
      kind={runKind}
      columns={columns}
      filters={filters}
      actions={
        <>
          {maySchedule && (
            <LinkButton icon="mail" href={to.newReport({ kind: 'billing', date_range: 'last_month' })}>
              Send statements
            </LinkButton>
          )}
          {begin}
        </>
      }
      empty={{
        icon: 'roll',
        title: 'No bills yet',
        children:
          'Each property owes for its nights: its rate, times the rooms let or a minimum. See what last month comes to; ' +
          'nothing is saved until you choose to.',
        action: begin,
      }}
    />
  )
}
