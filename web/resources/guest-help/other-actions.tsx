// Other actions: a link to the page of an account, a device or a guest with everything that is stored about them; and a new password for
// an account.
import { useState } from 'react'
import * as accounts from '#contract/accounts.ts'
import * as devices from '#contract/devices.ts'
import * as guests from '#contract/guests.ts'
import type { HelpSubject } from '#contract/guest-help.ts'
import { call } from '#web/kit/call/call.ts'
import { invalidateOthers } from '#web/kit/call/query-client.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { easyPassword } from '#web/kit/made/easy-password.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { to } from '#web/paths.ts'
import { may, useMayCall } from '#web/session/may.ts'
import { Button } from '#web/ui/button.tsx'
import { say } from '#web/words/desk.ts'
import type { Handed } from './fix-calls.ts'
import { FixResult } from './fix-result.tsx'
import styles from './guest-help.module.css'

const confirmation = () => ({
  title: say('guest.ask-password'),
  description: say('guest.password-means'),
  accept: say('guest.make-password'),
})

/** Not for stays, whose page is linked in the panel of the stay, nor for vouchers, which belong to their batch. */
const pageOf = {
  account: { area: accounts.list.area, title: 'guest.whole-account', icon: 'accounts', href: to.account },
  device: { area: devices.list.area, title: 'guest.whole-device', icon: 'devices', href: to.device },
  guest: { area: guests.list.area, title: 'guest.all-kept', icon: 'user', href: to.guest },
} as const

export function OtherActions({ subject, reload }: { subject: HelpSubject; reload: () => Promise<unknown> }) {
  const { kind, id } = subject
  const page = kind in pageOf ? pageOf[kind as keyof typeof pageOf] : undefined
  if (page === undefined) return null
  return (
    <div className={styles.hands}>
      {kind === 'account' && <NewPassword subject={subject} reload={reload} />}
      {may(page.area, 'read') && (
        <LinkButton kind="quiet" icon={page.icon} href={page.href(id)}>
          {say(page.title)}
        </LinkButton>
      )}
    </div>
  )
}

function NewPassword({ subject, reload }: { subject: HelpSubject; reload: () => Promise<unknown> }) {
  const mayChange = useMayCall(accounts.update)
  const [handed, setHanded] = useState<Handed>()
  const { id, name, property, tell } = subject
  // A new password may already be offered as a fix.
  const isOffered = subject.fixes.some(({ call: path, ask }) => path === accounts.update.path && 'password' in ask)
  const renew = async () => {
    if (!(await confirm(confirmation()))) return
    const password = easyPassword()
    await call(accounts.update, { id, password })
    invalidateOthers()
    setHanded({
      title: say('made.password'),
      note: `${name} · ${property?.name ?? ''}`,
      rows: [...(tell?.rows ?? []), { label: say('made.password-label'), value: password }],
    })
    await reload()
  }
  return (
    <>
      {mayChange && !isOffered && (
        <Button icon="refresh" onClick={() => void renew().catch(notify.failure)}>
          {say('guest.new-password')}
        </Button>
      )}
      <FixResult handed={handed} close={() => setHanded(undefined)} />
    </>
  )
}
