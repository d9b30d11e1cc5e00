// After login: where the user goes next: back to the page they came from, to /mobile on a phone, else to their dashboard.
import { isPhone, wantsDesktop } from '#web/frame/phone.ts'
import { takeReturn } from '#web/frame/return-address.ts'
import { signIn } from '#web/frame/start.ts'
import { go } from '#web/kit/navigation/go.ts'
import { to } from '#web/paths.ts'
import { contextOf } from '#web/session/context.ts'
import { keepDeviceMark } from '#web/session/device.ts'
import { homeContext, type NewSession } from '#web/session/session.ts'

export async function enter({ device, ...signedIn }: NewSession) {
  keepDeviceMark(device)
  await signIn(signedIn)
  const home = homeContext(signedIn.user)
  const back = takeReturn()
  // Another person may have signed in, for whom pages of another context do not exist.
  const fits = back !== undefined && (contextOf(back) ?? home) === home
  go(fits ? back : isPhone() && !wantsDesktop() ? to.mobile() : to.dashboard(home), { replace: true })
}
