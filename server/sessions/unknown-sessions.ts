// Unknown sessions: those of which a gateway that was to end them says that it has none such. It may be wrong, or mean another one:
// each is looked into before ours is closed.
import { sql } from 'kysely'
import type { Scope } from '#server/access/tenancy.ts'
import { endedAtOurWord } from '#server/sessions/disconnects.ts'

/** 'gone': it knew nothing of it from the first. 'ended': it may have ended it at our word. */
interface Answered {
  id: number
  outcome: string
}

/** Whoever was reported since we asked, or since it said so before, is online still, and is asked for again with the next report. */
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
      disconnect_unknown_at: sql`now()`,
      // The desk did not end what was over; whoever lost the right to be online is told which.
      termination_cause: sql`case when t.id = any(${gone}) and t.disconnect_agreed_at is null
        and coalesce(t.disconnect_for, 'Admin-Reset') = 'Admin-Reset' then 'Session-Unknown' else ${endedAtOurWord} end`,
    },
  )
  await scope.change('radius_sessions', open, { disconnect_unknown_at: sql`now()` })
}

/** A report may be what made us ask. */
const same_moment_s = 2
