// Let in at a generic gateway: it takes a user name and a password at the login URL that its redirect names.
import type { LetIn, Pass, PortalSignIn, Query, Redirect, Registered } from '#server/gateways/kind.ts'
import { first, webAddressIn } from '#server/gateways/read.ts'

/** Only the scheme, the path and the query of the claimed URL are used, never its host. */
function claimedLogin(query: Query): { scheme: 'http' | 'https'; path: string; state: URLSearchParams } {
  const claimed = webAddressIn(first(query, 'login_url', 'loginurl', 'switch_url'))
  if (claimed === null || !URL.canParse(claimed))
    return { scheme: 'http', path: '/login', state: new URLSearchParams() }
  const { protocol, pathname, searchParams } = new URL(claimed)
  return { scheme: protocol === 'https:' ? 'https' : 'http', path: pathname, state: searchParams }
}

/**
 * What the login URL carries goes back with the guest: some makes know them by it (`mauth` of Meraki, `state` of D-Link). Of a form it
 * stays in the address; of an address that is opened it stands among the fields, which would replace it otherwise.
 */
function letIn({ query }: Redirect, { host, login_method }: Registered, { username, password, back }: Pass): LetIn {
  const { scheme, path, state } = claimedLogin(query)
  // Makes differ in the name of the URL to continue to, and ignore other names.
  const fields = { username, password, userurl: back, original_url: back }
  for (const name of Object.keys(fields)) state.delete(name)
  const address = `${scheme}://${host}${path}`
  if (login_method === 'get') return { by: 'address', address, fields: { ...Object.fromEntries(state), ...fields } }
  return { by: 'form', address: state.size > 0 ? `${address}?${state.toString()}` : address, fields }
}

export const portal: PortalSignIn = {
  letIn,
  pagesOf: (host) => ({ sign_in: `http://${host}/`, sign_out: null }),
}
