// Overview: the first tab of a record: what needs doing, live counts that link to their lists, and facts.
//
//   <Overview
//     todo={[{ title: 'This property is a draft', text: 'Fill in: city.', action: <LinkButton …>Fill in</LinkButton> }]}
//     counts={[{ title: 'Accounts', of: accounts.list, where: { property_id: 7 }, href: to.property(7, 'accounts') }]}
//   >
//     <Panel title="Property"><Facts facts={…} /></Panel>
//   </Overview>
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { callKind } from '#web/kit/call/call.ts'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { mayCall } from '#web/session/may.ts'
import { Icon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './overview.module.css'

export interface Todo {
  title: string
  text?: ReactNode
  /** What to do about it, for users who may. */
  action?: ReactNode
}
export interface Count {
  title: string
  /** A list endpoint: its total is the count. */
  of: Endpoint
  where?: Record<string, unknown>
  filters?: Record<string, unknown>
  href: string
}
/** Where to find the logged changes of this record. */
export interface Log {
  of: Endpoint
  object_type: string
  object_id: number
}
export interface OverviewProps {
  /** Before everything else, in full width: the record's state in a line. */
  first?: ReactNode
  todo?: readonly (Todo | false | undefined)[]
  /** Each is shown to users who may read the list. */
  counts?: readonly Count[]
  log?: Log
  /** Above the panels, in full width: the record's state. */
  above?: ReactNode
  children: ReactNode
}

/** The overview of a guest, account or device: their state and the help for them come from another resource. */
export interface PersonPageProps extends Pick<OverviewProps, 'todo' | 'log' | 'children'> {
  who: { kind: 'account' | 'device' | 'guest'; id: number }
  /** Of an account, if the user may see it. */
  password?: string | null
}

export function Overview({ first, todo = [], counts = [], log, above, children }: OverviewProps) {
  const readable = counts.filter(({ of }) => mayCall(of))
  const open = todo.filter((item) => item !== undefined && item !== false)
  return (
    <div className={styles.overview}>
      {first}
      {open.length > 0 && (
        <ul className={styles.todo} aria-label="What needs doing">
          {open.map(({ title, text, action }) => (
            <li key={title}>
              <Icon name="warning" />
              <div>
                <strong>{title}</strong>
                {text && <p>{text}</p>}
              </div>
              {action}
            </li>
          ))}
        </ul>
      )}
      {readable.length > 0 && (
        <ul className={styles.counts}>
          {readable.map((count) => (
            <li key={count.title}>
              <Link href={count.href} className={styles.count}>
                <span>{count.title}</span>
                <Total {...count} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {above}
      <div className={styles.panels}>{children}</div>
      {log && mayCall(log.of) && <LastChange {...log} />}
    </div>
  )
}

function Total({ of, where = {}, filters = {} }: Count) {
  const { data, isError } = useQuery({
    queryKey: ['total', of.path, where, filters],
    queryFn: async ({ signal }) => {
      const asked = { params: where, filters, per_page: 0, count: true }
      return (await callKind<{ meta: { total: number; more?: true } }>(of, asked, { signal })).meta
    },
    refetchOnWindowFocus: true,
  })
  if (isError) return <strong>–</strong>
  if (!data) return <Skeleton width={48} height={22} />
  return <strong>{wholeOf(data.total) + (data.more ? '+' : '')}</strong>
}

interface Change {
  actor_name: string | null
  created_at: string
}

/** Other logged actions, such as signing in and denied attempts, do not change a record. */
const changes = ['create', 'update', 'activate', 'deactivate', 'delete', 'invite', 'permission', 'import']

function LastChange({ of, object_type, object_id }: Log) {
  const { data } = useQuery({
    queryKey: ['log', of.path, object_type, object_id],
    queryFn: async ({ signal }) => {
      const asked = { filters: { object_type, object_id, action: changes }, per_page: 1 }
      return (await callKind<{ data: Change[] }>(of, asked, { signal })).data[0] ?? null
    },
  })
  if (!data) return null
  return (
    <p className={styles.changed}>
      Last changed by {data.actor_name ?? 'Foyer'}, {timeOf(data.created_at)}
    </p>
  )
}
