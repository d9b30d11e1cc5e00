// Preload: the page's first, small script. While the rest of the app loads, it requests the user, and the rows and the code of the list
// that the address names. The app picks those requests up (kit/call/preloaded.ts).
import { me } from '#contract/auth.ts'
import { isPhone } from './frame/phone.ts'
import { preload } from './kit/call/preloaded.ts'
import { requestOf } from './kit/call/request.ts'
import { listAddressIn } from './kit/list/list-address.ts'
import { firstQuestion } from './kit/list/list-pages.ts'
import { parseSearch } from './kit/navigation/search-params.ts'
import { listScreenOf } from './list-screens.ts'
import { contextOf, screenIn } from './session/context.ts'
import { keptToken } from './session/kept-token.ts'
import { showKeptScheme } from './ui/kept-scheme.ts'
import { keptLanguage } from './words/kept-language.ts'

function requestFirst({ pathname, search }: { pathname: string; search: string }) {
  const context = contextOf(pathname)
  const token = keptToken.read()
  if (!context || token === null) return
  const caller = { token, context, language: keptLanguage() }
  preload(requestOf(me, {}, caller))
  const screen = isPhone() ? undefined : listScreenOf(screenIn(pathname))
  const question = firstQuestion(listAddressIn(parseSearch(search)))
  if (!screen || !question) return
  preload(requestOf(screen.list, question, caller))
  // If it fails, the screen reports it.
  screen.load().catch(() => undefined)
}
try {
  showKeptScheme()
  requestFirst(window.location)
} catch {
  // A browser without storage has no token to start with.
}
