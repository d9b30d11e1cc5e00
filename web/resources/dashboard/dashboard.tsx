// Dashboard: how the service stands now, the last thirty days, and what needs a look.
import { useQuery } from '@tanstack/react-query'
import { get } from '#contract/dashboard.ts'
import { call, sentenceOf } from '#web/kit/call/call.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState, Skeleton } from '#web/ui/state.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { DaysChart } from './days-chart.tsx'
import styles from './dashboard.module.css'

const attention = {
  draft_property: 'Draft property',
  silent_gateway: 'Silent gateway',
  failed_import: 'Failed import',
  property_without_portal: 'No portal',
  property_without_package: 'No package',
} as const

const whole = (value: number) => value.toLocaleString()
const gigabytes = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 1 })

export function DashboardScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(get, {}, { signal }),
    refetchOnWindowFocus: true,
  })
  if (error && !data)
    return (
      <>
        <PageHeader title="Dashboard" />
        <EmptyState
          icon="warning"
          title="This could not be loaded"
          action={
            <Button icon="refresh" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {sentenceOf(error)}
        </EmptyState>
      </>
    )
  const tiles: [string, string | undefined, string?][] = [
    ['Guests online', data && whole(data.guests_online)],
    ['Sessions today', data && whole(data.sessions_today)],
    ['Data today', data && gigabytes(data.data_today_gb), 'GB'],
    ['Vouchers left', data && whole(data.vouchers_left)],
  ]
  return (
    <>
      <PageHeader title="Dashboard" />
      <dl className={styles.tiles}>
        {tiles.map(([title, value, unit]) => (
          <div key={title} className={styles.tile}>
            <dt>{title}</dt>
            <dd>
              {value ?? <Skeleton width={64} height={24} />}
              {value !== undefined && unit && <small>{unit}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.panels}>
        <Panel title="Sessions, last 30 days">
          {data ? <DaysChart days={data.days} /> : <Skeleton height={180} />}
        </Panel>
        <Panel title="Needs a look">
          {!data && <Skeleton height={96} />}
          {data?.attention.length === 0 && <p className={styles.none}>All is well.</p>}
          <ul className={styles.list}>
            {data?.attention.map(({ kind, id, name }) => (
              <li key={`${kind}-${id}`}>
                <span>{name}</span>
                <Badge tone="waiting">{attention[kind]}</Badge>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Newest accounts">
          {!data && <Skeleton height={96} />}
          {data?.newest_accounts.length === 0 && <p className={styles.none}>No guest accounts yet.</p>}
          <ul className={styles.list}>
            {data?.newest_accounts.map(({ id, name, property_name, created_at }) => (
              <li key={id}>
                <span>
                  {name}
                  <small>{property_name}</small>
                </span>
                <time dateTime={created_at}>{timeOf(created_at)}</time>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  )
}
