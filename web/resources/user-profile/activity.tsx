// Activity section: who did what and when, with the values before and after. It is read-only for everyone.
import { useEffect, useRef, type ReactNode } from 'react'
import * as activity from '#contract/activity.ts'
import type { RowOf } from '#contract/endpoint.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { clockOf, daysBefore, longDayOf } from '#web/kit/display/dates.ts'
import { FilterDialog } from '#web/kit/list/filter-dialog.tsx'
import { FilterMenu } from '#web/kit/list/filter-menu.tsx'
import { isNarrowed } from '#web/kit/list/list-address.ts'
import { titled, type Filter, type Filters } from '#web/kit/list/list-types.ts'
import { appContext } from '#web/session/context.ts'
import { SearchBar } from '#web/kit/list/search-bar.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { BackToTop } from '#web/ui/back-to-top.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { actionNames, changesIn, actionSentence, isAboutOneself, objectName } from './activity-messages.ts'
import styles from './activity.module.css'

type Line = RowOf<typeof activity.list>

const lastDays = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
  { value: '90', label: 'The last 90 days' },
]
const what = activity.actions.map((value) => ({ value, label: actionNames[value] }))

const beforeOthers = {
  days: { title: 'When', kind: 'select', options: lastDays },
  action: { title: 'What', kind: 'checkbox', options: what },
} satisfies Record<string, Filter>
const others = titled<typeof activity.list>({ user_id: { title: 'Who', kind: 'checkbox', to: 'users' } }, undefined)
const filters: Filters<typeof activity.list> = { ...beforeOthers, ...others }
const nowhere = {}

export function ActivityLog() {
  const list = useList(activity.list, nowhere, filters, { searchKey: 'object_name' })
  const end = useRef<HTMLDivElement>(null)
  const { loadMore } = list
  useEffect(() => {
    const mark = end.current
    if (!mark) return
    const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && loadMore(), {
      rootMargin: '600px',
    })
    watcher.observe(mark)
    return () => watcher.disconnect()
  }, [loadMore, list.rows.length])
  // Only customers have the dialog (specification, section 6); elsewhere all filters are in the menu.
  const dialog = appContext() === 'customer'
  const apply = (values: Record<string, string[]>) => list.ask({ filters: { ...list.asked.filters, ...values } })
  return (
    <div className={styles.log}>
      <div className={styles.toolbar}>
        <SearchBar
          label="Search the activity log"
          typed={list.search.typed}
          onType={list.search.type}
          onSearch={list.search.submit}
          onClear={() => list.ask({ q: '' })}
        />
        <FilterMenu filters={dialog ? beforeOthers : filters} values={list.asked.filters} onApply={apply} />
        {dialog && <FilterDialog filters={others} values={list.asked.filters} onApply={apply} />}
      </div>
      {list.newer > 0 && (
        <Button kind="quiet" icon="refresh" onClick={list.refresh}>
          {list.newer} new
        </Button>
      )}
      {list.state === 'loading' && <LoadingLines />}
      {list.state === 'failed' && <LoadFailed error={list.error} again={list.retry} />}
      {list.state === 'ready' && list.rows.length === 0 && (
        <EmptyState
          icon="activity"
          title={isNarrowed(list.asked) || list.narrowedHere ? 'Nothing matches' : 'Nothing has happened yet'}
          action={
            isNarrowed(list.asked) && (
              <Button onClick={() => list.ask({ q: '', filters: {} })}>Clear search and filters</Button>
            )
          }
        >
          Every change that someone makes is recorded here.
        </EmptyState>
      )}
      {byDay(list.rows as Line[]).map(([day, lines]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ol>
            {lines.map((line) => (
              <Entry key={line.id} line={line} />
            ))}
          </ol>
        </section>
      ))}
      <div ref={end} className={styles.end} role="status">
        {list.loadingMore && 'Loading more…'}
      </div>
      <BackToTop />
    </div>
  )
}

function Entry({ line }: { line: Line }) {
  const changes = changesIn(line)
  return (
    <li className={styles.entry}>
      <time dateTime={line.created_at}>{clockOf(line.created_at)}</time>
      <div>
        <p>
          <strong>{line.actor_name ?? 'Someone'}</strong>
          {line.principal_kind === 'api_key' && ' (API key)'} {actionSentence(line)}
          {!isAboutOneself(line) && line.object_name && <Which>{objectName(line)}</Which>}
        </p>
        {changes.length > 0 && (
          <dl className={styles.changes}>
            {changes.map(({ label, before, after }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {before && (
                    <>
                      <del>{before}</del> <span aria-label="became">→</span>{' '}
                    </>
                  )}
                  <ins>{after}</ins>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {line.ip && <span className={styles.ip}>{line.ip}</span>}
    </li>
  )
}
const Which = ({ children }: { children: ReactNode }) => (
  <>
    {' '}
    <strong>{children}</strong>
  </>
)

const LoadingLines = () => (
  <ol aria-hidden>
    {[62, 48, 71, 55, 66, 44].map((width) => (
      <li key={width} className={styles.entry}>
        <Skeleton width={36} />
        <Skeleton width={`${width}%`} />
      </li>
    ))}
  </ol>
)

function byDay(lines: Line[]): [string, Line[]][] {
  const now = new Date()
  const headingOf = (day: Date) => ['Today', 'Yesterday'][daysBefore(day, now)] ?? longDayOf(day)
  return [...Map.groupBy(lines, ({ created_at }) => headingOf(new Date(created_at)))]
}
