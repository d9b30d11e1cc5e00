// Fixes: the calls that would help, as buttons, the best one first. What the user may not do names who can.
import { useEffect, useRef, useState, type RefObject } from 'react'
import { forgetDevice, type Fix, type HelpSubject, type Kind } from '#contract/guest-help.ts'
import { madeOnce } from '#web/kit/call/idempotency.ts'
import { callKind } from '#web/kit/call/call.ts'
import { forgetLists, invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { whenOffAt } from '#web/limits/when-off.tsx'
import { to } from '#web/paths.ts'
import { tookPlace } from '#web/stays/acts.ts'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/desk.ts'
import { callAt, madeBy, type Handed } from './fix-calls.ts'
import { FixResult } from './fix-result.tsx'
import styles from './guest-help.module.css'

interface Around {
  /** Whom it is for. */
  subject: { kind: Kind; id: number }
  /** Null: the guest may be at any. Its name is for what is handed over; absent if it is clear from the page. */
  property: { id: number; name?: string } | null
  reload: () => Promise<unknown>
  /** Called with the record that represents the guest from now on. */
  onOther: (other: { kind: Kind; id: number }) => void
}

/** Makes the call of a fix, reports the result, and keeps what the guest takes along until it is closed. */
export function useFix({ subject, property, reload, onOther }: Around) {
  const [busy, setBusy] = useState<string>()
  const [handed, setHanded] = useState<Handed>()

  async function applyFix(fix: Fix) {
    const endpoint = callAt(fix.call)
    const { label, ask, done, confirm: consequence, undo } = fix
    if (!endpoint) return
    const besides = endpoint.path === forgetDevice.path ? whenOffAt(property) : undefined
    const question = { title: say('fix.ask', { label }), description: consequence, besides, accept: label }
    if (consequence !== null && !(await confirm(question))) return
    setBusy(label)
    try {
      const fixed = async (key: { idempotencyKey?: string }) => {
        const answer = await callKind<unknown>(endpoint, ask, key)
        return { answer, made: await madeBy(endpoint, { ask, answer, place: property?.name ?? '' }) }
      }
      // What was made and could not be handed out is handed out by the next press. Not to another guest: a voucher names none.
      const what = `${endpoint.path} ${JSON.stringify(ask)} ${subject.kind} ${subject.id}`
      const { answer, made } =
        endpoint.status === 201 ? await madeOnce(what, (idempotencyKey) => fixed({ idempotencyKey })) : await fixed({})
      forgetLists(endpoint.path)
      invalidateOthers()
      // What is done to a stay is taken back in its panel or row.
      tookPlace(endpoint, ask, answer, done)
      if (made.handed) setHanded(made.handed)
      else notify.success(done, undo === null ? undefined : undoing(fix, undo))
      if (made.subject) onOther(made.subject)
    } catch (error) {
      notify.failure(error)
    }
    // Busy until what it came to is shown: pressed again, it would be about what was before.
    await reload()
    setBusy(undefined)
  }
  function undoing({ call: path }: Fix, undo: Record<string, unknown>) {
    const endpoint = callAt(path)
    const takeBack = async () => {
      if (endpoint) await callKind(endpoint, undo)
      await reload()
    }
    return { label: say('undo'), onPick: () => void takeBack().catch(notify.failure) }
  }
  const ready = (fix: Fix) => callAt(fix.call) !== undefined
  return { ready, busy, applyFix, handed, putAway: () => setHanded(undefined) }
}

interface FixesProps extends Omit<Around, 'property'> {
  subject: HelpSubject
  /** What takes the focus once the button that was pressed is gone. */
  verdict: RefObject<HTMLElement | null>
}

export function Fixes({ subject, reload, onOther, verdict }: FixesProps) {
  const around = { subject, property: subject.property, reload, onOther }
  const { ready, busy, applyFix, handed, putAway } = useFix(around)
  const offered = subject.fixes.filter(ready)
  const isPressed = useRef(false)
  useEffect(() => {
    if (isPressed.current && document.activeElement === document.body) verdict.current?.focus()
    isPressed.current = false
  }, [subject.fixes, verdict])
  const advice = subject.fixes.filter(({ call, who }) => call === null && who !== null)
  return (
    <>
      {offered.length > 0 && (
        <div className={styles.fixes}>
          {offered.map((fix, index) => (
            <Button
              key={fix.label}
              kind={index === 0 ? 'primary' : 'plain'}
              busy={busy === fix.label}
              disabled={busy !== undefined}
              onClick={() => {
                isPressed.current = true
                void applyFix(fix)
              }}
            >
              {fix.label}
            </Button>
          ))}
        </div>
      )}
      {advice.length > 0 && (
        <ul className={styles.advice}>
          {advice.map(({ label, who, gateway }) => (
            <li key={label}>
              <b>{label}.</b> {who} {gateway && <Link href={to.gateway(gateway.id, 'setup')}>{gateway.name}</Link>}
            </li>
          ))}
        </ul>
      )}
      <FixResult handed={handed} close={putAway} />
    </>
  )
}
