// Billing run: a draft to review and approve, or an approved run; with its lines, and its statement as a file.
import { useInfiniteQuery } from '@tanstack/react-query'
import * as billing from '#contract/billing-runs.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { useRecord } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page.tsx'
import { EmptyState, Notice, Skeleton } from '#web/ui/state.tsx'
import { approve, deleteDraft, recalculate, takeStatement } from './calls.ts'
import { Drafts } from './drafts.tsx'
import { Gaps, hasGaps, NoRate } from './gaps.tsx'
import { LinesTable } from './lines.tsx'
import { amountText } from '#web/kit/display/amounts.ts'
import { RunBadge, type OneRun } from './words.tsx'
import { FileMenu } from '#web/kit/display/file-menu.tsx'
import { periodOf } from '#web/kit/display/months.ts'
import styles from './billing.module.css'

export function BillingRunScreen({ id }: { id: number }) {
  const run = useRecord({ list: billing.runList, get: billing.getRun }, id)
  return (
    <>
      <PageHeader
        above={<Link href={to.billing()}>Billing</Link>}
        title={run?.name}
        mark={run && <RunBadge of={run.status} />}
        actions={run && <Actions run={run} />}
      />
      {run ? <OpenRun run={run} /> : <Skeleton height={320} />}
    </>
  )
}

function Actions({ run }: { run: OneRun }) {
  const isDraft = run.status === 'draft'
  const mayExport = useMayCall(billing.exportRun)
  const mayDelete = useMayCall(billing.removeRun)
  const mayApprove = useMayCall(billing.approveRun)
  return (
    <>
      {isDraft && mayDelete && (
        <Button icon="delete" onClick={() => void deleteDraft(run)}>
          Delete draft
        </Button>
      )}
      {mayExport && <FileMenu label="Statement" words="Statement" take={(format) => void takeStatement(run, format)} />}
      {isDraft && mayApprove && (
        <Button kind="primary" icon="check" disabled={run.outdated || hasGaps(run)} onClick={() => void approve(run)}>
          Approve
        </Button>
      )}
    </>
  )
}

function OpenRun({ run }: { run: OneRun }) {
  const mayRecalculate = useMayCall(billing.redraftRun)
  return (
    <div className={styles.sheet}>
      <Facts
        inColumns
        facts={[
          [
            'Total',
            <span key="total" className={styles.total}>
              {run.totals.length === 0 && 'Nothing yet'}
              {run.totals.map(({ currency, amount }) => (
                <span key={currency}>{amountText(currency, amount)}</span>
              ))}
            </span>,
          ],
          ['Nights', periodOf(run.period_start, run.period_end)],
          ['Properties', String(run.properties)],
          run.status === 'draft'
            ? ['Made', timeOf(run.created_at)]
            : ['Approved', `${timeOf(run.approved_at)}, ${run.approved_by ?? ''}`],
        ]}
      />
      <Gaps gaps={run} />
      {run.outdated && (
        <Notice>
          <div className={styles.outdated}>
            <span>The figures have changed since this draft was made.</span>
            {mayRecalculate && (
              <Button icon="refresh" onClick={() => void recalculate(run)}>
                Recalculate
              </Button>
            )}
          </div>
        </Notice>
      )}
      {run.status === 'approved' && <Drafts run={run} />}
      <Lines run={run} />
    </div>
  )
}

function Lines({ run }: { run: OneRun }) {
  const mayExport = useMayCall(billing.exportRun)
  const query = useInfiniteQuery({
    queryKey: keys.list(billing.lineList.path, run.id, run.mark),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        billing.lineList,
        { params: { billing_run_id: run.id }, per_page: 200, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={220} label="Loading the lines" />
  const lines = data.pages.flatMap((page) => page.data)
  if (lines.length === 0)
    return (
      <EmptyState icon="roll" title="This run has no lines yet">
        {hasGaps(run) ? 'What is missing is listed above.' : 'All of its nights have been billed in the meantime.'}
      </EmptyState>
    )
  return (
    <>
      {run.status === 'draft' && <NoRate lines={lines} />}
      <LinesTable
        label={`Lines of ${run.name}`}
        lines={lines.map((line) => ({ ...line, key: String(line.id) }))}
        totals={run.totals}
        nights={({ key }) => ({ kept: Number(key) })}
        statement={mayExport ? (of, format) => void takeStatement(run, format, of) : undefined}
        billed={run.status === 'approved'}
      />
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
