// Trial: a dialog with an address, `?modal=trial&property_id=7`: the property's own portal tried as a guest, at a gateway that Foyer plays,
// with what the desk sees of that guest beside it. Nothing of it is kept.
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Output } from '#contract/endpoint.ts'
import * as properties from '#contract/properties.ts'
import * as trials from '#contract/trials.ts'
import { call } from '#web/kit/call/call.ts'
import { useNamesLoaded } from '#web/kit/call/names.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { useLiveQuery } from '#web/kit/call/use-live-query.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { clockOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { dataOf, lengthOf } from '#web/kit/display/numbers.ts'
import { NameSelect } from '#web/kit/form/name-select.tsx'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { Copyable } from '#web/kit/made/copyable.tsx'
import { QrPicture } from '#web/kit/made/qr-picture.tsx'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFooter } from '#web/ui/dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import styles from './gateways.module.css'

type Trial = Output<typeof trials.trial>

const refresh_ms = 1500

/** What each step says once it is taken, and before. */
const steps: Record<trials.TrialStep['key'], { taken: string; waits: string }> = {
  joined: { taken: 'Joined the network', waits: 'Waiting for a guest: open the guest’s window' },
  signed_in: { taken: 'Signed in on the portal', waits: 'On the portal, not signed in yet' },
  let_in: { taken: 'Let in by RADIUS', waits: 'RADIUS has not let anybody in yet' },
  online: { taken: 'Online, as the gateway reports', waits: 'The gateway has not reported anybody yet' },
  used: { taken: 'Uses data', waits: 'Nothing used yet' },
  left: { taken: 'Left', waits: 'Has not left' },
}

export interface TrialDialogProps {
  property_id?: number
  close: () => void
}

export function TrialDialog({ property_id, close }: TrialDialogProps) {
  const mayTry = useMayCall(trials.startTrial)
  const [picked, pick] = useState<number>()
  const { names, loaded } = useNamesLoaded(properties.names)
  const places = names.filter(({ status }) => status === 'active')
  const id = picked ?? property_id ?? (places.length === 1 ? places[0]?.id : undefined)
  return (
    <Dialog open onClose={close} title="Try it as a guest" width={760} wholeOnPhones>
      {!mayTry ? (
        <NotPermitted icon="gateways" />
      ) : (
        <div className={styles.told}>
          <p>
            Foyer simulates a gateway for an hour: it sends you to the portal of the property as it would send a guest,
            and asks RADIUS to let you in. None of it counts in reports, bills or figures, nothing is mailed or texted,
            and a code that you use stays unused.
          </p>
          {property_id === undefined && loaded && places.length === 0 && (
            <Notice>
              No property is active yet, so there is no portal to send you to. Complete one and activate it, then come
              back. <Link href={to.properties()}>Properties</Link>
            </Notice>
          )}
          {property_id === undefined && places.length > 0 && (
            <NameSelect
              label="Property"
              name="property_id"
              to="properties"
              only={({ status }) => status === 'active'}
              value={id}
              onChange={pick}
            />
          )}
          {id !== undefined && <TrialAt key={id} property_id={id} />}
        </div>
      )}
    </Dialog>
  )
}

function TrialAt({ property_id }: { property_id: number }) {
  const key = ['trial', property_id]
  const { data, error, refetch } = useLiveQuery(trials.trial, { property_id }, { key, every_ms: refresh_ms })
  const [busy, setBusy] = useState(false)
  const press = (endpoint: typeof trials.startTrial | typeof trials.endTrial) => async () => {
    setBusy(true)
    try {
      await call(endpoint, { property_id })
      await refetch()
      invalidateOthers()
    } catch (failure) {
      notify.failure(failure)
    } finally {
      setBusy(false)
    }
  }
  if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
  if (!data) return <Skeleton height={280} label="Loading" />
  const { url } = data
  if (url === null)
    return (
      <Focused>
        <DialogFooter>
          <Button kind="primary" busy={busy} onClick={() => void press(trials.startTrial)()}>
            {data.tried_at === null ? 'Begin' : 'Try it again'}
          </Button>
        </DialogFooter>
      </Focused>
    )
  return (
    <>
      <Open url={url} trial={data} />
      <section aria-label="What the desk sees" className={styles.seen}>
        <h3>
          What the desk sees <Badge tone="waiting">Trial</Badge>
        </h3>
        <Progress steps={data.steps} />
        <Session session={data.session} />
        <Attempts attempts={data.attempts} />
        <Messages messages={data.messages} />
      </section>
      <DialogFooter>
        <small className={styles.ends}>Over at {data.ends_at && clockOf(data.ends_at)}</small>
        <Button busy={busy} onClick={() => void press(trials.endTrial)()}>
          End the trial
        </Button>
      </DialogFooter>
    </>
  )
}

