// Disconnect: a dialog with an address that asks for the reason, then asks the gateways to end one session (`?session_id=`) or those
// that were ticked.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import * as sessions from '#contract/sessions.ts'
import { DisconnectReason } from '#contract/sessions.ts'
import { messages } from '#contract/messages.ts'
import { call } from '#web/kit/call/call.ts'
import { keys, patchRows, invalidateOthers } from '#web/kit/call/query-client.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { wholeOf } from '#web/kit/display/numbers.ts'
import { Field } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { whenOff, WhenOff } from '#web/limits/when-off.tsx'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/state.tsx'
import { answerChosen, chosenSessions } from './selected-sessions.ts'
import { nameOf } from './kind.ts'
import styles from './sessions.module.css'

const sessionsIn = (count: number) => `${wholeOf(count)} ${count === 1 ? 'session' : 'sessions'}`

export function DisconnectSessions({ session_id, close }: { session_id?: number; close: () => void }) {
  const [chosen] = useState(chosenSessions)
  const ids = session_id ? [session_id] : chosen.map(({ id }) => id)
  const leave = () => {
    answerChosen(false)
    close()
  }
  const mayDisconnect = useMayCall(sessions.disconnect)
  const one = useQuery({
    queryKey: keys.one(sessions.get.path, session_id ?? 0),
    queryFn: ({ signal }) => call(sessions.get, { id: session_id ?? 0 }, { signal }),
    enabled: session_id !== undefined,
    staleTime: 0,
  })
  const name = one.data && nameOf(one.data)
  const title = ids.length > 1 ? `Disconnect ${sessionsIn(ids.length)}?` : `Disconnect ${name ?? 'this session'}?`
  const obstacle = !mayDisconnect
    ? 'You may not disconnect anybody here.'
    : ids.length === 0
      ? 'No session is selected any more. Tick those that should end, then press Disconnect.'
      : one.data?.online === false
        ? `This session is over already: ${one.data.termination_reason?.toLowerCase() ?? 'it ended'}.`
        : undefined
  return (
    <Dialog open onClose={leave} title={title}>
      {one.isError ? (
        <LoadFailed error={one.error} again={() => void one.refetch()} />
      ) : session_id && !one.data ? (
        <Skeleton height={140} />
      ) : obstacle ? (
        <>
          <p className={styles.said}>{obstacle}</p>
          <div className={styles.buttons}>
            <Button first onClick={leave}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <ReasonForm ids={ids} name={name} leave={leave} close={close}>
          {one.data ? (
            <WhenOff where={{ property_ids: [one.data.property.id] }} gateway_id={one.data.gateway.id} />
          ) : (
            whenOff(chosen)
          )}
        </ReasonForm>
      )}
    </Dialog>
  )
}

interface ReasonFormProps {
  ids: number[]
  name: string | undefined
  leave: () => void
  close: () => void
  /** What is said besides. */
  children: ReactNode
}

function ReasonForm({ ids, name, leave, close, children }: ReasonFormProps) {
  const end = async ({ reason }: z.input<typeof DisconnectReason>) => {
    const { asked } = await call(sessions.disconnect, { ids, reason })
    patchRows(sessions.list.path, ids, { disconnect_asked_at: new Date().toISOString() })
    invalidateOthers()
    if (asked === 0) notify.success(ids.length === 1 ? 'It had already ended' : 'They had already ended')
    else if (ids.length === 1) notify.success(`${name ?? 'The session'} is being disconnected`)
    else notify.success(`${sessionsIn(asked)} being disconnected`)
    answerChosen(true)
    close()
  }
  const form = useForm(DisconnectReason, { reason: '' }, end, { about: ids.join(' ') })
  return (
    <form {...form.bind} className={styles.form}>
      <General sentences={form.general} />
      <p className={styles.said}>
        The gateway is asked to end {ids.length === 1 ? 'it' : 'them'}, usually within seconds. Whoever may still sign
        in can come back at once: to keep a guest out, disable the account, device or voucher batch.
      </p>
      {children}
      <Field
        form={form}
        name="reason"
        label="Reason"
        placeholder="The guest has left"
        hint="For the activity log. The guest does not see it."
        first
      />
      <div className={styles.buttons}>
        <Button onClick={leave}>{messages.modal.cancel}</Button>
        <Button kind="danger" submit busy={form.saving} disabled={!form.valid}>
          Disconnect
        </Button>
      </div>
    </form>
  )
}
