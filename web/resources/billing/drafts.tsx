// Billing drafts: what an approved run becomes in the accounting system: what would be sent, the progress, the drafts made there, and
// what to do about problems.
import { useInfiniteQuery, useQuery, keepPreviousData } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import * as invoices from '#contract/billing-invoices.ts'
import * as billing from '#contract/billing-runs.ts'
import type { Reply, RowOf } from '#contract/endpoint.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { amountText } from '#web/kit/display/amounts.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Link, LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { useSession } from '#web/session/session.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { checkBooks, push, renewDrafts } from './calls.ts'
import type { OneRun } from './words.tsx'
import styles from './billing.module.css'

type Plan = Reply<typeof invoices.preview>
type Planned = Plan['data'][number]
type Invoice = RowOf<typeof invoices.list>

const refresh_ms = 2000

export function Drafts({ run }: { run: OneRun }) {
  const mayPush = useMayCall(invoices.push)
  const plan = useQuery({
    queryKey: keys.list(invoices.preview.path, run.id, run.drafts),
    queryFn: ({ signal }) => call(invoices.preview, { id: run.id }, { signal }),
    placeholderData: keepPreviousData,
    // A contact may have been chosen in the meantime, in another tab or before coming back here.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
  const sent = useSent(run)
  const error = plan.error ?? sent.error
  const again = () => void Promise.all([plan.refetch(), sent.refetch()])
  if (error && !(plan.data && sent.data)) return <LoadFailed error={error} again={again} />
  if (!plan.data || !sent.data) return <Skeleton height={120} label="Loading the drafts" />
  const { provider, connected } = plan.data.meta
  const made = sent.data.pages.flatMap((page) => page.data)
  if (provider === null && made.length === 0) return null
  const name = provider ?? 'the books'
  if (!connected && made.length === 0) return <Connect name={name} />
  return (
    <Panel
      title={`Drafts in ${name}`}
      actions={
        mayPush && (
          <span className={styles.state}>
            {run.drafts.sent > 0 && connected && <LookButton run={run} name={name} />}
            <PushButton run={run} plan={plan.data.data} name={name} done={again} />
          </span>
        )
      }
    >
      <div className={`${styles.sheet} ${styles.measured}`}>
        {run.drafts.waiting > 0 && <Progress run={run} name={name} />}
        {run.drafts.gone > 0 && <GoneNotice run={run} name={name} mayPush={mayPush && connected} />}
        <table className={styles.drafts} aria-label={`Drafts in ${name}`}>
          <thead>
            <tr>
              <th scope="col">For</th>
              <th scope="col" data-end>
                Amount
              </th>
              <th scope="col">Draft</th>
            </tr>
          </thead>
          <tbody>
            {made.map((draft) => (
              <MadeRow key={draft.id} draft={draft} name={name} />
            ))}
            {plan.data.data.map((draft) => (
              <PlannedRow
                key={`${draft.currency} ${draft.problem} ${draft.properties.map(({ id }) => id).join()}`}
                draft={draft}
                name={name}
              />
            ))}
          </tbody>
        </table>
        {sent.hasNextPage && (
          <Button busy={sent.isFetchingNextPage} onClick={() => void sent.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Panel>
  )
}

/** The drafts that exist. They are loaded again whenever the run makes progress. */
const useSent = (run: OneRun) =>
  useInfiniteQuery({
    queryKey: keys.list(invoices.list.path, run.id, run.drafts),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        invoices.list,
        { params: { billing_run_id: run.id }, per_page: 200, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  })

const useConnections = () => to.userProfile(useSession().user?.id ?? 0, 'integrations')

function Connect({ name }: { name: string }) {
  const address = useConnections()
  return (
    <Notice>
      <div className={styles.outdated}>
        <span>Connected to {name}, an approved run becomes drafts there, which an accountant approves.</span>
        <LinkButton href={address}>Connect {name}</LinkButton>
      </div>
    </Notice>
  )
}

interface PushButtonProps {
  run: OneRun
  plan: Planned[]
  name: string
  done: () => void
}
function PushButton({ run, plan, name, done }: PushButtonProps) {
  const ready = plan.filter((one) => one.ready)
  const { failed, sent, waiting } = run.drafts
  if (plan.every(({ fix, ready: is }) => fix === null && !is) && failed === 0) return null
  const label =
    ready.length === 0 && failed > 0 ? 'Try again' : sent + waiting > 0 ? 'Push the rest' : `Push to ${name}`
  return (
    <Button
      kind="primary"
      icon="forward"
      disabled={ready.length + failed === 0}
      onClick={() => void push(run, { name, label, ready, failed, left: plan.length - ready.length }).finally(done)}
    >
      {label}
    </Button>
  )
}

/** Checks whether an accountant has deleted drafts there. */
function LookButton({ run, name }: { run: OneRun; name: string }) {
  const [busy, setBusy] = useState(false)
  const look = () => {
    setBusy(true)
    void checkBooks(run, name).finally(() => setBusy(false))
  }
  return (
    <Button icon="refresh" busy={busy} onClick={look}>
      Look in {name}
    </Button>
  )
}

function GoneNotice({ run, name, mayPush }: { run: OneRun; name: string; mayPush: boolean }) {
  const { gone } = run.drafts
  return (
    <Notice>
      <div className={styles.outdated}>
        <span>
          {gone === 1 ? 'One draft was' : `${gone} drafts were`} deleted or voided in {name}. Nothing was sent instead.
        </span>
        {mayPush && (
          <Button icon="refresh" onClick={() => void renewDrafts(run, name)}>
            Make again
          </Button>
        )}
      </div>
    </Notice>
  )
}

/** Sending continues if the user leaves the page. */
function Progress({ run, name }: { run: OneRun; name: string }) {
  useLiveQuery(billing.getRun, { id: run.id }, { key: keys.one(billing.getRun.path, run.id), every_ms: refresh_ms })
  const { waiting, sent, failed } = run.drafts
  const all = waiting + sent + failed
  return (
    <Notice>
      <div className={styles.outdated}>
        <span>
          {sent + failed} of {all} sent to {name}. You can leave this page: sending continues.
        </span>
        <progress aria-label="Progress" max={all} value={sent + failed} />
      </div>
    </Notice>
  )
}

const states: Record<Invoice['state'], { tone: Tone; word: string }> = {
  waiting: { tone: 'waiting', word: 'On its way' },
  sent: { tone: 'good', word: 'Draft made' },
  failed: { tone: 'wrong', word: 'Not taken' },
  gone: { tone: 'off', word: 'Gone' },
}
const goneWords = { deleted: 'Deleted', voided: 'Voided' }
const kinds = { invoice: 'Invoice', credit_note: 'Credit note' }

function MadeRow({ draft, name }: { draft: Invoice; name: string }) {
  const { property, properties, contact, currency, amount, kind, state, number, url, amount_answered, error } = draft
  const { gone_as, replaced_at, fix } = draft
  const address = useConnections()
  const { tone, word } = states[state]
  const title = property?.name ?? (properties === 1 ? 'One property' : `${properties} properties`)
  const differs = state === 'sent' && amount_answered !== null && amount_answered !== amount
  return (
    <DraftRow title={title} contact={contact?.name} currency={currency} amount={amount}>
      <span className={styles.state}>
        <Badge dot tone={tone}>
          {gone_as === null ? word : `${goneWords[gone_as]} in ${name}`}
        </Badge>
        {url !== null && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            {number ?? kinds[kind]}
          </a>
        )}
        {kind === 'credit_note' && <Badge>Credit note</Badge>}
      </span>
      {differs && (
        <p className={styles.wrong}>
          {name} says {amountText(currency, amount_answered)}. Look at it there before you approve it.
        </p>
      )}
      {replaced_at !== null && <p className={styles.said}>Made anew {timeOf(replaced_at)}.</p>}
      {error !== null && <p className={state === 'failed' ? styles.wrong : styles.said}>{error}</p>}
      {fix === 'contact' && property?.id != null && <ContactLink id={property.id} />}
      {fix === 'connection' && <Link href={address}>Open the connection</Link>}
    </DraftRow>
  )
}

function PlannedRow({ draft, name }: { draft: Planned; name: string }) {
  const { properties, contact, currency, amount, amount_expected, kind, ready, problem, fix } = draft
  const [first] = properties
  const title = properties.length > 1 ? `${properties.length} properties` : (first?.name ?? '')
  const address = useConnections()
  // "No contact" and the link to choose one already say it, so the problem is not shown.
  const isPlain = contact === null && fix === 'contact'
  return (
    <DraftRow title={title} contact={contact?.name} currency={currency} amount={amount}>
      <span className={styles.state}>
        <Badge tone={ready ? 'plain' : fix ? 'waiting' : 'off'}>
          {ready ? 'Not sent yet' : fix ? 'Needs your attention' : 'Not sent'}
        </Badge>
        {kind === 'credit_note' && <Badge>Credit note</Badge>}
        {fix === 'contact' && first?.id != null && <ContactLink id={first.id} />}
        {fix === 'connection' && <Link href={address}>Open the connection</Link>}
      </span>
      {amount_expected !== amount && (
        <p className={styles.wrong}>
          {name} shows two decimal places: it will say {amountText(currency, amount_expected)}.
        </p>
      )}
      {problem !== null && !isPlain && <p className={styles.said}>{problem}</p>}
    </DraftRow>
  )
}

function ContactLink({ id }: { id: number }) {
  return <Link href={to.property(id, 'details')}>Choose a contact</Link>
}

interface DraftRowProps {
  title: string
  contact: string | undefined
  currency: string
  amount: string
  children: ReactNode
}
const DraftRow = ({ title, contact, currency, amount, children }: DraftRowProps) => (
  <tr>
    <td>
      <span className={styles.for}>{title}</span>
      <span className={styles.quiet}>{contact ?? 'No contact'}</span>
    </td>
    <td data-end>{amountText(currency, amount)}</td>
    <td>{children}</td>
  </tr>
)
