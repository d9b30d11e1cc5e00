// Person: one guest, whatever they get online with: the verdict in a sentence, the button that mends it, what to tell them, their
// stay, their devices and their last tries. The same wherever somebody opens them.
import { useQuery } from '@tanstack/react-query'
import { get, type HelpSubject, type Kind } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { Panel } from '#web/ui/page.tsx'
import { Notice } from '#web/ui/state.tsx'
import { AccountHands } from './account-hands.tsx'
import { Attempts } from './attempts.tsx'
import { Candidates, placeOf } from './candidates.tsx'
import { Fixes } from './fixes.tsx'
import { DevicesHeld, Left } from './holding.tsx'
import { ReplaceMac } from './replace-mac.tsx'
import { StayHands } from './stay-hands.tsx'
import { Tell } from './tell.tsx'
import styles from './guest-help.module.css'

/** The guest tries again beside the desk: whoever looks on sees it. */
const looked_again_ms = 10_000

export interface Who {
  kind: Kind
  id: number
}

/** `property_id`: where the guest is, for what is good in several. */
export const usePerson = ({ kind, id }: Who, property_id?: number) =>
  useQuery({
    queryKey: ['guest-help-subject', kind, id, property_id],
    queryFn: ({ signal }) => call(get, { kind, id, property_id: property_id ?? null }, { signal, background: true }),
    staleTime: 0,
    refetchInterval: looked_again_ms,
    refetchOnWindowFocus: true,
  })

export const isOnline = ({ devices }: HelpSubject) => devices.some(({ session_id }) => session_id !== null)
/** A voucher's stands beside its code. */
const packageOf = (subject: HelpSubject) => (subject.kind === 'voucher' ? null : subject.package)

export interface PersonProps {
  subject: HelpSubject
  /** What was typed to find them. */
  q: string
  reload: () => void
  onOther: (other: Who) => void
  /** It stands on the guest's own page, which has what is done with an account. */
  onOwnPage?: boolean
}

/** The same at the top of an account's own page. */
export function PersonOfAccount({ id }: { id: number }) {
  const { data, refetch } = usePerson({ kind: 'account', id })
  if (!data) return null
  const onOther = (other: Who) => go(to.guestHelp({ ...other }))
  return (
    <div className={styles.ownPage}>
      <Person subject={data} q="" reload={() => void refetch()} onOther={onOther} onOwnPage />
    </div>
  )
}

export function Person({ subject, q, reload, onOther, onOwnPage = false }: PersonProps) {
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
        <Fixes subject={subject} reload={reload} onOther={onOther} />
        {subject.kind === 'account' && !onOwnPage && <AccountHands subject={subject} reload={reload} />}
        {subject.kind === 'device' && <ReplaceMac subject={subject} reload={reload} />}
      </section>
      {meant.length > 0 && (
        <Panel title="Perhaps one of these is meant">
          <Candidates found={meant} q={q} />
        </Panel>
      )}
      <div className={styles.panels}>
        {subject.stay && <StayHands subject={subject} stay={subject.stay} reload={reload} />}
        {subject.tell && <Tell subject={subject} tell={subject.tell} />}
        <Panel title="Last tries">
          <Attempts attempts={subject.attempts} />
        </Panel>
        {subject.left && (
          <Panel title="What is left">
            <Left left={subject.left} />
            {others?.unenforced && <Notice tone="info">{others.unenforced}</Notice>}
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
