// Leave: what happens when a session ends: everything loaded for the user is dropped, and the login opens. When the
// server ended the session, the login says so (`loggedOutAt`) and leads back afterwards.
import { go, here } from '#web/kit/navigation/go.ts'
import { queryClient } from '#web/kit/call/query-client.ts'
import { to } from '#web/paths.ts'
import { appContext } from '#web/session/context.ts'
import { session } from '#web/session/session.ts'
import { rememberReturn } from './return-address.ts'

export const leaveOnEnd = () =>
  session.onEnd(({ why, wasInside }) => {
    queryClient.cancelQueries().catch(() => undefined)
    queryClient.clear()
    // A dead token found at the start: no screen is drawn yet, and the guards redirect.
    if (!wasInside) return
    if (why === 'expired') rememberReturn(here())
    go(to.login(appContext(), why === 'expired' ? { loggedOutAt: Date.now() } : {}))
  })
