// Confirm address: opened by the link in the mail that follows a sign-up, `?token=…`. It needs a press of the button, as programs
// that scan mailboxes open links, too.
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirmation, confirmAddress } from '#contract/address-confirmation.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { General } from '#web/kit/form/resource-form.tsx'
import { useForm } from '#web/kit/form/use-form.ts'
import { go } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { homeContext, session } from '#web/session/session.ts'
import { recheckRightsInAllTabs } from '#web/session/tabs.ts'
import { Button } from '#web/ui/button.tsx'
import { DeadLink, isCutOff } from './dead-link.tsx'
import styles from './auth.module.css'

const confirmed = 'Your address is confirmed'

export function ConfirmAddress() {
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const token = one(search['token']) ?? ''
  return isCutOff(token) ? <DeadLink /> : <Confirm token={token} />
}

function Confirm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const form = useForm(Confirmation, { token }, async (values) => {
    await call(confirmAddress, values)
    const { user } = session.get()
    if (!user) return setDone(true)
    recheckRightsInAllTabs()
    notify.success(confirmed)
    go(to.dashboard(homeContext(user)), { replace: true })
  })
  if (done)
    return (
      <SignedOutLayout title={confirmed} lead="Mails that waited for it are on their way.">
        <div className={styles.notice}>
          <LinkButton kind="primary" wide href={to.login()}>
            Sign in
          </LinkButton>
        </div>
      </SignedOutLayout>
    )
  return (
    <SignedOutLayout
      title="Is this address yours?"
      lead="Confirm it, and Foyer mails your colleagues and your guests from now on. Mails that wait are sent right away."
    >
      <form {...form.bind}>
        <General sentences={form.general} />
        <Button kind="primary" submit wide busy={form.saving}>
          Confirm my address
        </Button>
      </form>
    </SignedOutLayout>
  )
}