/** What is pressed next has the focus as soon as it is there: the dialog opened before. */
function Focused({ children }: { children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => around.current?.querySelector<HTMLElement>('a, button')?.focus(), [])
  return <div ref={around}>{children}</div>
}

const guest_window = 'popup,width=420,height=820'

/** In a window of a phone's size; on a phone by its camera, where the address means more than this machine. */
function Open({ url, trial: { for_phones } }: { url: string; trial: Pick<Trial, 'for_phones'> }) {
  return (
    <div className={styles.open}>
      <Focused>
        <Button
          kind="primary"
          icon="look"
          as={({ children, ...props }) => (
            <a
              {...props}
              href={url}
              target="foyer-trial"
              rel="noreferrer"
              onClick={(event) => {
                if (window.open(url, 'foyer-trial', guest_window)) event.preventDefault()
              }}
            >
              {children}
            </a>
          )}
        >
          Open the guest’s window
        </Button>
        <Copyable what="address">{url}</Copyable>
      </Focused>
      {for_phones && (
        <figure>
          <QrPicture text={url} label="QR code of the guest’s first page" />
          <figcaption>Or scan it with a phone in the same network.</figcaption>
        </figure>
      )}
    </div>
  )
}

function Progress({ steps: taken }: Pick<Trial, 'steps'>) {
  const next = taken.find(({ at }) => at === null)?.key
  return (
    <ol aria-label="How far the guest has got" className={styles.lamps} aria-live="polite">
      {taken.map(({ key, at }) =>
        at === null && key !== next ? null : (
          <li key={key}>
            <span className={styles.lamp} data-state={at === null ? 'waiting' : 'green'} aria-hidden="true" />
            <span>
              <strong>{at === null ? steps[key].waits : steps[key].taken}</strong>
              {at !== null && <small>{clockOf(at)}</small>}
            </span>
          </li>
        ),
      )}
    </ol>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h4>{title}</h4>
    {children}
  </section>
)

function Session({ session }: Pick<Trial, 'session'>) {
  if (!session) return null
  const { identifier, mac_address, seconds, bytes_down, bytes_up } = session
  return (
    <Part title={session.online ? 'Online now' : 'Was online'}>
      <Facts
        inColumns
        facts={[
          ['Guest', identifier],
          ['Package', session.package],
          ['Device', mac_address],
          ['Online for', lengthOf(seconds)],
          ['Used', `${dataOf(bytes_down)} down, ${dataOf(bytes_up)} up`],
          ...(session.termination_reason ? [['Ended', session.termination_reason] as const] : []),
        ]}
      />
    </Part>
  )
}

const Attempts = ({ attempts }: Pick<Trial, 'attempts'>) =>
  attempts.length > 0 && (
    <Part title="Sign-in attempts">
      <ul className={styles.attempts}>
        {attempts.map(({ at, identifier, accepted, message }, n) => (
          <li key={attempts.length - n}>
            <span className={styles.lamp} data-state={accepted ? 'green' : 'red'} aria-hidden="true" />
            <span>
              <strong>{message}</strong>
              <small>{[identifier, clockOf(at)].filter(Boolean).join(' · ')}</small>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )

const Messages = ({ messages }: Pick<Trial, 'messages'>) =>
  messages.length > 0 && (
    <Part title="Would have been sent">
      <ul className={styles.messages}>
        {messages.map(({ at, to, text }, n) => (
          <li key={messages.length - n}>
            <small>
              To {to} · {clockOf(at)}
            </small>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Part>
  )
