// Switch to: acts as another of the login's users from here on.
import { switchUser } from '#contract/auth.ts'
import { homeContext, session } from '#web/session/session.ts'
import { to } from '#web/paths.ts'
import { call } from '#web/kit/call/call.ts'

/** Reloads the page, so that nothing loaded as one user is shown to the other. Opens `href`, or the other's dashboard. */
export async function switchTo(user_id: number, href?: string): Promise<void> {
  const { access_token, user } = await call(switchUser, { user_id })
  session.adopt(access_token)
  window.location.assign(href ?? to.dashboard(homeContext(user)))
}
