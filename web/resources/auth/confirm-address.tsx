// Confirm address: opened by the link in the mail that follows a sign-up, `?token=…`. It says who signed up, and needs a press: programs
// that scan mailboxes open links, too. Whoever has not signed up takes their address off.
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirmation, confirmAddress, notMe, toConfirm } from '#contract/address-confirmation.ts'
import type { Reply } from '#contract/endpoint.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { confirm } from '#web/kit/dialog/confirm.tsx'
import { notify } from '#web/kit/dialog/notify.ts'
import { timeOf } from '#web/kit/display/dates.ts'
import { LoadFailed } from '#web/kit/display/load-failed.tsx'
import { PasswordField } from '#web/kit/form/field.tsx'
import { General } from '#web/kit/form/resource-form.tsx'
import { stricter } from '#web/kit/form/stricter.ts'
import { useForm } from '#web/kit/form/use-form.ts'
import { go } from '#web/kit/navigation/go.ts'
import { LinkButton } from '#web/kit/navigation/link.tsx'
import { one, type Search } from '#web/kit/navigation/search-params.ts'
import { to } from '#web/paths.ts'
import { homeContext, session } from '#web/session/session.ts'
import { recheckRightsInAllTabs } from '#web/session/tabs.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice, Skeleton } from '#web/ui/state.tsx'
import { DeadLink, isCutOff, toSignIn } from './dead-link.tsx'
import styles from './auth.module.css'

const confirmed = 'Your address is confirmed'

export function ConfirmAddress() {
  const search = useRouterState({ select: (state) => state.location.search as Search })
  const token = one(search['token']) ?? ''
  return isCutOff(token) ? <DeadLink /> : <Ask token={token} />
}

function Ask({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['address-to-confirm', token],
    queryFn: ({ signal }) => call(toConfirm, { token }, { signal }),
    staleTime: Infinity,
  })
  const [done, setDone] = useState<'confirmed' | 'taken off'>()
  if (done === 'confirmed')
    return (
      <SignedOutLayout title={confirmed} lead="Mails that waited for it are on their way.">
        <div className={styles.notice}>
          <LinkButton kind="primary" wide href={to.login()}>
            Sign in
          </LinkButton>
        </div>
      </SignedOutLayout>
    )
  if (done === 'taken off')
    return (
      <SignedOutLayout
        title="Your address has been removed"
        lead="Nothing more is sent to it. Nobody can sign in with it, and you can sign up with it yourself."
      >
        {null}
      </SignedOutLayout>
    )
  if (data && !data.sign_up)
    return (
      <SignedOutLayout title="Is this address yours?" below={toSignIn}>
        <div className={styles.notice}>
          <Notice tone="error">This link is no longer valid. Please ask for a new one.</Notice>
        </div>
      </SignedOutLayout>
    )
  return (
    <SignedOutLayout title="Is this address yours?">
      {error && !data && <LoadFailed error={error} again={() => void refetch()} />}
      {!error && !data && <Skeleton height={120} />}
      {data?.sign_up && <Confirm token={token} signUp={data.sign_up} onDone={setDone} />}
    </SignedOutLayout>
  )
}

type SignUp = NonNullable<Reply<typeof toConfirm>['data']['sign_up']>
const WithPassword = stricter(Confirmation, Confirmation.required().shape)

function Confirm({
  token,
  signUp: { company_name, signed_up_at, asks_password, confirmed: before },
  onDone,
}: {
  token: string
  signUp: SignUp
  onDone: (done: 'confirmed' | 'taken off') => void
}) {
  const form = useForm(
    asks_password ? WithPassword : Confirmation,
    { token, ...(asks_password && { password: '' }) },
    async (values) => {
      await call(confirmAddress, values)
      const { user } = session.get()
      if (!user || asks_password) return onDone('confirmed')
      recheckRightsInAllTabs()
      notify.success(confirmed)
      go(to.dashboard(homeContext(user)), { replace: true })
    },
  )
  const takeOff = async () => {
    const yes = await confirm({
      title: 'Was it somebody else?',
      description: `Your address is removed from ${company_name}, and nothing more is sent to it.`,
      accept: 'It was not me',
      danger: true,
    })
    if (!yes) return
    try {
      await call(notMe, { token })
      onDone('taken off')
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <form {...form.bind} className={styles.proof}>
      <p className={styles.lead}>
        <b>{company_name}</b> signed up to Foyer with it on {timeOf(signed_up_at)}. Once you confirm it, Foyer can mail
        your colleagues and guests; what is waiting goes out right away.
      </p>
      <General sentences={form.general} />
      {asks_password && (
        <PasswordField
          form={form}
          name="password"
          label="Password"
          hint="The one you chose when you signed up."
          autoComplete="current-password"
          first
        />
      )}
      <Button kind="primary" submit wide busy={form.saving}>
        Confirm my address
      </Button>
      {!before && (
        <Button kind="quiet" wide onClick={() => void takeOff()}>
          This was not me
        </Button>
      )}
    </form>
  )
}
