// Let in at a generic gateway: it takes a user name and a password at the login URL that its redirect names.
import type { LetIn, Pass, PortalSignIn, Query, Registered } from '#server/gateways/kind.ts'
import { first, webAddressIn } from '#server/gateways/read.ts'

/** Only the path and the scheme of the claimed URL are used, never its host. */
function loginAddress(claimed: string | null, host: string): string {
  const { protocol, pathname } = URL.canParse(claimed ?? '')
    ? new URL(claimed ?? '')
    : { protocol: '', pathname: '/login' }
  return `${protocol === 'https:' ? 'https' : 'http'}://${host}${pathname}`
}

const letIn = (query: Query, { host, login_method }: Registered, { username, password, back }: Pass): LetIn => ({
  by: login_method === 'get' ? 'address' : 'form',
  address: loginAddress(webAddressIn(first(query, 'login_url', 'loginurl', 'switch_url')), host),
  // Makes differ in the name of the URL to continue to, and ignore other names.
  fields: { username, password, userurl: back, original_url: back },
})

export const portal: PortalSignIn = {
  letIn,
  pagesOf: (host) => ({ sign_in: `http://${host}/`, sign_out: null }),
}
