// Sessions: where the user is signed in; each session can be ended.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as own from '#contract/own-sign-in.ts'
import type { Output } from '#contract/endpoint.ts'
import { logout } from '#contract/auth.ts'
import { call } from '#web/kit/call/call.ts'
import { showAnswer } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { session, useSession } from '#web/session/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './security.module.css'

type OpenSession = Output<typeof own.list>[number]
export const sessionsKey = ['own-sessions']

export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call(own.list, {}, { signal }),
    refetchOnWindowFocus: true,
  })
  const rows = useRef<HTMLUListElement>(null)
  const hasEnded = useRef(false)
  // The button that was pressed is gone with its session.
  useEffect(() => {
    if (hasEnded.current && document.activeElement === document.body) rows.current?.focus({ preventScroll: true })
  }, [data])
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={132} />
  return (
    <>
      <ul ref={rows} className={styles.rows} aria-label="Sessions" tabIndex={-1}>
        {data
          .toSorted((one, other) => Number(other.current) - Number(one.current))
          .map((one) => (
            <OneSession
              key={one.session}
              one={one}
              onEnd={() => {
                hasEnded.current = true
              }}
            />
          ))}
      </ul>
      <div className={styles.below}>
        <Button onClick={() => void leaveAll()}>Sign out everywhere</Button>
      </div>
    </>
  )
}

function OneSession({ one, onEnd }: { one: OpenSession; onEnd: () => void }) {
  const { users } = useSession()
  const [busy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    try {
      await call(own.end, { session: one.session })
      onEnd()
      showAnswer<OpenSession[]>(sessionsKey, (rows) => rows?.filter((row) => row.session !== one.session))
      notify.success(`The session on ${one.device} has been ended`)
    } catch (error) {
      notify.failure(error)
      setBusy(false)
    }
  }
  const facts = [
    one.ip,
    // The owner is only shown to logins with several users.
    users.length > 0 && one.owner_name,
    `since ${timeOf(one.created_at)}`,
    one.current ? undefined : `last used ${ageOf(one.last_used_at)}`,
  ]
  return (
    <li>
      <span>
        <strong>{one.device}</strong>
        {facts.filter(Boolean).join(' · ')}
      </span>
      {one.current ? (
        <Badge tone="good">This one</Badge>
      ) : (
        <Button busy={busy} onClick={() => void end()}>
          End
        </Button>
      )}
    </li>
  )
}

async function leaveAll() {
  const sure = await confirm({
    title: 'Sign out everywhere?',
    description: 'Every browser in which you are signed in, including this one, will have to sign in again.',
    accept: 'Sign out everywhere',
    danger: true,
  })
  if (!sure) return
  try {
    await call(logout, {})
    session.end('left')
  } catch (error) {
    notify.failure(error)
  }
}
