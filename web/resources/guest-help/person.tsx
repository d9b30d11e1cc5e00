// Person: one guest, whatever they get online with: the verdict as a sentence, the button that fixes it, what to tell them, their
// stay, their devices and their last sign-in attempts. The same in guest help and on their own page.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { get, type HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { keys } from '#web/kit/call/query-client.ts'
import { Overview, type PersonPageProps } from '#web/kit/detail/overview.tsx'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Panel } from '#web/ui/page.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { say } from '#web/words/desk.ts'
import { Attempts } from './attempts.tsx'
import { Candidates, placeOf, type Who } from './candidates.tsx'
import { Fixes } from './fixes.tsx'
import { DevicesHeld, Left, UsageSlip, UsedFacts } from './usage.tsx'
import { OtherActions } from './other-actions.tsx'
import { ReplaceMac } from './replace-mac.tsx'
import { StayActions } from './stay-actions.tsx'
import { Instructions } from './instructions.tsx'
import styles from './guest-help.module.css'

/** Short, so that the desk sees the result when the guest tries again. */
const refresh_ms = 10_000

/** As of one record, so that it is not fetched again once that record is deleted. */
export const personKey = ({ kind, id }: Who, property_id?: number) => [...keys.one(get.path, id), kind, property_id]

/**
 * `property_id`: where the guest is, for vouchers and accounts that are valid at several properties. `fresh_ms`: how long an answer that
 * has just come is not asked for again.
 */
export const usePerson = ({ kind, id }: Who, property_id?: number, fresh_ms = 0) =>
  useQuery({
    queryKey: personKey({ kind, id }, property_id),
    queryFn: ({ signal }) => call(get, { kind, id, property_id: property_id ?? null }, { signal, background: true }),
    staleTime: fresh_ms,
    refetchInterval: refresh_ms,
    refetchOnWindowFocus: true,
  })

export const isOnline = ({ devices }: HelpSubject) => devices.some(({ session_id }) => session_id !== null)
/** A voucher's package is already shown with its code. */
const packageOf = (subject: HelpSubject) => (subject.kind === 'voucher' ? null : subject.package)

export interface PersonProps {
  subject: HelpSubject
  /** What was typed to find them. */
  q: string
  reload: () => Promise<unknown>
  onOther: (other: Who) => void
}

/** Their own page: the same, together with everything else that is stored about them. */
export function PersonPage({ who, password = null, children, ...rest }: PersonPageProps) {
  const mayRead = useMayCall(get)
  return mayRead ? (
    <PersonOnPage who={who} password={password} {...rest}>
      {children}
    </PersonOnPage>
  ) : (
    <Overview {...rest}>{children}</Overview>
  )
}

function PersonOnPage({ who, password = null, children, ...rest }: PersonPageProps) {
  const { data: subject, error, refetch } = usePerson(who)
  const reload = () => refetch()
  const onOther = (other: Who) => go(to.guestHelp({ ...other }))
  if (!subject)
    return (
      <Overview
        {...rest}
        above={
          error ? (
            <LoadFailed error={error} again={() => void reload()} />
          ) : (
            <Skeleton height={96} label={say('loading')} />
          )
        }
      >
        {children}
      </Overview>
    )
  return (
    <Overview {...rest} above={<Standing subject={subject} q="" reload={reload} onOther={onOther} onOwnPage />}>
      <Panels subject={subject} reload={reload} password={password} />
      {children}
    </Overview>
  )
}

export const Person = ({ subject, q, reload, onOther }: PersonProps) => (
  <div className={styles.subject}>
    <p className={styles.place}>{[placeOf(subject), packageOf(subject)].filter(Boolean).join(' · ')}</p>
    <Standing subject={subject} q={q} reload={reload} onOther={onOther} />
    <div className={styles.panels}>
      <Panels subject={subject} reload={reload} />
    </div>
  </div>
)

/** The verdict, with the buttons that fix the problems, and others who may be meant instead. */
function Standing({ subject, q, reload, onOther, onOwnPage = false }: PersonProps & { onOwnPage?: boolean }) {
  const { against, sentence, others, meant } = subject
  const [, ...further] = against
  const said = useRef<HTMLParagraphElement>(null)
  return (
    <>
      {others?.warnings
        .filter(({ reason }) => reason !== against[0]?.reason)
        .map(({ reason, message }) => (
          <Notice key={reason} tone="error">
            {message}
          </Notice>
        ))}
      <section className={styles.verdict} data-good={against.length === 0} aria-label={say('guest.against')}>
        <p ref={said} tabIndex={-1} className={styles.sentence} role="status">
          {sentence}
        </p>
        {further
          .filter(({ reason }) => !others?.warnings.some((warning) => warning.reason === reason))
          .map(({ reason, message }) => (
            <p key={reason} className={styles.further}>
              {message}
            </p>
          ))}
        <Fixes subject={subject} reload={reload} onOther={onOther} verdict={said} />
        {subject.kind === 'device' && <ReplaceMac subject={subject} reload={reload} />}
        {!onOwnPage && <OtherActions subject={subject} reload={reload} />}
      </section>
      {meant.length > 0 && (
        <Panel title={say('guest.meant')}>
          <Candidates found={meant} q={q} />
        </Panel>
      )}
    </>
  )
}

const usedTitle = ({ kind, stay }: HelpSubject) =>
  say(stay ? 'guest.used-stay' : kind === 'voucher' ? 'guest.used' : 'guest.used-30-days')

interface PanelsProps {
  subject: HelpSubject
  reload: () => Promise<unknown>
  password?: string | null
}

const Panels = ({ subject, reload, password = null }: PanelsProps) => {
  const { others, stay, tell, left, used, devices } = subject
  return (
    <>
      {stay && <StayActions subject={subject} stay={stay} reload={reload} />}
      {tell && <Instructions subject={subject} tell={tell} password={password} />}
      {(used || stay) && (
        <Panel title={usedTitle(subject)}>
          <UsedFacts used={used} />
          {stay?.stay_id != null && !stay.checked_out && (
            <UsageSlip stay_id={stay.stay_id} title={usedTitle(subject)} address={tell?.email ?? undefined} />
          )}
        </Panel>
      )}
      {left && (
        <Panel title={say('guest.left')}>
          <Left left={left} />
          {others?.unenforced && <Notice tone="info">{others.unenforced}</Notice>}
        </Panel>
      )}
      {devices.length > 0 && (
        <Panel title={say('guest.devices')}>
          <DevicesHeld subject={subject} reload={reload} />
        </Panel>
      )}
      <Panel title={say('guest.tries')}>
        <Attempts attempts={subject.attempts} />
      </Panel>
      {others && others.tried > 0 && (
        <Panel title={say('guest.others', { property: subject.property?.name ?? say('guest.the-property') })}>
          <p>
            {others.failed === 0
              ? say('guest.others-all', { minutes: others.minutes })
              : say('guest.others-failed', { failed: others.failed, tried: others.tried, minutes: others.minutes })}
          </p>
        </Panel>
      )}
    </>
  )
}
