// Fixes: the calls that would help, as buttons: the first is the one to press. What is not for the caller to do says who can.
import { useState } from 'react'
import type { Fix, HelpSubject } from '#contract/guest-help.ts'
import { freshKey } from '#web/kit/call/idempotency.ts'
import { callKind } from '#web/kit/call/call.ts'
import { forgetLists, staleOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { Link } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { callAt, madeBy, type Handed } from './fix-calls.ts'
import { HandedOver } from './handed-over.tsx'
import styles from './guest-help.module.css'

interface FixesProps {
  subject: HelpSubject
  q: string
  reload: () => void
}

export function Fixes({ subject, q, reload }: FixesProps) {
  const [busy, setBusy] = useState<string>()
  const [handed, setHanded] = useState<Handed>()
  const ready = subject.fixes.flatMap((fix) => {
    const endpoint = callAt(fix.call)
    return endpoint ? [{ fix, endpoint }] : []
  })
  const advice = subject.fixes.filter(({ call, who }) => call === null && who !== null)

  async function mend({ fix, endpoint }: (typeof ready)[number]) {
    const { label, ask, done, confirm: lost, undo } = fix
    if (lost !== null && !(await confirm({ title: `${label}?`, description: lost, accept: label }))) return
    setBusy(label)
    try {
      const idempotencyKey = endpoint.status === 201 ? { idempotencyKey: freshKey() } : {}
      const answer = await callKind<unknown>(endpoint, ask, idempotencyKey)
      const made = await madeBy(endpoint, answer, subject)
      forgetLists(endpoint.path)
      staleOthers()
      if (made.handed) setHanded(made.handed)
      else notify.success(done, undo === null ? undefined : undoing(fix, undo))
      if (made.subject) go(to.guestHelp({ ...made.subject, q }), { replace: true })
    } catch (error) {
      notify.failure(error)
    } finally {
      setBusy(undefined)
      reload()
    }
  }
  function undoing({ call: path }: Fix, undo: Record<string, unknown>) {
    const endpoint = callAt(path)
    const takeBack = async () => {
      if (endpoint) await callKind(endpoint, undo)
      reload()
    }
    return { label: 'Undo', onPick: () => void takeBack().catch(notify.failure) }
  }

  return (
    <>
      {ready.length > 0 && (
        <div className={styles.fixes}>
          {ready.map((one, index) => (
            <Button
              key={one.fix.label}
              kind={index === 0 ? 'primary' : 'plain'}
              busy={busy === one.fix.label}
              disabled={busy !== undefined}
              onClick={() => void mend(one)}
            >
              {one.fix.label}
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
      <HandedOver handed={handed} close={() => setHanded(undefined)} />
    </>
  )
}
