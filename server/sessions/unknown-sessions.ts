// Unknown sessions: those that a gateway was asked to end and says it does not have. It may be wrong, or mean another one: each is
// checked before ours is closed.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { endedAtOurWord } from '#server/sessions/disconnects.ts'

/** 'gone': the gateway did not know it when first asked. 'ended': it may have ended it because we asked. */
interface Answered {
  id: number
  outcome: string
}

/** A session reported since we asked, or since the last such answer, is still online; it is asked for again after its next report. */
export async function closeUnknown(scope: Scope, answers: readonly Answered[]) {
  const idsOf = (wanted: string) => answers.filter(({ outcome }) => outcome === wanted).map(({ id }) => id)
  const [gone, ended] = [idsOf('gone'), idsOf('ended')]
  if (gone.length + ended.length === 0) return
  const open = sql<boolean>`t.id = any(${[...gone, ...ended]}) and t.stopped_at is null`
  await scope.change(
    'radius_sessions',
    sql`${open} and (t.disconnect_unknown_at is null or t.last_seen_at <= t.disconnect_unknown_at)
      and (t.disconnect_asked_at is null or t.last_seen_at <= t.disconnect_asked_at + make_interval(secs => ${same_moment_s}))`,
    {
      stopped_at: sql`t.last_seen_at`,
      stop_inferred: true,
      reported_from: null,
      disconnect_unknown_at: sql`now()`,
      // The desk did not end what was already over; for a lost right to be online, the cause is kept.
      termination_cause: sql`case when t.id = any(${gone}) and t.disconnect_agreed_at is null
        and coalesce(t.disconnect_for, 'Admin-Reset') = 'Admin-Reset' then 'Session-Unknown' else ${endedAtOurWord} end`,
    },
  )
  await scope.change('radius_sessions', open, { disconnect_unknown_at: sql`now()` })
}

/** Our request may follow from a report of the same moment. */
const same_moment_s = 2
