// Sample: offers an invented hotel to look at, and takes it away again, in a dialog with an address: `?modal=end-sample`.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as samples from '#contract/samples.ts'
import { call } from '#web/kit/call/call.ts'
import { queryClient } from '#web/kit/call/query-client.ts'
import { switchTo } from '#web/frame/switch-to.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { ageOf, timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { singular } from '#web/kit/display/singular.ts'
import { NotPermitted } from '#web/kit/form/permitted.tsx'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to, withModal } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { session } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import styles from './dashboard.module.css'

const key = ['sample']
const useSample = () =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => call(samples.sample, {}, { signal }), staleTime: 0 })

/** Below the steps to the first guest, for those who would rather see first what they are for. */
export function SampleOffer() {
  const [busy, setBusy] = useState(false)
  const { data } = useSample()
  async function open() {
    setBusy(true)
    try {
      const { user_id } = await call(samples.startSample, {})
      await switchTo(user_id)
    } catch (error) {
      notify.failure(error)
      setBusy(false)
    }
  }
  return (
    <div className={styles.sample}>
      <p>
        Or look around first in a hotel with rooms, guests and a month of figures. All of it is invented, kept apart
        from your own data, and removed with one press.
      </p>
      <Button busy={busy} onClick={() => void open()}>
        {data?.made_at ? 'Open the sample hotel' : 'Create a sample hotel'}
      </Button>
      {data?.made_at && <LinkButton href={withModal(to.dashboard(), 'end-sample', {})}>Remove it</LinkButton>}
    </div>
  )
}

export function EndSample({ close }: { close: () => void }) {
  const mayEnd = useMayCall(samples.endSample)
  const { data, error, refetch } = useSample()
  const [busy, setBusy] = useState(false)
  async function end() {
    setBusy(true)
    try {
      await call(samples.endSample, {})
      const { user, users } = session.get()
      if (user)
        session.enter(
          user,
          users.filter(({ sample_of }) => sample_of !== user.customer.id),
        )
      await queryClient.invalidateQueries({ queryKey: key })
      notify.success('The sample hotel is gone.')
      close()
    } catch (failure) {
      notify.failure(failure)
      setBusy(false)
    }
  }
  const inside = () => {
    if (!mayEnd) return <NotPermitted icon="properties" />
    if (error && !data) return <LoadFailed error={error} again={() => void refetch()} />
    if (!data) return <Skeleton height={120} label="Loading" />
    return data.made_at ? <Goes sample={data} /> : <p>The sample hotel has been removed.</p>
  }
  const there = mayEnd && data?.made_at
  return (
    <Dialog
      open
      onClose={close}
      title="Remove the sample hotel?"
      held={busy}
      footer={
        <>
          <Button onClick={close}>{there ? 'Keep it' : 'Close'}</Button>
          {there && (
            <Button kind="danger" busy={busy} onClick={() => void end()}>
              Remove it
            </Button>
          )}
        </>
      }
    >
      {inside()}
    </Dialog>
  )
}

/** How many of them are named. */
const named_max = 12

function Goes({ sample: { added, changed } }: { sample: samples.Sampled }) {
  const more = added.length - named_max
  return (
    <div className={styles.goes}>
      <p>The hotel, its guests and all its figures are removed for everybody. Your own data is not affected.</p>
      {added.length === 0 ? (
        <p>Nobody has added anything to it.</p>
      ) : (
        <>
          <p>People added this, and it is removed as well:</p>
          <ul>
            {added.slice(0, named_max).map(({ kind, name, by, at }) => (
              <li key={`${kind} ${name} ${at}`}>
                <span>
                  <b>{name ?? 'Without a name'}</b> {singular(kind.replaceAll('_', ' '))}
                </span>
                <small>
                  {by},{' '}
                  <time dateTime={at} title={timeOf(at)}>
                    {ageOf(at)}
                  </time>
                </small>
              </li>
            ))}
          </ul>
          {more > 0 && <p>And {more} more.</p>}
        </>
      )}
      {changed > 0 && (
        <p>{changed === 1 ? 'One invented record was changed.' : `${changed} invented records were changed.`}</p>
      )}
    </div>
  )
}
