// Account hands: of a guest with an account: a new password, and a day more; what else is there stands on the account's page.
import { useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import type { HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { staleOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { easyPassword } from '#web/kit/made/easy-password.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import type { Handed } from './fix-calls.ts'
import { HandedOver } from './handed-over.tsx'
import styles from './guest-help.module.css'

const question = {
  title: 'Make a new password?',
  description: 'The password that they have now no longer works.',
  accept: 'Make a new password',
}

export function AccountHands({ subject, reload }: { subject: HelpSubject; reload: () => void }) {
  const mayChange = useMayCall(accounts.update)
  const [handed, setHanded] = useState<Handed>()
  const { id, name, property, tell } = subject
  // What stands against them may be mended so: then the button stands there already.
  const isOffered = subject.fixes.some(({ call: path, ask }) => path === accounts.update.path && 'password' in ask)
  const renew = async () => {
    if (!(await confirm(question))) return
    const password = easyPassword()
    await call(accounts.update, { id, password })
    staleOthers()
    setHanded({
      title: 'The guest has a new password',
      note: `${name} · ${property?.name ?? ''}`,
      rows: [...(tell?.rows ?? []), { label: 'Password', value: password }],
    })
    reload()
  }
  return (
    <div className={styles.hands}>
      {mayChange && !isOffered && (
        <Button icon="refresh" onClick={() => void renew().catch(notify.failure)}>
          New password
        </Button>
      )}
      <LinkButton kind="quiet" icon="accounts" href={to.account(id)}>
        The whole account
      </LinkButton>
      <HandedOver handed={handed} close={() => setHanded(undefined)} />
    </div>
  )
}
