// Dashboard: the current figures, what needs attention, and the desk's tools; on a new installation, what to do next.
import { useEffect, useState } from 'react'
import { get } from '#contract/dashboard.ts'
import { showAnswer } from '#web/kit/call/query-client.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { Attention } from './attention.tsx'
import { Backups } from './backups.tsx'
import { DaysChart } from './days-chart.tsx'
import { DeskTools } from './desk-tools.tsx'
import { FirstBill } from './first-bill.tsx'
import type { Figures } from './figures.ts'
import { isBeingSetUp, SetUp } from './set-up.tsx'
import { PropertyStates } from './property-states.tsx'
import { Tiles } from './tiles.tsx'
import styles from './dashboard.module.css'

/** How often the figures are fetched again. During set-up more often, so that a step done elsewhere is soon ticked off. */
const refresh_ms = 20_000
const key = ['dashboard']
const set_up_refresh_ms = 4_000

export function DashboardScreen() {
  const [every_ms, setEvery] = useState(refresh_ms)
  const { data, error, refetch } = useLiveQuery(get, {}, { key, every_ms })
  const settingUp = data !== undefined && isBeingSetUp(data)
  useEffect(() => setEvery(settingUp ? set_up_refresh_ms : refresh_ms), [settingUp])
  if (error && !data)
    return (
      <>
        <PageHeader title="Dashboard" />
        <LoadFailed error={error} again={() => void refetch()} />
      </>
    )
  if (settingUp)
    return (
      <>
        <PageHeader title="Dashboard" />
        {data.properties > 0 && <DeskTools />}
        <SetUp figures={data} />
        {data.attention.length > 0 && <Inbox figures={data} />}
      </>
    )
  return (
    <>
      <PageHeader title="Dashboard" />
      <DeskTools />
      {data && data.standings.length > 0 && (
        <div className={styles.first}>
          <Panel title={appContext() === 'property' ? 'State' : 'Properties, worst first'}>
            <PropertyStates states={data.states} properties={data.standings} />
          </Panel>
        </div>
      )}
      {data && <Inbox figures={data} />}
      <Tiles figures={data} />
      <div className={styles.panels}>
        {data ? <DaysChart figures={data} /> : <Skeleton height={280} />}
        <Panel title="Newest accounts">
          {data ? <NewestAccounts accounts={data.newest_accounts} /> : <Skeleton height={96} />}
        </Panel>
        {data?.backups && (
          <Panel title="Backups">
            <Backups known={data.backups} />
          </Panel>
        )}
        {data && data.ever_online && <FirstBill />}
      </div>
    </>
  )
}

/** Before the figures, as all trouble. */
const Inbox = ({ figures: { attention, attention_more } }: { figures: Figures }) => (
  <div className={styles.first}>
    <Panel title="Needs attention">
      <Attention
        items={attention}
        more={attention_more}
        onChanged={(inbox) => showAnswer<Figures>(key, (figures) => figures && { ...figures, ...inbox })}
      />
    </Panel>
  </div>
)

function NewestAccounts({ accounts }: { accounts: Figures['newest_accounts'] }) {
  if (accounts.length === 0) return <p className={styles.none}>No guest accounts yet.</p>
  return (
    <ul className={styles.list}>
      {accounts.map(({ id, name, property_name, created_at }) => (
        <li key={id}>
          <Link href={to.account(id)} className={styles.entry}>
            <span>
              {name} <small>{property_name}</small>
            </span>
            <time dateTime={created_at} title={timeOf(created_at)}>
              {ageOf(created_at)}
            </time>
          </Link>
        </li>
      ))}
    </ul>
  )
}
