// Subject: one guest: the reason in a sentence, the button that mends it, and below them what else there is to know.
import { useQuery } from '@tanstack/react-query'
import { get, type HelpSubject, type Kind } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { insteadOf } from '#web/kit/form/use-resource.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { PageHeader, Panel } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { Attempts } from './attempts.tsx'
import { Candidates, placeOf } from './candidates.tsx'
import { DevicesHeld, Left } from './holding.tsx'
import { Fixes } from './fixes.tsx'
import styles from './guest-help.module.css'

/** The guest tries again beside the desk: whoever looks on sees it. */
const looked_again_ms = 10_000

interface SubjectProps {
  kind: Kind
  id: number
  q: string
}

export function Subject({ kind, id, q }: SubjectProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['guest-help-subject', kind, id],
    queryFn: ({ signal }) => call(get, { kind, id }, { signal, background: true }),
    staleTime: 0,
    refetchInterval: looked_again_ms,
    refetchOnWindowFocus: true,
  })
  if (!data && error) throw insteadOf(error)
  return (
    <>
      <PageHeader
        above={<Link href={to.guestHelp({ q })}>{q === '' ? 'Another guest' : `Back to “${q}”`}</Link>}
        title={data?.name}
        mark={data && isOnline(data) && <Online />}
      />
      {!data && <Skeleton height={160} label="Loading" />}
      {data && <Told subject={data} q={q} reload={() => void refetch()} />}
    </>
  )
}

const isOnline = ({ devices }: HelpSubject) => devices.some(({ session_id }) => session_id !== null)
/** A voucher's stands beside its code. */
const packageOf = (subject: HelpSubject) => (subject.kind === 'voucher' ? null : subject.package)
const Online = () => (
  <Badge tone="good" dot>
    Online
  </Badge>
)

function Told({ subject, q, reload }: { subject: HelpSubject; q: string; reload: () => void }) {
  const { against, sentence, others, meant } = subject
  const [, ...further] = against
  return (
    <div className={styles.subject}>
      <p className={styles.place}>{[placeOf(subject), packageOf(subject)].filter(Boolean).join(' · ')}</p>
      {others?.warnings
        .filter(({ reason }) => reason !== against[0]?.reason)
        .map(({ reason, message }) => (
          <Notice key={reason} tone="error">
            {message}
          </Notice>
        ))}
      <section className={styles.verdict} data-good={against.length === 0} aria-label="What stands against it">
        <p className={styles.sentence} role="status">
          {sentence}
        </p>
        {further
          .filter(({ reason }) => !others?.warnings.some((warning) => warning.reason === reason))
          .map(({ reason, message }) => (
            <p key={reason} className={styles.further}>
              {message}
            </p>
          ))}
        <Fixes subject={subject} q={q} reload={reload} />
      </section>
      {meant.length > 0 && (
        <Panel title="Perhaps one of these is meant">
          <Candidates found={meant} q={q} />
        </Panel>
      )}
      <div className={styles.panels}>
        <Panel title="Last tries">
          <Attempts attempts={subject.attempts} />
        </Panel>
        {subject.left && (
          <Panel title="What is left">
            <Left left={subject.left} />
          </Panel>
        )}
        {subject.devices.length > 0 && (
          <Panel title="Devices">
            <DevicesHeld subject={subject} reload={reload} />
          </Panel>
        )}
        {others && others.tried > 0 && (
          <Panel title={`Others at ${subject.property?.name ?? 'the property'}`}>
            <p>
              {others.failed === 0
                ? `Everybody who tried in the last ${others.minutes} minutes got online.`
                : `${others.failed} of ${others.tried} devices that tried in the last ${others.minutes} minutes did not get online.`}
            </p>
          </Panel>
        )}
      </div>
    </div>
  )
}
