// Second factor due: the only screen for users whose customer requires a second factor that they have not set up: setting it up.
import { me } from '#contract/auth.ts'
import { SignedOutLayout } from '#web/frame/signed-out-layout.tsx'
import { call } from '#web/kit/call/call.ts'
import { notify } from '#web/kit/dialog/notify.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { homeContext, session, useSession } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { SetUp } from './set-up.tsx'

export function SecondFactorDue() {
  const { user } = useSession()
  if (!user) return null
  const enter = async () => {
    try {
      const { users: others, ...now } = await call(me, {})
      session.enter(now, others)
      go(to.dashboard(homeContext(now)), { replace: true })
    } catch (error) {
      notify.failure(error)
    }
  }
  return (
    <SignedOutLayout
      title="Set up a second factor"
      lead={`${user.customer.name} requires it of everybody. It takes a minute, and then you can go on.`}
      below={
        <Button kind="quiet" onClick={() => session.end('left')}>
          Sign out
        </Button>
      }
    >
      <SetUp onDone={() => void enter()} />
    </SignedOutLayout>
  )
}
